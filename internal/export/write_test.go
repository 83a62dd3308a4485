package export_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/export"
)

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "program")
	if err := export.CheckDir(dir, false); err != nil {
		t.Fatal(err)
	}
	first := &export.Program{Files: map[string][]byte{"main.go": []byte("1"), "cell1.cu": []byte("1"), "go.sum": []byte("1")}}
	if err := first.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := export.CheckDir(dir, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a folder with files: %v", err)
	}
	if err := export.CheckDir(dir, true); err != nil {
		t.Error(err)
	}
	if err := export.CheckDir(filepath.Join(dir, "main.go"), true); err == nil {
		t.Error("a file is no folder")
	}
	second := &export.Program{Files: map[string][]byte{"main.go": []byte("2")}}
	if err := second.Write(dir); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"main.go", "own.txt"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q: those of the earlier program have to go, and no others", names, want)
	}
}

func TestModuleName(t *testing.T) {
	for dir, want := range map[string]string{"lesson": "lesson", "/x/My Lesson": "my-lesson", "/": "notebook", "/x/übung": "bung", "a.b": "a-b"} {
		if got := export.ModuleName(dir); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

func TestPublished(t *testing.T) {
	for version, want := range map[string]bool{
		"v0.1.0": true, "v1.0.0-rc.1": true, "unknown": false, "(devel)": false, "v0.1.0-3-gabcdef": false, "v0.1.0-dirty": false, "v0.1.0+dirty": false,
	} {
		if got := export.Published(version); got != want {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
	}
}

func TestCheckReplace(t *testing.T) {
	if _, err := export.CheckReplace("../.."); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	if _, err := export.CheckReplace(dir); err == nil {
		t.Error("a folder without go.mod is accepted")
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := export.CheckReplace(dir); err == nil || !strings.Contains(err.Error(), "module other") {
		t.Errorf("another module: %v", err)
	}
}
