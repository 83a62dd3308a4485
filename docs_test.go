package gopherwarp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Variables that are between the project's own processes, or of its tests and builds.
var internalVariables = []string{
	"GOPHERWARP_SESSION_", "GOPHERWARP_SERVES", "GOPHERWARP_BACKENDTEST_", "GOPHERWARP_NEED_", "GOPHERWARP_TEST_",
}

// TestEnvironment compares docs/environment.md with the variables that the code reads.
func TestEnvironment(t *testing.T) {
	text, err := os.ReadFile("docs/environment.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(GOPHERWARP_[A-Z_]+)`")
	var listed []string
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
	}
	literal := regexp.MustCompile(`"(GOPHERWARP_[A-Z_]+)"`)
	read := map[string]string{} // variables, with a file that names them
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (d.Name()[0] == '.' || slices.Contains([]string{"test", "testdata", "bench", "dist"}, d.Name())):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range literal.FindAllStringSubmatch(string(source), -1) {
			if !slices.ContainsFunc(internalVariables, func(prefix string) bool { return strings.HasPrefix(m[1], prefix) }) {
				read[m[1]] = path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range read {
		if !slices.Contains(listed, name) {
			t.Errorf("%s has %s, which docs/environment.md does not list", path, name)
		}
	}
	for _, name := range listed {
		if read[name] == "" {
			t.Errorf("docs/environment.md lists %s, which no code has", name)
		}
	}
}
