// Package gorelease holds what this program knows of the insides of Go's releases: what the
// compiler and linker write and what the runtime reads, which no release promises to the next.
//
//	go126.go, go127.go   what is true of one release
//	release.go           the list of them
//	object.go            object files, which the releases so far share
//	types.go             descriptions of types, likewise
//	linker.go            names that the linker gives
//	toolchain.go         the toolchains that are fetched, and their checksums
//
// Package inside has what only the session program can use, as it takes variables and functions of the
// runtime by go:linkname. Names that Go promises to keep for that, such as runtime.cgocall, are
// used where they are needed, and are no matter of these packages.
//
// Each fact names the file of Go's sources that it was read from, and the tests compare it with that
// file of the Go that runs them. To add a release: copy the newest file here and in package inside, add it to the
// list, add the checksums of its toolchains, and run "make test-release GO_RELEASE=go1.28.0".
package gorelease
