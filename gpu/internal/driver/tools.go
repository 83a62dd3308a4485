package driver

import (
	"os"
	"os/exec"
	"path/filepath"
)

// FindTool looks for a program of the CUDA toolkit: in PATH, and where toolkits and pip put them.
// It is "" if there is none.
func FindTool(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, place := range searchPlaces() {
		for _, sub := range []string{"bin", name} { // compute-sanitizer has a directory of its own
			path := filepath.Join(place, sub, name)
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
				return path
			}
		}
	}
	return ""
}
