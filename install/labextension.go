package install

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// extension is JupyterLab's extension as `make labextension` builds it from the sources beside it.
//
//go:embed labextension/built
var extension embed.FS

// extensionName is the name of the extension for JupyterLab, and of its directory.
const extensionName = "gopherwarp"

// extensionDir returns the directory of the extension in a Jupyter data directory.
func extensionDir(dataDir string) string {
	return filepath.Join(dataDir, "labextensions", extensionName)
}

// installExtension writes the extension into a Jupyter data directory, in place of an older one.
func installExtension(dataDir string) error {
	files, err := fs.Sub(extension, "labextension/built")
	if err != nil {
		return fmt.Errorf("install JupyterLab's extension: %w", err)
	}
	dir := extensionDir(dataDir)
	// Names of files have digests of their contents, so those of an older one would stay.
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("install JupyterLab's extension: %w", err)
	}
	if err := os.CopyFS(dir, files); err != nil {
		return fmt.Errorf("install JupyterLab's extension: %w", err)
	}
	return nil
}

// uninstallExtension removes the extension from a Jupyter data directory, unless a kernel of gopherwarp there needs it.
func uninstallExtension(dataDir string) error {
	specs, err := filepath.Glob(filepath.Join(dataDir, "kernels", "*", "kernel.json"))
	if err != nil {
		return fmt.Errorf("uninstall JupyterLab's extension: %w", err)
	}
	for _, file := range specs {
		if spec, err := readKernelJSON(file); err == nil && spec.isOurs() {
			return nil
		}
	}
	dir := extensionDir(dataDir)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("uninstall JupyterLab's extension: %w", err)
	}
	// The directory of all extensions goes if this was the only one.
	if err := os.Remove(filepath.Dir(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) && !isNotEmpty(filepath.Dir(dir)) {
		return fmt.Errorf("uninstall JupyterLab's extension: %w", err)
	}
	return nil
}

// isNotEmpty reports whether a directory has entries.
func isNotEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}
