package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestToolchainVersion(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{"go/VERSION": "go1.99.2\ntime 2026-11-01T00:00:00Z\n", "go/bin/go": "#!/bin/sh\n", "none/bin/go": "#!/bin/sh\n"} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "links"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../go/bin/go", filepath.Join(root, "links", "go")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, asked, want string }{
		{"go/bin", "", "go1.99.2"},
		{"go/bin", "local", "go1.99.2"},
		{"links", "auto", "go1.99.2"},
		{"go/bin", "go1.98.1+auto", "go1.98.1"},
		{"none/bin", "", runtime.Version()},
	} {
		t.Setenv("PATH", filepath.Join(root, tt.path))
		t.Setenv("GOTOOLCHAIN", tt.asked)
		if got := toolchainVersion(); got != tt.want {
			t.Errorf("go in %s, GOTOOLCHAIN=%s: %s, want %s", tt.path, tt.asked, got, tt.want)
		}
	}
}
