package xla

import (
	"os"
	"path/filepath"
	"strings"
)

// settings sets what a plugin reads from the environment while it starts, unless the user has, and returns what undoes that.
func settings(plugin string) (undo func()) {
	// go-xla looks for CUDA by itself and then sets XLA_FLAGS to a folder that is not there.
	unset := []func(){
		setting("GOPJRT_CUDA_CHECKS", "no"),
		// What XLA tells of itself while it starts is nobody's output. JAX has it the same way.
		setting("TF_CPP_MIN_LOG_LEVEL", "1"),
	}
	if dir := cudaData(plugin); dir != "" {
		const flag = "--xla_gpu_cuda_data_dir="
		if flags := os.Getenv("XLA_FLAGS"); !strings.Contains(flags, flag) {
			before, set := os.LookupEnv("XLA_FLAGS")
			_ = os.Setenv("XLA_FLAGS", strings.TrimSpace(flags+" "+flag+dir)) // it fails for names that cannot be
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

// cudaData is the part of CUDA with which XLA compiles for a GPU, if it lies beside the plugin among Python's packages.
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
