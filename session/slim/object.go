package slim

import (
	"encoding/binary"
	"errors"
)

// The layout of Go's object files, as cmd/internal/goobj declares it for objectMagic. All
// numbers are little endian.
const (
	objectMagic = "\x00go120ld"

	offsetsAt = len(objectMagic) + 8 + 4 // after a fingerprint and flags

	symbolSize = 21
	relocSize  = 23
	auxSize    = 9

	// relocGOT is the kind of relocation for a place that holds the distance to a symbol's
	// entry in the global offset table.
	relocGOT = 29

	// relocWeak, in byte relocWeakAt, is set if the symbol may be left out.
	relocWeak   = 1 << 7
	relocWeakAt = 6

	// Where the elements hold a reference to a symbol.
	relocRef = 15
	auxRef   = 1
)

// Blocks of an object file, in their order.
const (
	blockImports = iota
	blockPackages
	blockFiles
	blockSymbols // of the package; the next three go on counting
	blockHashed64
	blockHashed
	blockNonPackage
	blockNonPackageRefs
	blockRefFlags
	blockHashes64
	blockHashes
	blockRelocIndex
	blockAuxIndex
	blockDataIndex
	blockRelocs
	blockAux
	blockData
	blockRefNames
	blockEnd
	blocks
)

// Kinds of symbols, from cmd/internal/objabi: functions, those of the FIPS 140 module, and
// what debuggers read.
const (
	kindText       = 1
	kindFIPS       = 2
	kindDWARFFirst = 13
	kindDWARFLast  = 21
)

// Flags of symbols.
const (
	flagDuplicate = 1 << 0 // other packages may have it, too
	flagLocal     = 1 << 1 // hidden from other files
	flagTypelink  = 1 << 2 // the description of a type that reflection looks for
	flagType      = 1 << 6 // the description of a type

	flag2Itab = 1 << 1 // methods of a type as an interface has them
)

// Kinds of auxiliary symbols.
const (
	auxFuncInfo   = 1
	auxDWARFFirst = 3
	auxDWARFLast  = 6
	auxPCSP       = 7
	auxPCFile     = 8
	auxPCLine     = 9
)

// What the linker knows of a function is the data of a symbol of its own: sixteen bytes, a
// list of files, and the calls that have been inlined, with a reference to the function.
const (
	funcInfoFiles = 16
	inlinedSize   = 24
	inlinedRef    = 12
)

// A symbol is referred to by the index of its package and its own index there. These stand
// for packages.
const (
	packageNone     = 1<<31 - 1 - iota // by name
	packageHashed64                    // by a short digest of the content
	packageHashed                      // by a digest of the content
	_                                  // what the compiler knows by number
	packageSelf
)

var order = binary.LittleEndian

// An object is a parsed object file: its bytes, and where each block begins.
type object struct {
	data    []byte
	offsets [blocks]int
}

var errFormat = errors.New("the archive has an unknown format")

func parseObject(data []byte) (*object, error) {
	o := &object{data: data}
	if len(data) < offsetsAt+4*blocks {
		return nil, errFormat
	}
	for i := range o.offsets {
		o.offsets[i] = int(order.Uint32(data[offsetsAt+4*i:]))
		if o.offsets[i] > len(data) || i > 0 && o.offsets[i] < o.offsets[i-1] {
			return nil, errFormat
		}
	}
	n := o.count(blockSymbols, blockNonPackageRefs)
	for _, b := range []int{blockRelocIndex, blockAuxIndex, blockDataIndex} {
		if len(o.block(b)) != 4*(n+1) {
			return nil, errFormat
		}
	}
	return o, nil
}

func (o *object) block(b int) []byte { return o.data[o.offsets[b]:o.offsets[b+1]] }

// count is the number of symbols in the blocks from first up to before.
func (o *object) count(first, before int) int {
	return (o.offsets[before] - o.offsets[first]) / symbolSize
}

// symbol returns the definition of symbol i; i goes on behind those that the object
// defines, to those that it refers to by name.
func (o *object) symbol(i int) []byte {
	return o.data[o.offsets[blockSymbols]+i*symbolSize:][:symbolSize]
}

func symbolABI(sym []byte) uint16 { return order.Uint16(sym[8:]) }
func symbolKind(sym []byte) byte  { return sym[10] }
func symbolFlags(sym []byte) byte { return sym[11] }

func isType(sym []byte) bool { return symbolFlags(sym)&flagType != 0 }
func isItab(sym []byte) bool { return sym[12]&flag2Itab != 0 }

func setSymbolFlags(sym []byte, flags byte) { sym[11] = flags }

func setSymbolSize(sym []byte, n int) { order.PutUint32(sym[13:], uint32(n)) }

// text reads a reference to a string.
func (o *object) text(ref []byte) string {
	n, at := order.Uint32(ref), order.Uint32(ref[4:])
	return string(o.data[at : at+n])
}

// part returns the elements of symbol i in a block that has an index.
func (o *object) part(index, block, i, size int) []byte {
	x := o.block(index)[4*i:]
	return o.block(block)[int(order.Uint32(x))*size : int(order.Uint32(x[4:]))*size]
}

// A ref is a reference to a symbol: eight bytes inside an element of a block.
type ref []byte

func (r ref) pkg() uint32           { return order.Uint32(r) }
func (r ref) index() int            { return int(order.Uint32(r[4:])) }
func (r ref) set(pkg uint32, i int) { order.PutUint32(r, pkg); r.setIndex(i) }
func (r ref) setIndex(i int)        { order.PutUint32(r[4:], uint32(i)) }

// refer sets a reference to symbol i of those that the object defines.
func (o *object) refer(r ref, i int) {
	for _, b := range []struct {
		block int
		pkg   uint32
	}{{blockNonPackage, packageNone}, {blockHashed, packageHashed}, {blockHashed64, packageHashed64}, {blockSymbols, packageSelf}} {
		if first := o.count(blockSymbols, b.block); i >= first {
			r.set(b.pkg, i-first)
			return
		}
	}
}

// local returns which of the object's symbols, or of those that it names, is referred to.
func (o *object) local(r ref) (i int, ok bool) {
	switch r.pkg() {
	case packageSelf:
		return r.index(), true
	case packageHashed64:
		return o.count(blockSymbols, blockHashed64) + r.index(), true
	case packageHashed:
		return o.count(blockSymbols, blockHashed) + r.index(), true
	case packageNone:
		return o.count(blockSymbols, blockNonPackage) + r.index(), true
	}
	return 0, false
}
