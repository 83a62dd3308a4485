package slim

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// A symbol is the data of a symbol in a rewritten object.
type symbol struct {
	relocs, aux, data []byte
	inlined           []byte // calls that were inlined, if it describes a function
	kept              bool
	index             int // its new index within its block
}

// rewriteObject empties functions, and the other symbols that are in have, and omits symbols
// without references. Of a package that is fresh, it empties no functions that are not in have.
func rewriteObject(data []byte, p *processor, have *Symbols, fresh bool) ([]byte, error) {
	o, err := parseObject(slices.Clone(data))
	if err != nil {
		return nil, err
	}
	symbols, ok := o.empty(p, have, fresh)
	if !ok && fresh {
		return keepAllMethods(data)
	}
	if !ok {
		return data, nil
	}
	o.reach(symbols)
	return o.assemble(symbols), nil
}

// empty determines the remaining data of each symbol. ok reports whether functions can be emptied, which is
// not the case in objects of one or two assembly functions.
func (o *object) empty(p *processor, have *Symbols, fresh bool) (symbols []symbol, ok bool) {
	symbols = make([]symbol, o.count(goobj.BlockSymbols, goobj.BlockRefFlags))
	defined := o.count(goobj.BlockSymbols, goobj.BlockNonPackageRefs)
	for i := range defined {
		s := &symbols[i]
		s.relocs = o.part(goobj.BlockRelocIndex, goobj.BlockRelocs, i, goobj.RelocSize)
		s.data = o.part(goobj.BlockDataIndex, goobj.BlockData, i, 1)
		for aux := range slices.Chunk(o.part(goobj.BlockAuxIndex, goobj.BlockAux, i, goobj.AuxSize), goobj.AuxSize) {
			if aux[0] < goobj.AuxDWARFFirst || aux[0] > goobj.AuxDWARFLast { // cells are linked with -w
				s.aux = append(s.aux, aux...)
			}
		}
	}
	tables := o.jumpTables(p, symbols[:defined])
	for i := range defined {
		sym, s := o.symbol(i), &symbols[i]
		switch held := o.held(sym, have, fresh); {
		case isType(sym):
			if isNamedType(o.text(sym)) && have.has(gorelease.ExportedType(o.text(sym))) {
				emptyType(sym, s)
			}
		case isFunc(sym) && held && !o.hashed(i):
			if tables == nil {
				return nil, false
			}
			o.emptyFunc(p, symbols, i, tables)
		case isItab(sym):
			keepMethods(s) // also in held symbols, which the runtime may read in the plugin
		case isFunc(sym):
			if info := o.funcInfo(s); info >= 0 {
				data := symbols[info].data
				symbols[info].inlined = data[goobj.FuncInfoFiles+4+4*int(order.Uint32(data[goobj.FuncInfoFiles:]))+4:]
			}
		case held || symbolKind(sym) >= goobj.SymbolKindDWARFFirst && symbolKind(sym) <= goobj.SymbolKindDWARFLast:
			s.relocs = nil
		}
	}
	return symbols, true
}

// jumpTables returns the references to the tables of a function that are right for a jump, by kind:
// the linker requires tables of all functions, and the empty ones share these. It returns nil if
// there are none.
func (o *object) jumpTables(p *processor, symbols []symbol) map[byte][]byte {
	for i := range symbols {
		if !isFunc(o.symbol(i)) {
			continue
		}
		tables := map[byte][]byte{}
		for aux := range slices.Chunk(symbols[i].aux, goobj.AuxSize) {
			tables[aux[0]] = aux
		}
		if stack, ok := tables[goobj.AuxPCSP]; ok && tables[goobj.AuxPCFile] != nil && tables[goobj.AuxPCLine] != nil {
			if at, ok := o.local(stack[goobj.AuxRef:]); ok && p.fits(symbols[at].data) {
				return tables
			}
		}
	}
	return nil
}

func isFunc(sym []byte) bool {
	return symbolKind(sym) == goobj.SymbolKindText || symbolKind(sym) == goobj.SymbolKindFIPS
}

// hashed reports whether symbol i is identified by its content. Such functions, for example closures since Go 1.27, are
// hidden from other files, which may have others of the same name.
func (o *object) hashed(i int) bool {
	return i >= o.count(goobj.BlockSymbols, goobj.BlockHashed64) && i < o.count(goobj.BlockSymbols, goobj.BlockNonPackage)
}

// held reports whether nothing needs the data of a symbol in this object.
func (o *object) held(sym []byte, have *Symbols, fresh bool) bool {
	name := o.text(sym)
	if name == "" || strings.HasPrefix(name, "type:") {
		return false
	}
	return have.has(name) || symbolABI(sym) == 0 && have.has(name+gorelease.ABI0Suffix) ||
		!fresh && isFunc(sym) && symbolFlags(sym)&(goobj.SymbolLocal|goobj.SymbolDuplicate) == 0
}

// emptyFunc makes symbol i a jump.
func (o *object) emptyFunc(p *processor, symbols []symbol, i int, tables map[byte][]byte) {
	s := &symbols[i]
	s.data = p.jump
	setSymbolSize(o.symbol(i), len(p.jump))
	// The linker adds up the stack of functions that do not check it, by tables that are now another function's.
	setSymbolFlags(o.symbol(i), symbolFlags(o.symbol(i))&^goobj.SymbolNoSplit)
	s.relocs = make([]byte, goobj.RelocSize)
	s.relocs[0], s.relocs[4], s.relocs[5] = p.operand, p.operandSize, p.reloc
	o.refer(s.relocs[goobj.RelocRef:], i)

	if info := o.funcInfo(s); info >= 0 {
		// The first line of a function is used where it has been inlined. An emptied function
		// has no files and no inlined calls.
		data := symbols[info].data
		symbols[info].data = append(data[:goobj.FuncInfoFiles:goobj.FuncInfoFiles], make([]byte, 8)...)
		setSymbolSize(o.symbol(info), len(symbols[info].data))
	}
	var needed []byte
	for aux := range slices.Chunk(s.aux, goobj.AuxSize) {
		switch kind := aux[0]; kind {
		case goobj.AuxFuncInfo:
			needed = append(needed, aux...)
		case goobj.AuxPCSP, goobj.AuxPCFile, goobj.AuxPCLine:
			needed = append(needed, tables[kind]...)
		}
	}
	s.aux = needed
}

// funcInfo returns the index of the symbol that describes a function, or -1.
func (o *object) funcInfo(s *symbol) int {
	for aux := range slices.Chunk(s.aux, goobj.AuxSize) {
		if aux[0] == goobj.AuxFuncInfo {
			if i, ok := o.local(aux[goobj.AuxRef:]); ok {
				return i
			}
		}
	}
	return -1
}

// refs calls f with all references of a symbol to symbols.
func (s *symbol) refs(f func(ref)) {
	for _, list := range []struct {
		elements []byte
		size, at int
	}{{s.relocs, goobj.RelocSize, goobj.RelocRef}, {s.aux, goobj.AuxSize, goobj.AuxRef}, {s.inlined, goobj.InlinedSize, goobj.InlinedRef}} {
		for i := list.at; i < len(list.elements); i += list.size {
			f(ref(list.elements[i : i+8 : i+8]))
		}
	}
}

// reach determines the symbols to keep: those that other packages can refer to, and those that
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
	for i := range o.count(goobj.BlockNonPackage, goobj.BlockNonPackageRefs) {
		add(o.count(goobj.BlockSymbols, goobj.BlockNonPackage) + i)
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

// named returns the number of symbols that other packages can refer to by number. Symbols without a
// name, such as the descriptions of functions, follow those.
func (o *object) named() int {
	n := o.count(goobj.BlockSymbols, goobj.BlockHashed64)
	for n > 0 && order.Uint32(o.symbol(n-1)) == 0 {
		n--
	}
	return n
}

// assemble returns the object with the kept symbols.
func (o *object) assemble(symbols []symbol) []byte {
	o.renumber(symbols)
	made := map[int][]byte{goobj.BlockRefNames: nil} // only needed by tools that list symbols
	i := 0
	for b := goobj.BlockSymbols; b <= goobj.BlockNonPackageRefs; b++ {
		made[b] = []byte{}
		for range o.count(b, b+1) {
			if s := &symbols[i]; s.kept {
				made[b] = append(made[b], o.symbol(i)...)
				switch b {
				case goobj.BlockHashed64:
					made[goobj.BlockHashes64] = append(made[goobj.BlockHashes64], o.hash(goobj.BlockHashes64, b, i)...)
				case goobj.BlockHashed:
					made[goobj.BlockHashes] = append(made[goobj.BlockHashes], o.hash(goobj.BlockHashes, b, i)...)
				}
				if b != goobj.BlockNonPackageRefs {
					appendIndexes(made)
					made[goobj.BlockRelocs] = append(made[goobj.BlockRelocs], s.relocs...)
					made[goobj.BlockAux] = append(made[goobj.BlockAux], s.aux...)
					made[goobj.BlockData] = append(made[goobj.BlockData], s.data...)
				}
			}
			i++
		}
	}
	appendIndexes(made)

	out := slices.Clone(o.data[:o.offsets[goobj.BlockImports]]) // the header and the strings
	for b := range goobj.BlockEnd {
		order.PutUint32(out[goobj.OffsetsAt+4*b:], uint32(len(out)))
		if content, ok := made[b]; ok {
			out = append(out, content...)
		} else {
			out = append(out, o.block(b)...)
		}
	}
	order.PutUint32(out[goobj.OffsetsAt+4*goobj.BlockEnd:], uint32(len(out)))
	return out
}

// appendIndexes appends the offsets of the parts of the next symbol.
func appendIndexes(made map[int][]byte) {
	made[goobj.BlockRelocIndex] = order.AppendUint32(made[goobj.BlockRelocIndex], uint32(len(made[goobj.BlockRelocs])/goobj.RelocSize))
	made[goobj.BlockAuxIndex] = order.AppendUint32(made[goobj.BlockAuxIndex], uint32(len(made[goobj.BlockAux])/goobj.AuxSize))
	made[goobj.BlockDataIndex] = order.AppendUint32(made[goobj.BlockDataIndex], uint32(len(made[goobj.BlockData])))
}

// hash returns the digest of symbol i, which is in block b.
func (o *object) hash(hashes, b, i int) []byte {
	all := o.block(hashes)
	size := len(all) / o.count(b, b+1)
	return all[(i-o.count(goobj.BlockSymbols, b))*size:][:size]
}

// renumber numbers the kept symbols of each block and updates the references to them.
func (o *object) renumber(symbols []symbol) {
	i := 0
	for _, span := range [][2]int{
		{goobj.BlockSymbols, goobj.BlockHashed64},
		{goobj.BlockHashed64, goobj.BlockHashed},
		{goobj.BlockHashed, goobj.BlockNonPackage},
		{goobj.BlockNonPackage, goobj.BlockRefFlags}, // defined and named ones share one sequence of numbers
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
