package gorelease

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Names that cmd/link generates, from cmd/link/internal/ld of the known releases.
const (
	// LocalPrefix is the prefix of the second name of a function in the object file that the linker writes, which references
	// within that file use (symtab.go, putelfsym).
	LocalPrefix = "local."
	// ABI0Suffix is the suffix of the names of functions with two calling conventions, for that of assembly language
	// (symtab.go, mangleABIName).
	ABI0Suffix = ".abi0"
	// PackageHashPrefix is the prefix of a symbol for each package that a plugin or program contains parts of (lib.go).
	PackageHashPrefix = "go:link.pkghashbytes."
	// ProbeFile is the end of the name of the file that the linker compiles to find out which flags the C compiler has
	// (lib.go, linkerFlagSupported).
	ProbeFile = "/trivial.c"
	// ObjectFile is the name of the file that the linker passes to the C compiler (lib.go, hostlink).
	ObjectFile = "go.o"
	// FunctionTable is the section of that file that describes functions (pcln.go).
	FunctionTable = ".gopclntab"
)

// The offsets in the header of a FunctionTable of the offset of the functions' names, and of that of the part after them. Both
// are relative to the header (runtime/symtab.go, pcHeader).
const (
	FuncNameOffset = 32
	CUOffset       = 40
)

// ExportedType returns the name that a type's descriptor has for the dynamic linker. Its symbol is "type:" and the
// type, which the linker shortens (lib.go, typeSymbolMangle).
func ExportedType(name string) string {
	const shortest = 14
	if len(name) <= shortest && !strings.Contains(name, "@") || strings.HasPrefix(name, "type:runtime.") {
		return name
	}
	sum := sha256.Sum256([]byte(strings.TrimPrefix(name, "type:")))
	sum[0] ^= 0xff // as cmd/internal/hash does
	return "type:" + base64.StdEncoding.EncodeToString(sum[:6])
}
