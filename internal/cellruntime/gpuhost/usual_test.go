package gpuhost

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUsual looks for the exported functions of package nd in usual.go.
func TestUsual(t *testing.T) {
	list, err := os.ReadFile("usual.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../gpu/nd/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of package nd: %v", err)
	}
	declared := regexp.MustCompile(`(?m)^func ([A-Z]\w*)[\[(]`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			name := string(m[1])
			if name != "Translated" && !regexp.MustCompile(`\bnd\.`+name+`\b`).Match(list) { // Translated has any function as its type
				t.Errorf("usual has no nd.%s: add it, so that the first cell with it is linked once", name)
			}
		}
	}
}
