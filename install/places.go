package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// UserDataDir returns the directory in which Jupyter finds this user's kernels and other data.
func UserDataDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home folder: %w (or give --prefix FOLDER)", err)
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// PrefixDataDir returns Jupyter's data directory of an installation under prefix.
func PrefixDataDir(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// SysPrefix returns the active virtual environment, or else the prefix of python3's installation.
func SysPrefix(ctx context.Context) (string, error) {
	if dir := os.Getenv("VIRTUAL_ENV"); dir != "" {
		return dir, nil
	}
	out, err := exec.CommandContext(ctx, "python3", "-c", "import sys; print(sys.prefix)").Output()
	if err != nil {
		return "", fmt.Errorf("find the installation of python3: %w (activate a virtual environment, or use --prefix FOLDER)", err)
	}
	if prefix := strings.TrimSpace(string(out)); filepath.IsAbs(prefix) {
		return prefix, nil
	}
	return "", errors.New("python3 did not print its prefix: use --prefix FOLDER")
}

// dataDirs returns the directories in which a Jupyter that is started in this environment finds kernels, in its order.
func dataDirs(ctx context.Context) []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("JUPYTER_PATH")) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	if dir, err := UserDataDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if jupyter, err := exec.LookPath("jupyter"); err == nil {
		// Jupyter's own prefix is always searched, even if its environment is not active.
		dirs = append(dirs, PrefixDataDir(filepath.Dir(filepath.Dir(jupyter))))
	}
	if prefix, err := SysPrefix(ctx); err == nil {
		dirs = append(dirs, PrefixDataDir(prefix))
	}
	return append(dirs, "/usr/local/share/jupyter", "/usr/share/jupyter")
}
