// Package toolkit finds the directories in which CUDA's toolkit is installed, as a whole or in parts by pip and conda. What is in
// them, and which versions fit, its users decide.
package toolkit

import (
	"os"
	"path/filepath"
	"slices"
)

// Directories returns the existing directories that may contain a CUDA toolkit, or the part of one that pip or conda installed.
// Those that the user has configured come before the usual ones.
func Directories() []string {
	var places []string
	add := func(patterns ...string) {
		for _, p := range patterns {
			found, _ := filepath.Glob(p) // only malformed patterns fail, and they have no matches
			slices.Reverse(found)        // the highest version first
			for _, f := range found {
				if !slices.Contains(places, f) {
					places = append(places, f)
				}
			}
		}
	}
	addPython := func(site string) {
		add(filepath.Join(site, "nvidia", "*"))
	}

	for _, v := range []string{"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"} {
		if dir := os.Getenv(v); dir != "" {
			add(dir, filepath.Join(dir, "targets", "*-linux"))
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PYTHONPATH")) {
		addPython(dir)
	}
	// A virtual environment need not be active: its python3 may be on the PATH.
	prefixes := []string{os.Getenv("VIRTUAL_ENV"), os.Getenv("CONDA_PREFIX")}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if exists(filepath.Join(dir, "python3")) {
			prefixes = append(prefixes, filepath.Dir(filepath.Clean(dir)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		prefixes = append(prefixes, filepath.Join(home, ".local"))
	}
	for _, prefix := range append(prefixes, "/usr/local", "/usr") {
		if prefix != "" {
			addPython(filepath.Join(prefix, "lib", "python3*", "site-packages"))
			addPython(filepath.Join(prefix, "lib", "python3*", "dist-packages"))
		}
	}
	add("/usr/local/cuda", "/usr/local/cuda/targets/*-linux", "/usr/local/cuda-*", "/usr/local/cuda-*/targets/*-linux", "/opt/cuda", "/usr")
	return places
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
