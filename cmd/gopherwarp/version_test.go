//go:build linux

package main

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	status, stdout, _ := runApp(t, "version")
	if want := "gopherwarp " + buildVersion() + "\n"; status != 0 || stdout != want {
		t.Errorf("version: status %d, printed %q, want %q", status, stdout, want)
	}
	status, stdout, _ = runApp(t, "version", "--json")
	var got versionReport
	if err := json.Unmarshal([]byte(stdout), &got); status != 0 || err != nil {
		t.Fatalf("version --json: status %d, %v, printed %q", status, err, stdout)
	}
	if got.Version != buildVersion() || got.Go != runtime.Version() || got.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("version --json: %+v", got)
	}
	language := runtime.Version()[:strings.LastIndexByte(runtime.Version(), '.')]
	if !slices.Contains(got.Cells, language) {
		t.Errorf("cells use %q, without %s, which these tests are built with", got.Cells, language)
	}
}
