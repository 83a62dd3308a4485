package toolkit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// touch creates empty files, and their directories, under root.
func touch(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDirectories(t *testing.T) {
	root := t.TempDir()
	touch(t, root,
		"toolkit/include/x", "toolkit/targets/x86_64-linux/include/x",
		"path/nvidia/cu13/x",
		"venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/x",
		"inactive/bin/python3", "inactive/lib/python3.12/site-packages/nvidia/cu13/x",
		"home/.local/lib/python3.9/site-packages/nvidia/cuda_nvrtc/x",
	)
	for name, dir := range map[string]string{
		"CUDA_HOME": "toolkit", "PYTHONPATH": "path", "VIRTUAL_ENV": "venv", "PATH": "inactive/bin", "HOME": "home",
	} {
		t.Setenv(name, filepath.Join(root, dir))
	}
	t.Setenv("CUDA_PATH", filepath.Join(root, "not-there"))
	t.Setenv("CONDA_PREFIX", "")
	want := []string{
		"toolkit", "toolkit/targets/x86_64-linux", "path/nvidia/cu13", "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc",
		"inactive/lib/python3.12/site-packages/nvidia/cu13", "home/.local/lib/python3.9/site-packages/nvidia/cuda_nvrtc",
	}
	got := Directories()
	for i := range want {
		want[i] = filepath.Join(root, want[i])
	}
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("got  %q\nwant %q and then the system's", got, want)
	}
}
