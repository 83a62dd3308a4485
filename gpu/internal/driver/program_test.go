package driver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// nvcc works in a directory of its own, and the options name directories from the user's.
func TestProgramDirectories(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	in := []string{"-Iinc", "-I", "lib", "-I/usr/include", "-L", "lib", "-lm", "-DI=inc", "-isystem", "sys"}
	at := func(name string) string { return filepath.Join(dir, name) }
	want := []string{"-I" + at("inc"), "-I", at("lib"), "-I/usr/include", "-L", at("lib"), "-lm", "-DI=inc", "-isystem", at("sys")}
	if got := absoluteDirectories(in); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if in[0] != "-Iinc" {
		t.Error("the program's own options have changed")
	}
}

// What is kept of a program depends on all of its files and on what they include.
func TestProgramFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.h", "int a;")
	p := backend.Program{Name: "main.cu", Source: "int main() {}", More: []backend.Source{{Name: "other.cu", Text: "#include \"a.h\"\n"}}}
	seen := map[string]bool{}
	digest := func(what string) {
		t.Helper()
		d, known, err := includedFiles(p)
		if err != nil || !known || seen[d] {
			t.Errorf("%s: digest %q (seen before: %v), known %v, %v", what, d, seen[d], known, err)
		}
		seen[d] = true
	}
	digest("at first")
	write("a.h", "int b;")
	digest("an included file has changed")
	p.More[0].Text += "int c;\n"
	digest("the other file has changed")
	p.More[0].Name = "again.cu"
	digest("the other file has another name")
}
