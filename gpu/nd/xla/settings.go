package xla

import (
	"os"
	"path/filepath"
	"strings"
)

// settings sets the environment variables that a plugin reads while it starts, unless the user has, and returns a function that undoes
// that.
func settings(plugin string) (undo func()) {
	// XLA's messages while it starts are not part of any output. JAX suppresses them the same way.
	unset := []func(){setting("TF_CPP_MIN_LOG_LEVEL", "1")}
	if dir := cudaData(plugin); dir != "" {
		const flag = "--xla_gpu_cuda_data_dir="
		if flags := os.Getenv("XLA_FLAGS"); !strings.Contains(flags, flag) {
			before, set := os.LookupEnv("XLA_FLAGS")
			_ = os.Setenv("XLA_FLAGS", strings.TrimSpace(flags+" "+flag+dir)) // it fails only for invalid names
			unset = append(unset, func() {
				if set {
					_ = os.Setenv("XLA_FLAGS", before)
				} else {
					_ = os.Unsetenv("XLA_FLAGS")
				}
			})
		}
	}
	return func() {
		for _, f := range unset {
			f()
		}
	}
}

// setting sets a variable that is not set.
func setting(name, value string) (undo func()) {
	if _, set := os.LookupEnv(name); set {
		return func() {}
	}
	_ = os.Setenv(name, value)
	return func() { _ = os.Unsetenv(name) }
}

// cudaData returns the part of CUDA with which XLA compiles for a GPU, if it is next to the plugin in Python's packages.
func cudaData(plugin string) string {
	packages := filepath.Dir(filepath.Dir(filepath.Dir(plugin)))
	for _, part := range []string{"nvidia/cu*", "nvidia/cuda_nvcc"} {
		found, _ := filepath.Glob(filepath.Join(packages, part, "nvvm", "libdevice"))
		if len(found) > 0 {
			return filepath.Dir(filepath.Dir(found[len(found)-1]))
		}
	}
	return ""
}
