package gorelease

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Names that cmd/link gives, from cmd/link/internal/ld of the known releases.
const (
	// LocalPrefix begins the second name of a function in the object file that the linker writes, the one
	// by which that file refers to it (symtab.go, putelfsym).
	LocalPrefix = "local."
	// ABI0Suffix ends the names of functions that have two calling conventions, for the one that assembly language uses
	// (symtab.go, mangleABIName).
	ABI0Suffix = ".abi0"
	// PackageHashPrefix begins the name of a symbol for each package that a plugin or program holds parts of (lib.go).
	PackageHashPrefix = "go:link.pkghashbytes."
	// ProbeFile ends the name of the file that the linker has the C compiler compile to learn which flags it knows
	// (lib.go, linkerFlagSupported).
	ProbeFile = "/trivial.c"
	// ObjectFile is the name of the file that the linker gives to the C compiler (lib.go, hostlink).
	ObjectFile = "go.o"
	// FunctionTable is the section of that file that describes functions (pcln.go).
	FunctionTable = ".gopclntab"
)

// Where the header of a FunctionTable says that the functions' names begin, and what stands after them: both are
// counted from the header (runtime/symtab.go, pcHeader).
const (
	FuncNameOffset = 32
	CUOffset       = 40
)

// ExportedType returns the name by which the dynamic linker knows the description of a type, whose symbol
// is named "type:" and the type: the linker shortens it (lib.go, typeSymbolMangle).
func ExportedType(name string) string {
	const shortest = 14
	if len(name) <= shortest && !strings.Contains(name, "@") || strings.HasPrefix(name, "type:runtime.") {
		return name
	}
	sum := sha256.Sum256([]byte(strings.TrimPrefix(name, "type:")))
	sum[0] ^= 0xff // as cmd/internal/hash does
	return "type:" + base64.StdEncoding.EncodeToString(sum[:6])
}
