package driver

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// FindTool returns the path of a program of the CUDA toolkit, or "". It searches PATH and the directories in which toolkits and
// pip install it.
func FindTool(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, place := range toolkit.Directories() {
		for _, sub := range []string{"bin", name} { // compute-sanitizer has its own directory
			path := filepath.Join(place, sub, name)
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
				return path
			}
		}
	}
	return ""
}
