package xla

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// wheels are the paths of plugins in Python's packages, the preferred one first.
var wheels = map[bool][]string{
	true: {"jax_plugins/xla_cuda*/xla_cuda_plugin.so", "xla_plugins/xla_cuda*/*.so"},
	false: {
		"xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		"*/pjrt_c_api_cpu_plugin.so",
	},
}

// pluginsVariable lists directories with plugins. go-xla reads it, too.
const pluginsVariable = "PJRT_PLUGIN_LIBRARY_PATH"

// Find returns the path of the plugin for NVIDIA GPUs, or of the one for CPUs: a file pjrt_c_api_cuda_plugin.so or
// pjrt_c_api_cpu_plugin.so in a directory of PJRT_PLUGIN_LIBRARY_PATH, in go-xla's own directories (~/.local/lib/go-xla,
// /usr/local/lib/go-xla), or in Python's packages: of the active environment, of a directory .venv here or above, of pythons on the PATH,
// of the user and the system.
func Find(cuda bool) (string, error) {
	kind, pip := "cpu", "pip install xla-cpu-pjrt"
	if cuda {
		kind, pip = "cuda", "pip install 'jax[cuda13]', or cuda12 for an older driver,"
	}
	var patterns []string
	for _, dir := range folders() {
		patterns = append(patterns, filepath.Join(dir, "pjrt_c_api_"+kind+"_*plugin.so"), filepath.Join(dir, "pjrt_c_api_"+kind+"_plugin.so"), filepath.Join(dir, "pjrt?plugin?"+kind+".so"))
	}
	for _, prefix := range environments() {
		for _, wheel := range wheels[cuda] {
			for _, site := range []string{"site-packages", "dist-packages"} {
				patterns = append(patterns, filepath.Join(prefix, "lib", "python3*", site, wheel))
			}
		}
	}
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // only malformed patterns fail
		if len(found) > 0 {
			slices.Sort(found)
			return filepath.Abs(found[len(found)-1])
		}
	}
	return "", fmt.Errorf("there is no XLA plugin (PJRT) for %s here: %s puts one where it is found, or set %s to the folder of a pjrt_c_api_%s_plugin.so",
		map[bool]string{true: "NVIDIA GPUs", false: "processors"}[cuda], pip, pluginsVariable, kind)
}

// folders returns the directories that contain only plugins.
func folders() []string {
	list := filepath.SplitList(os.Getenv(pluginsVariable))
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".local/lib/go-xla"), filepath.Join(home, ".local/lib/go-xla/nvidia"))
	}
	return append(list, "/usr/local/lib/go-xla", "/usr/local/lib/go-xla/nvidia")
}

// environments returns the directories that Python's packages may be below.
func environments() []string {
	var list []string
	add := func(dir string) {
		if dir != "" && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	add(os.Getenv("VIRTUAL_ENV"))
	add(os.Getenv("CONDA_PREFIX"))
	if dir, err := os.Getwd(); err == nil {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, ".venv")); err == nil {
				add(filepath.Join(dir, ".venv"))
			}
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "python3")); err == nil {
			add(filepath.Dir(filepath.Clean(dir)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(filepath.Join(home, ".local"))
	}
	add("/usr/local")
	add("/usr")
	return list
}

// checked returns the path of a plugin that exists.
func checked(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("opening an XLA plugin: %w", err)
	case info.IsDir() || !strings.Contains(filepath.Base(path), ".so"):
		return "", errors.New("opening an XLA plugin: " + path + " is no shared library")
	}
	return path, nil
}
