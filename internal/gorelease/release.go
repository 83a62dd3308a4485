package gorelease

import (
	"bytes"
	"go/version"
)

// A Release is a minor release of Go with all its patches.
type Release struct {
	// Language is the language version, which also names the release: "go1.27".
	Language string
	// Toolchain is the patch release that is fetched if there is no known Go: "go1.27.3".
	Toolchain string

	mapType uintptr // size of abi.MapType, of internal/abi/map.go
}

// Known returns the releases that cells can be compiled with, the oldest first.
func Known() []Release { return []Release{go126, go127} }

// Newest returns the newest known release.
func Newest() Release {
	known := Known()
	return known[len(known)-1]
}

// Find returns the release of a Go version such as "go1.27.3", or "go1.27.3 X:jsonv2" as printed by
// "go env GOVERSION". Prereleases and versions between releases are not known.
func Find(goversion string) (r Release, ok bool) {
	bare, _, _ := bytes.Cut([]byte(goversion), []byte(" "))
	v := string(bare)
	for _, r := range Known() {
		if version.Lang(v) == r.Language && version.Compare(v, r.Language+".0") >= 0 {
			return r, true
		}
	}
	return Release{}, false
}
