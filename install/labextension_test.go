package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExtensionIsBuilt fails if sources of the extension were changed and it was not built again, or what was built was changed by hand.
func TestExtensionIsBuilt(t *testing.T) {
	recorded, err := os.ReadFile("labextension/sums.txt")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(recorded)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	check := func(name string) {
		data, err := os.ReadFile(filepath.Join("labextension", name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); sums[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not that of the last build: make labextension", name)
		}
		delete(sums, name)
	}
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "rspack.config.js"} {
		check(name)
	}
	for _, dir := range []string{"src", "schema", "built"} {
		err := fs.WalkDir(os.DirFS("labextension"), dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				check(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range sums {
		t.Errorf("%s is gone since the last build: make labextension", name)
	}
}

// TestExtensionIsInstalled tests that JupyterLab finds the extension beside the kernels, and that it goes with the last of them.
func TestExtensionIsInstalled(t *testing.T) {
	dataDir := t.TempDir()
	dir := filepath.Join(dataDir, "labextensions", "gopherwarp")
	writeFile(t, filepath.Join(dir, "static", "remoteEntry.old.js"), "", 0o644)
	for _, name := range []string{KernelName, "go-next"} {
		if _, err := (Kernelspec{Name: name, Binary: "/bin/gopherwarp"}).Install(dataDir); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var meta struct {
		JupyterLab struct {
			Build struct{ Load string } `json:"_build"`
		}
	}
	if err := json.Unmarshal(data, &meta); err != nil {
		t.Fatal(err)
	}
	if load := meta.JupyterLab.Build.Load; load == "" {
		t.Errorf("package.json does not name the script: %s", data)
	} else if _, err := os.Stat(filepath.Join(dir, load)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "static", "remoteEntry.old.js")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of an older extension: %v", err)
	}

	if _, err := Uninstall(dataDir, KernelName); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the other kernel has lost the extension: %v", err)
	}
	writeFile(t, filepath.Join(dataDir, "labextensions", "other", "package.json"), "{}", 0o644)
	if _, err := Uninstall(dataDir, "go-next"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after the last kernel was removed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dataDir, "labextensions", "other", "package.json")); err != nil {
		t.Errorf("another extension: %v", err)
	}
}
