package gorelease

// go127 is Go 1.27: cmd/internal/goobj, cmd/internal/objabi, internal/abi and runtime/symtab.go of go1.27.3.
//
// Its modules have no list of types: the descriptors that reflection searches are at the beginning of
// the type section, and the runtime makes the list at the first request (package inside).
// The descriptor of a map type is longer. Object files differ only in a flag for go:linknamestd, after those used here.
var go127 = Release{Language: "go1.27", Toolchain: "go1.27.3", mapType: 136}
