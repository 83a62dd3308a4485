package goobj

// The layout of the files, as declared by cmd/internal/goobj/objfile.go. All numbers are little-endian.
const (
	// Magic is the beginning of an object. It changes with the layout.
	Magic = "\x00go120ld"

	OffsetsAt = len(Magic) + 8 + 4 // after a fingerprint and flags

	SymbolSize = 21
	RelocSize  = 23
	AuxSize    = 9

	// RelocWeak, in byte RelocWeakAt, is set if the symbol may be omitted.
	RelocWeak   = 1 << 7
	RelocWeakAt = 6

	// The offsets of references to symbols in the elements.
	RelocRef = 15
	AuxRef   = 1
)

// Blocks of an object file, in their order.
const (
	BlockImports = iota
	BlockPackages
	BlockFiles
	BlockSymbols // of the package; the next three continue its numbering
	BlockHashed64
	BlockHashed
	BlockNonPackage
	BlockNonPackageRefs
	BlockRefFlags
	BlockHashes64
	BlockHashes
	BlockRelocIndex
	BlockAuxIndex
	BlockDataIndex
	BlockRelocs
	BlockAux
	BlockData
	BlockRefNames
	BlockEnd
	Blocks
)

// RelocGOTPCRel is R_GOTPCREL of cmd/internal/objabi/reloctype.go: the relocation of an operand that is the distance
// to a symbol's entry in the global offset table.
const RelocGOTPCRel = 29

// RelocGOTPCRelARM64 is R_ARM64_GOTPCREL, from the same file: the relocation of two instructions that load from
// that entry.
const RelocGOTPCRelARM64 = 34

// Kinds of symbols, from cmd/internal/objabi/symkind.go: functions, those of the FIPS 140 module, and
// debug information.
const (
	SymbolKindText       = 1
	SymbolKindFIPS       = 2
	SymbolKindDWARFFirst = 12
	SymbolKindDWARFLast  = 21
)

// Flags of symbols.
const (
	SymbolDuplicate = 1 << 0 // other packages may have it, too
	SymbolLocal     = 1 << 1 // hidden from other files
	SymbolTypelink  = 1 << 2 // the descriptor of a type that reflection searches
	SymbolNoSplit   = 1 << 4 // a function that does not check its stack
	SymbolType      = 1 << 6 // a type descriptor

	Symbol2Itab = 1 << 1 // the methods of a type for an interface
)

// Kinds of auxiliary symbols.
const (
	AuxFuncInfo   = 1
	AuxDWARFFirst = 3
	AuxDWARFLast  = 6
	AuxPCSP       = 7
	AuxPCFile     = 8
	AuxPCLine     = 9
)

// The linker's data about a function are a symbol of its own: sixteen bytes, a list of files, and the
// calls that were inlined, with references to the functions.
const (
	FuncInfoFiles = 16
	InlinedSize   = 24
	InlinedRef    = 12
)

// A reference to a symbol is the index of its package and its own index there. These indexes have a
// special meaning.
const (
	PackageNone     = 1<<31 - 1 - iota // by name
	PackageHashed64                    // by a short digest of the content
	PackageHashed                      // by a digest of the content
	_                                  // symbols that the compiler numbers
	PackageSelf
)
