package host

import (
	"bytes"
	"fmt"
	"runtime"
	"syscall"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// Names that are unexported in a cell must be visible to the packages of later cells, so package
// session prefixes them with the rare capital Ͼ. Programs must not see it: fmt's %+v and %T,
// encoding/json and reflect read the names from type metadata. restoreNames removes the rune
// there.
//
// Names that are shared can only be shortened in place: type strings, package paths and method
// names. Names of fields must also become unexported, so each field gets its own name.
//
// The runtime also matches an unexported method by the name of its package. That is main for all
// cells, once the paths are shortened.

// kept references the names allocated here: the garbage collector does not scan the metadata that points to them.
var kept [][]byte

var mainPath = []byte("\x00\x04main")

// restoreNames removes the prefix from the metadata of all types of a module.
func restoreNames(m Module) error {
	from, to := m.TypeArea()
	release, ok := gorelease.Find(runtime.Version())
	if !ok {
		return fmt.Errorf("%s is not known", runtime.Version())
	}
	r := renamer{release: release, base: from, end: to}
	listFrom, listTo := m.List()
	areas := [][2]uintptr{{from, to}, {listFrom, listTo}}
	funcs := m.FuncNames()
	if !funcname.Changed(funcs) {
		funcs = nil // package ld has already restored them
	}
	areas = append(areas, extent(unsafe.SliceData(funcs), len(funcs)))
	undo, err := writable(areas...)
	if err != nil {
		return err
	}
	defer undo()
	funcname.Restore(funcs)
	for _, t := range m.Types() {
		r.restore(t)
	}
	// The list is searched by string, so it must be sorted again.
	m.SortTypes(func(a, b *gorelease.Type) int { return bytes.Compare(r.typeString(a), r.typeString(b)) })
	return nil
}

type renamer struct {
	release   gorelease.Release
	base, end uintptr
}

func (r renamer) at(off int32) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(nil), r.base+uintptr(off))
}

func (r renamer) nameAt(off int32) []byte {
	_, data := nameData((*byte)(r.at(off)))
	return data
}

// typeString returns the string of a type, as reflection does.
func (r renamer) typeString(t *gorelease.Type) []byte {
	s := r.nameAt(t.Str)
	if t.TFlag&gorelease.TFlagExtraStar != 0 { // it shares the string of the pointer type
		s = s[1:]
	}
	return s
}

func (r renamer) restore(t *gorelease.Type) {
	r.shorten(t.Str)
	switch t.Kind & gorelease.KindMask {
	case gorelease.KindStruct:
		r.restoreStruct((*gorelease.StructType)(unsafe.Pointer(t)))
	case gorelease.KindInterface:
		// The copy of a type that another module has, too, points to that module's lists,
		// which are already restored and whose offsets have another base.
		i := (*gorelease.InterfaceType)(unsafe.Pointer(t))
		if r.holds(unsafe.Pointer(unsafe.SliceData(i.Methods))) {
			for _, method := range i.Methods {
				if r.hide(method.Name) && isCellPath(i.PkgPath) {
					i.PkgPath = &mainPath[0]
				}
			}
		}
	}
	if t.TFlag&gorelease.TFlagUncommon == 0 {
		return
	}
	u := (*gorelease.Uncommon)(unsafe.Add(unsafe.Pointer(t), r.release.UncommonOffset(t.Kind)))
	if u.PkgPath != 0 && bytes.HasPrefix(r.nameAt(u.PkgPath), []byte(funcname.CellPath)) {
		setName((*byte)(r.at(u.PkgPath)), []byte("main"))
	}
	methods := unsafe.Slice((*gorelease.Method)(unsafe.Add(unsafe.Pointer(u), u.Moff)), u.Mcount)
	var exported uint16
	for _, method := range methods {
		r.hide(method.Name)
		if isExported(r.nameAt(method.Name)) {
			exported++
		}
	}
	u.Xcount = min(u.Xcount, exported)
}

// holds reports whether p is in the module's types.
func (r renamer) holds(p unsafe.Pointer) bool { return r.base <= uintptr(p) && uintptr(p) < r.end }

func (r renamer) restoreStruct(t *gorelease.StructType) {
	if !r.holds(unsafe.Pointer(unsafe.SliceData(t.Fields))) {
		return
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		flags, name := nameData(f.Name)
		name, hidden := bytes.CutPrefix(name, []byte(funcname.Prefix))
		if hidden {
			f.Name = newName(name, tagOf(f.Name), flags&^gorelease.NameExported)
		}
		// A name shared with a method may already be restored.
		if t.PkgPath == nil && (hidden || flags&gorelease.NameExported == 0) {
			t.PkgPath = &mainPath[0]
		}
	}
}

// shorten removes all prefixes in the name at off, in place, and the cells' numbers in the names of
// instances of generic types.
func (r renamer) shorten(off int32) {
	if off == 0 {
		return
	}
	p := (*byte)(r.at(off))
	if _, data := nameData(p); bytes.Contains(data, []byte(funcname.Prefix)) || bytes.Contains(data, []byte(funcname.CellPath)) {
		setName(p, []byte(funcname.Written(string(data))))
	}
}

// hide restores the name of a method and makes it unexported. It reports whether the name is
// unexported.
func (r renamer) hide(off int32) bool {
	p := (*byte)(r.at(off))
	if _, data := nameData(p); bytes.HasPrefix(data, []byte(funcname.Prefix)) {
		*p &^= gorelease.NameExported
	}
	r.shorten(off)
	return *p&gorelease.NameExported == 0
}

// isCellPath reports whether a package path, as metadata has it, is that of a cell, or missing.
func isCellPath(p *byte) bool {
	if p == nil {
		return true
	}
	_, path := nameData(p)
	return bytes.HasPrefix(path, []byte(funcname.CellPath))
}

func isExported(name []byte) bool {
	c, _ := utf8.DecodeRune(name)
	return unicode.IsUpper(c)
}

// nameData splits an encoded name: a byte of flags, the length as a varint, the bytes.
func nameData(p *byte) (flags byte, data []byte) {
	n, size := varint(p, 1)
	return *p, unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), 1+size)), n)
}

func varint(p *byte, off int) (n, size int) {
	for {
		b := *(*byte)(unsafe.Add(unsafe.Pointer(p), off+size))
		n |= int(b&0x7f) << (7 * size)
		size++
		if b&0x80 == 0 {
			return n, size
		}
	}
}

// setName replaces a name by one that is not longer. The length keeps its number of bytes. There
// is no tag that would have to move: only names of fields have tags, and those are not changed in
// place.
func setName(p *byte, name []byte) {
	old, size := varint(p, 1)
	if len(name) > old {
		panic(fmt.Sprintf("name %q is longer than the one it replaces", name))
	}
	all := unsafe.Slice(p, 1+size+old)
	n := len(name)
	for i := range size {
		all[1+i] = byte(n>>(7*i)) & 0x7f
		if i < size-1 {
			all[1+i] |= 0x80
		}
	}
	copy(all[1+size:], name)
}

func tagOf(p *byte) []byte {
	if *p&gorelease.NameTag == 0 {
		return nil
	}
	n, size := varint(p, 1)
	tag, tagSize := varint(p, 1+size+n)
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), 1+size+n+tagSize)), tag)
}

func newName(name, tag []byte, flags byte) *byte {
	b := append(appendVarint([]byte{flags &^ gorelease.NamePkgPath}, len(name)), name...)
	if tag != nil {
		b = append(appendVarint(b, len(tag)), tag...)
	}
	kept = append(kept, b)
	return &b[0]
}

func appendVarint(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// extent returns the address range of n values beginning at p.
func extent[T any](p *T, n int) [2]uintptr {
	return [2]uintptr{uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(p)) + uintptr(n)*unsafe.Sizeof(*p)}
}

// writable makes the pages of memory ranges writable until undo is called.
func writable(areas ...[2]uintptr) (undo func(), err error) {
	var changed []mapping
	undo = func() {
		for _, m := range changed {
			_ = syscall.Mprotect(m.bytes(), m.prot)
		}
	}
	for _, r := range areas {
		if r[0] == r[1] {
			continue
		}
		maps, err := mappings(r[0], r[1])
		if err != nil {
			return nil, err
		}
		for _, m := range maps {
			if m.prot&syscall.PROT_WRITE != 0 {
				continue
			}
			if err := syscall.Mprotect(m.bytes(), m.prot|syscall.PROT_WRITE); err != nil {
				undo()
				return nil, fmt.Errorf("make type metadata writable: %w", err)
			}
			changed = append(changed, m)
		}
	}
	return undo, nil
}
