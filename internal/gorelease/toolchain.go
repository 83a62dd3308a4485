package gorelease

import (
	_ "embed"
	"strings"
)

// toolchains has a line for each toolchain that is fetched: its version, operating system and architecture, and the checksum of its
// zip file in Go's checksum database. install/fetch-go.py reads it, too.
//
//go:embed toolchains.txt
var toolchains string

// Checksum returns the checksum of the module golang.org/toolchain with the release's toolchain for an operating system and
// architecture, in the form of go.sum. It is "" if no toolchain is fetched for these.
func (r Release) Checksum(goos, goarch string) string {
	for line := range strings.Lines(toolchains) {
		if rest, ok := strings.CutPrefix(line, r.Toolchain+" "+goos+"-"+goarch+" "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
