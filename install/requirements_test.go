package install

import (
	"encoding/json"
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

// TestPackageLock checks the list of the npm packages of the hub's proxy: each has one version and a digest.
func TestPackageLock(t *testing.T) {
	text, err := os.ReadFile("hub/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	if proxy := lock.Packages["node_modules/configurable-http-proxy"]; !strings.HasPrefix(proxy.Version, "5.") {
		t.Errorf("the proxy is %+v, want a release 5", proxy)
	}
	for name, p := range lock.Packages {
		if name != "" && (p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
			t.Errorf("%s has no version or no digest: run make requirements", name)
		}
	}
}
