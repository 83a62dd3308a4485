package gorelease

// go126 is Go 1.26: cmd/internal/goobj, cmd/internal/objabi, internal/abi and runtime/symtab.go of go1.26.8.
var go126 = Release{Language: "go1.26", Toolchain: "go1.26.8", mapType: 112}
