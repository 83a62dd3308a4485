package gorelease_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

func TestFind(t *testing.T) {
	for version, want := range map[string]string{
		"go1.26.0":              "go1.26",
		"go1.26.8":              "go1.26",
		"go1.27.3":              "go1.27",
		"go1.27.30":             "go1.27",
		"go1.27.3 X:jsonv2":     "go1.27",
		"go1.25.9":              "",
		"go1.28.0":              "",
		"go1.28rc1":             "",
		"go1.27rc2":             "",
		"devel go1.28-abcdef":   "",
		"go1.28-devel_0123abcd": "",
		"":                      "",
	} {
		r, ok := gorelease.Find(version)
		if ok != (want != "") || r.Language != want {
			t.Errorf("Find(%q) = %q, %v, want %q", version, r.Language, ok, want)
		}
	}
}

func TestKnown(t *testing.T) {
	for _, r := range gorelease.Known() {
		if found, ok := gorelease.Find(r.Toolchain); !ok || found != r {
			t.Errorf("the toolchain %s of %s is taken for %v", r.Toolchain, r.Language, found)
		}
	}
	if gorelease.Newest().Language != "go1.27" {
		t.Errorf("the newest release is %v", gorelease.Newest())
	}
}
