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

// TestMakefile tests that the tests which the Makefile names by ^Test(A|B)$$ are there.
func TestMakefile(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for variable, dir := range map[string]string{"GENERATED": "gpu/nd", "ENDURANCE": "test/e2e", "E2E_CORE": "test/e2e", "RELEASE_FREE": "internal/session"} {
		list := regexp.MustCompile(`(?m)^` + variable + ` := \^Test\(([\w|]+)\)\$\$$`).FindSubmatch(text)
		if list == nil {
			t.Errorf("%s does not have the form ^Test(A|B)$$", variable)
			continue
		}
		have := map[string]bool{}
		files, _ := filepath.Glob(dir + "/*_test.go")
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range regexp.MustCompile(`(?m)^func Test(\w+)\(`).FindAllSubmatch(source, -1) {
				have[string(f[1])] = true
			}
		}
		for name := range strings.SplitSeq(string(list[1]), "|") {
			if !have[name] {
				t.Errorf("%s names Test%s, which %s does not have", variable, name, dir)
			}
		}
	}
}
