package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstallAndUninstall(t *testing.T) {
	for _, tt := range []struct{ name, display string }{
		{KernelName, "Go (gopherwarp)"},
		{"go-next", "Go (go-next)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dataDir := t.TempDir()
			k := Kernelspec{Name: tt.name, Binary: "/opt/go pher/gopherwarp"}
			var dir string
			for range 2 { // the second time it replaces the first
				var err error
				if dir, err = k.Install(dataDir); err != nil {
					t.Fatal(err)
				}
			}
			if want := filepath.Join(dataDir, "kernels", tt.name); dir != want {
				t.Errorf("installed in %s, want %s", dir, want)
			}
			data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
			if err != nil {
				t.Fatal(err)
			}
			var spec kernelJSON
			if err := json.Unmarshal(data, &spec); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(spec.Argv, "|"); got != "/opt/go pher/gopherwarp|kernel|-f|{connection_file}" {
				t.Errorf("argv = %s", got)
			}
			if spec.DisplayName != tt.display || spec.Language != "go" || spec.InterruptMode != "message" || spec.ProtocolVersion != "5.5" {
				t.Errorf("spec = %+v", spec)
			}
			for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != size || c.Height != size {
					t.Errorf("%s is %+v, %v", name, c, err)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "logo-svg.svg")); err != nil {
				t.Error(err)
			}
			if _, err := Uninstall(dataDir, tt.name); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after uninstall: %v", err)
			}
			if _, err := Uninstall(dataDir, tt.name); !errors.Is(err, ErrNotInstalled) {
				t.Errorf("second uninstall: %v", err)
			}
		})
	}
}

func TestUninstallLeavesOtherKernels(t *testing.T) {
	dataDir := t.TempDir()
	file := filepath.Join(dataDir, "kernels", "python3", "kernel.json")
	writeFile(t, file, `{"argv": ["python3", "-m", "ipykernel"], "display_name": "Python 3", "language": "python"}`, 0o644)
	if _, err := Uninstall(dataDir, "python3"); err == nil || !strings.Contains(err.Error(), "is another kernel (Python 3)") {
		t.Errorf("error = %v", err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func TestInstallRefusesNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b", "../x", "ü", "a b"} {
		if _, err := (Kernelspec{Name: name, Binary: "/b"}).Install(t.TempDir()); err == nil {
			t.Errorf("name %q is accepted", name)
		}
	}
}

func TestDataDirs(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"home", map[string]string{"HOME": "/h"}, "/h/.local/share/jupyter"},
		{"XDG", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/x/jupyter"},
		{"Jupyter's own", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/x", "JUPYTER_DATA_DIR": "/j"}, "/j"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"HOME", "XDG_DATA_HOME", "JUPYTER_DATA_DIR"} {
				t.Setenv(name, tt.env[name])
			}
			if got, err := UserDataDir(); err != nil || got != tt.want {
				t.Errorf("UserDataDir = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestSysPrefix(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("VIRTUAL_ENV", "")
	if _, err := SysPrefix(t.Context()); err == nil || !strings.Contains(err.Error(), "--prefix") {
		t.Errorf("without python3: %v", err)
	}
	program(t, bin, "python3", "echo /usr/py")
	if got, err := SysPrefix(t.Context()); err != nil || got != "/usr/py" {
		t.Errorf("of python3: %q, %v", got, err)
	}
	t.Setenv("VIRTUAL_ENV", "/venv")
	if got, err := SysPrefix(t.Context()); err != nil || got != "/venv" {
		t.Errorf("of the environment: %q, %v", got, err)
	}
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// program adds a shell script to the PATH of a test.
func program(t *testing.T, bin, name, script string) {
	t.Helper()
	writeFile(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n", 0o755)
}
