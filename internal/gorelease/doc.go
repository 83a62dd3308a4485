// Package gorelease holds the internals of Go's releases that this program relies on: what the
// compiler and linker write and what the runtime reads, which may change with each release.
//
// go126.go, go127.go   facts of one release
// release.go           the list of releases
// types.go             type descriptors, which all of them share
// linker.go            names that the linker generates
// toolchain.go         the toolchains that are fetched, and their checksums
//
// Package goobj has the format of object files. Package inside has what only the session program can use, as it
// accesses variables and functions of the runtime by go:linkname. Names that Go promises to keep for that, such as
// runtime.cgocall, are used directly where they are needed.
//
// Each fact names the file of Go's sources that it is from, and the tests compare it with that file of the running Go.
// To add a release: copy the newest file here and in package inside, add it to the list, add the checksums of its
// toolchains, and run "make test-release GO_RELEASE=go1.28.0".
package gorelease
