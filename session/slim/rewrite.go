package slim

import (
	"slices"
	"strings"
)

// jump is the code of an emptied function, and of no other: JMP through its own entry in
// the global offset table. Redirect lets that mean the function of the loaded program.
var jump = []byte{0xff, 0x25, 0, 0, 0, 0}

const jumpOperand = 2 // offset in jump

// A symbol is what a rewritten object holds of one.
type symbol struct {
	relocs, aux, data []byte
	inlined           []byte // calls that have been inlined, if it describes a function
	kept              bool
	index             int // its new number within its block
}

// rewriteObject empties functions, and the other symbols that have holds, and leaves out
// what nothing refers to any more.
func rewriteObject(data []byte, have *Symbols) ([]byte, error) {
	o, err := parseObject(slices.Clone(data))
	if err != nil {
		return nil, err
	}
	symbols := o.empty(have)
	o.reach(symbols)
	return o.assemble(symbols), nil
}

// empty decides what is left of each symbol.
func (o *object) empty(have *Symbols) []symbol {
	symbols := make([]symbol, o.count(blockSymbols, blockRefFlags))
	defined := o.count(blockSymbols, blockNonPackageRefs)
	for i := range defined {
		s := &symbols[i]
		s.relocs = o.part(blockRelocIndex, blockRelocs, i, relocSize)
		s.data = o.part(blockDataIndex, blockData, i, 1)
		for aux := range slices.Chunk(o.part(blockAuxIndex, blockAux, i, auxSize), auxSize) {
			if aux[0] < auxDWARFFirst || aux[0] > auxDWARFLast { // cells are linked with -w
				s.aux = append(s.aux, aux...)
			}
		}
	}
	tables := map[byte][]byte{}
	for i := range defined {
		sym, s := o.symbol(i), &symbols[i]
		switch held := o.held(sym, have); {
		case isType(sym):
			if isNamedType(o.text(sym)) && have.has(exportedType(o.text(sym))) {
				emptyType(sym, s)
			}
		case isFunc(sym) && held:
			o.emptyFunc(symbols, i, tables)
		case isItab(sym) && !held:
			keepMethods(s)
		case isFunc(sym):
			if info := o.funcInfo(s); info >= 0 {
				data := symbols[info].data
				symbols[info].inlined = data[funcInfoFiles+4+4*int(order.Uint32(data[funcInfoFiles:]))+4:]
			}
		case held || symbolKind(sym) >= kindDWARFFirst && symbolKind(sym) <= kindDWARFLast:
			s.relocs = nil
		}
	}
	return symbols
}

func isFunc(sym []byte) bool { return symbolKind(sym) == kindText || symbolKind(sym) == kindFIPS }

// held says whether nothing needs what a symbol holds here.
func (o *object) held(sym []byte, have *Symbols) bool {
	name := o.text(sym)
	if name == "" || strings.HasPrefix(name, "type:") {
		return false
	}
	return have.has(name) || symbolABI(sym) == 0 && have.has(name+abi0) ||
		isFunc(sym) && symbolFlags(sym)&(flagLocal|flagDuplicate) == 0
}

// emptyFunc makes symbol i a jump. The linker wants tables of all functions; the empty
// ones share the first one's. They are right for the only place where a jump can be
// interrupted, its beginning.
func (o *object) emptyFunc(symbols []symbol, i int, tables map[byte][]byte) {
	s := &symbols[i]
	s.data = jump
	setSymbolSize(o.symbol(i), len(jump))
	s.relocs = make([]byte, relocSize)
	s.relocs[0], s.relocs[4], s.relocs[5] = jumpOperand, byte(len(jump)-jumpOperand), relocGOT
	o.refer(s.relocs[relocRef:], i)

	if info := o.funcInfo(s); info >= 0 {
		// The line where the function begins is asked for where it has been inlined. It
		// has no files and has nothing inlined itself.
		data := symbols[info].data
		symbols[info].data = append(data[:funcInfoFiles:funcInfoFiles], make([]byte, 8)...)
		setSymbolSize(o.symbol(info), len(symbols[info].data))
	}
	var needed []byte
	for aux := range slices.Chunk(s.aux, auxSize) {
		switch kind := aux[0]; kind {
		case auxFuncInfo:
			needed = append(needed, aux...)
		case auxPCSP, auxPCFile, auxPCLine:
			if tables[kind] == nil {
				tables[kind] = aux
			}
			needed = append(needed, tables[kind]...)
		}
	}
	s.aux = needed
}

// funcInfo returns the symbol that describes a function, or -1.
func (o *object) funcInfo(s *symbol) int {
	for aux := range slices.Chunk(s.aux, auxSize) {
		if aux[0] == auxFuncInfo {
			if i, ok := o.local(aux[auxRef:]); ok {
				return i
			}
		}
	}
	return -1
}

// refs calls f with all references to symbols that a symbol holds.
func (s *symbol) refs(f func(ref)) {
	for _, list := range []struct {
		elements []byte
		size, at int
	}{{s.relocs, relocSize, relocRef}, {s.aux, auxSize, auxRef}, {s.inlined, inlinedSize, inlinedRef}} {
		for i := list.at; i < len(list.elements); i += list.size {
			f(ref(list.elements[i : i+8 : i+8]))
		}
	}
}

// reach finds the symbols that are kept: those that other packages can refer to, and what
// they refer to.
func (o *object) reach(symbols []symbol) {
	var queue []int
	add := func(i int) {
		if !symbols[i].kept {
			symbols[i].kept = true
			queue = append(queue, i)
		}
	}
	for i := range o.named() {
		add(i)
	}
	for i := range o.count(blockNonPackage, blockNonPackageRefs) {
		add(o.count(blockSymbols, blockNonPackage) + i)
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		symbols[i].refs(func(r ref) {
			if to, ok := o.local(r); ok {
				add(to)
			}
		})
	}
}

// named is how many symbols other packages can refer to by number. What is without a name,
// such as the descriptions of functions, comes after those.
func (o *object) named() int {
	n := o.count(blockSymbols, blockHashed64)
	for n > 0 && order.Uint32(o.symbol(n-1)) == 0 {
		n--
	}
	return n
}

// assemble writes the object with what is kept.
func (o *object) assemble(symbols []symbol) []byte {
	o.renumber(symbols)
	made := map[int][]byte{blockRefNames: nil} // only for tools that list symbols
	i := 0
	for b := blockSymbols; b <= blockNonPackageRefs; b++ {
		made[b] = []byte{}
		for range o.count(b, b+1) {
			if s := &symbols[i]; s.kept {
				made[b] = append(made[b], o.symbol(i)...)
				switch b {
				case blockHashed64:
					made[blockHashes64] = append(made[blockHashes64], o.hash(blockHashes64, b, i)...)
				case blockHashed:
					made[blockHashes] = append(made[blockHashes], o.hash(blockHashes, b, i)...)
				}
				if b != blockNonPackageRefs {
					appendIndexes(made)
					made[blockRelocs] = append(made[blockRelocs], s.relocs...)
					made[blockAux] = append(made[blockAux], s.aux...)
					made[blockData] = append(made[blockData], s.data...)
				}
			}
			i++
		}
	}
	appendIndexes(made)

	out := slices.Clone(o.data[:o.offsets[blockImports]]) // the header and the strings
	for b := range blockEnd {
		order.PutUint32(out[offsetsAt+4*b:], uint32(len(out)))
		if content, ok := made[b]; ok {
			out = append(out, content...)
		} else {
			out = append(out, o.block(b)...)
		}
	}
	order.PutUint32(out[offsetsAt+4*blockEnd:], uint32(len(out)))
	return out
}

// appendIndexes says where the parts of the next symbol begin.
func appendIndexes(made map[int][]byte) {
	made[blockRelocIndex] = order.AppendUint32(made[blockRelocIndex], uint32(len(made[blockRelocs])/relocSize))
	made[blockAuxIndex] = order.AppendUint32(made[blockAuxIndex], uint32(len(made[blockAux])/auxSize))
	made[blockDataIndex] = order.AppendUint32(made[blockDataIndex], uint32(len(made[blockData])))
}

// hash is the digest of symbol i, which is one of block b.
func (o *object) hash(hashes, b, i int) []byte {
	all := o.block(hashes)
	size := len(all) / o.count(b, b+1)
	return all[(i-o.count(blockSymbols, b))*size:][:size]
}

// renumber counts the kept symbols of each block and mends the references to them.
func (o *object) renumber(symbols []symbol) {
	i := 0
	for _, span := range [][2]int{
		{blockSymbols, blockHashed64},
		{blockHashed64, blockHashed},
		{blockHashed, blockNonPackage},
		{blockNonPackage, blockRefFlags}, // defined and named ones are counted together
	} {
		n := 0
		for range o.count(span[0], span[1]) {
			if symbols[i].kept {
				symbols[i].index = n
				n++
			}
			i++
		}
	}
	for i := range symbols {
		if !symbols[i].kept {
			continue
		}
		symbols[i].refs(func(r ref) {
			if to, ok := o.local(r); ok {
				r.setIndex(symbols[to].index)
			}
		})
	}
}
