package gorelease

// go127 is Go 1.27: cmd/internal/goobj, cmd/internal/objabi, internal/abi and runtime/symtab.go of go1.27.3.
//
// Its modules have no list of types any more: the descriptions that reflection looks for stand first in
// the section of types, and the runtime makes the list when it is asked (package inside).
// The description of a map type is longer. Object files differ only in a flag for go:linknamestd, behind those that matter here.
var go127 = Release{Language: "go1.27", Toolchain: "go1.27.3", mapType: 136}
