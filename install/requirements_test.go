package install

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRequirementsHaveHashes checks the lists of Python packages: each package has one version and the hashes of its files.
func TestRequirementsHaveHashes(t *testing.T) {
	files, err := filepath.Glob("requirements*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d lists, %v", len(files), err)
	}
	pinned := regexp.MustCompile(`^[A-Za-z0-9._-]+==[^ ;]+`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packages := 0
		for _, entry := range strings.Split(strings.ReplaceAll(string(text), "\\\n", ""), "\n") {
			if entry == "" || entry[0] == '#' {
				continue
			}
			packages++
			if !pinned.MatchString(entry) || !strings.Contains(entry, "--hash=sha256:") {
				t.Errorf("%s: %.80q has no version or no digest: run make requirements", file, entry)
			}
		}
		if packages == 0 {
			t.Errorf("%s lists no package", file)
		}
	}
	script, err := os.ReadFile("venv.sh")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "--require-hashes") {
		t.Error("venv.sh installs packages without looking at their digests")
	}
}
