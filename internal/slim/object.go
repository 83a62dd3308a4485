package slim

import (
	"encoding/binary"
	"errors"

	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

var order = binary.LittleEndian

// An object is a parsed object file: its bytes, and the offset of each block.
type object struct {
	data    []byte
	offsets [goobj.Blocks]int
}

var errFormat = errors.New("the archive has an unknown format")

func parseObject(data []byte) (*object, error) {
	o := &object{data: data}
	if len(data) < goobj.OffsetsAt+4*goobj.Blocks {
		return nil, errFormat
	}
	for i := range o.offsets {
		o.offsets[i] = int(order.Uint32(data[goobj.OffsetsAt+4*i:]))
		if o.offsets[i] > len(data) || i > 0 && o.offsets[i] < o.offsets[i-1] {
			return nil, errFormat
		}
	}
	n := o.count(goobj.BlockSymbols, goobj.BlockNonPackageRefs)
	for _, b := range []int{goobj.BlockRelocIndex, goobj.BlockAuxIndex, goobj.BlockDataIndex} {
		if len(o.block(b)) != 4*(n+1) {
			return nil, errFormat
		}
	}
	return o, nil
}

func (o *object) block(b int) []byte { return o.data[o.offsets[b]:o.offsets[b+1]] }

// count returns the number of symbols in the blocks from first up to before.
func (o *object) count(first, before int) int {
	return (o.offsets[before] - o.offsets[first]) / goobj.SymbolSize
}

// symbol returns the definition of symbol i. The symbols that the object refers to by name follow
// those that it defines.
func (o *object) symbol(i int) []byte {
	return o.data[o.offsets[goobj.BlockSymbols]+i*goobj.SymbolSize:][:goobj.SymbolSize]
}

func symbolABI(sym []byte) uint16 { return order.Uint16(sym[8:]) }
func symbolKind(sym []byte) byte  { return sym[10] }
func symbolFlags(sym []byte) byte { return sym[11] }

func isType(sym []byte) bool { return symbolFlags(sym)&goobj.SymbolType != 0 }
func isItab(sym []byte) bool { return sym[12]&goobj.Symbol2Itab != 0 }

func setSymbolFlags(sym []byte, flags byte) { sym[11] = flags }

func setSymbolSize(sym []byte, n int) { order.PutUint32(sym[13:], uint32(n)) }

// text returns the string of a reference.
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

// refer makes r a reference to the object's symbol i.
func (o *object) refer(r ref, i int) {
	for _, b := range []struct {
		block int
		pkg   uint32
	}{{goobj.BlockNonPackage, goobj.PackageNone}, {goobj.BlockHashed, goobj.PackageHashed}, {goobj.BlockHashed64, goobj.PackageHashed64}, {goobj.BlockSymbols, goobj.PackageSelf}} {
		if first := o.count(goobj.BlockSymbols, b.block); i >= first {
			r.set(b.pkg, i-first)
			return
		}
	}
}

// local returns the index of the symbol that r refers to, if the object defines or names it.
func (o *object) local(r ref) (i int, ok bool) {
	switch r.pkg() {
	case goobj.PackageSelf:
		return r.index(), true
	case goobj.PackageHashed64:
		return o.count(goobj.BlockSymbols, goobj.BlockHashed64) + r.index(), true
	case goobj.PackageHashed:
		return o.count(goobj.BlockSymbols, goobj.BlockHashed) + r.index(), true
	case goobj.PackageNone:
		return o.count(goobj.BlockSymbols, goobj.BlockNonPackage) + r.index(), true
	}
	return 0, false
}
