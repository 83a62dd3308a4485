package driver

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// errNotRepeatable is the error of a launch whose operations cannot be counted, for which the kernel would
// have to run once more with everything as it was before.
type errNotRepeatable struct{ reason string }

func (e errNotRepeatable) Error() string { return e.reason }

// countOperations runs a kernel once to have its operations counted, and then puts all memory of the device
// back to what it was before. The second error is the kernel's own.
func (d *device) countOperations(l *backend.Launch) (counted backend.Counters, reason, err error) {
	if d.readsHost(l.Args) {
		return nil, errNotRepeatable{"it has pinned host memory as an argument"}, nil
	}
	kept, reason := d.keepMemory()
	defer kept.free()
	if reason != nil {
		return nil, reason, nil
	}
	lib := d.profile.lib
	if reason = lib.BeginOperations(); reason != nil {
		return nil, reason, nil
	}
	err = d.Launch(l)
	if err == nil {
		err = d.Sync()
	}
	counted, reason = lib.EndOperations()
	if err != nil {
		return nil, nil, err
	}
	return counted, reason, kept.restore()
}

// readsHost says whether an argument is an address of pinned host memory, which a kernel may change.
func (d *device) readsHost(args []byte) bool {
	for at := 0; at+8 <= len(args); at += 8 {
		p := uintptr(binary.NativeEndian.Uint64(args[at:]))
		for first, size := range d.hosts {
			if start := uintptr(unsafe.Pointer(first)); p >= start && p < start+uintptr(size) {
				return true
			}
		}
	}
	return false
}

// keptMemory is a copy of memory of the device.
type keptMemory struct {
	dev    *device
	pieces []keptPiece
}

type keptPiece struct{ at, size, copy uint64 }

// keepMemory copies all that a kernel can change: chunks and variables of modules.
func (d *device) keepMemory() (*keptMemory, error) {
	k := &keptMemory{dev: d}
	var total uint64
	for addr, c := range d.chunks {
		k.pieces = append(k.pieces, keptPiece{at: addr, size: c.size})
		total += c.size
	}
	for _, m := range d.modules {
		if !m.listed {
			return k, errNotRepeatable{"a program was loaded that does not tell what its variables are"}
		}
		for _, symbol := range m.variables {
			p := keptPiece{}
			if r := d.api.ModuleGlobal(&p.at, &p.size, m.handle, symbol); r == success && p.size > 0 {
				k.pieces = append(k.pieces, p)
				total += p.size
			}
		}
	}
	free, _, err := d.MemInfo()
	if err != nil {
		return k, err
	}
	if total > free/2 {
		return k, errNotRepeatable{fmt.Sprintf("keeping its memory takes %d MiB, and %d MiB are free", total>>20, free>>20)}
	}
	for i := range k.pieces {
		p := &k.pieces[i]
		if err := d.api.check(d.api.MemAlloc(&p.copy, p.size), "keeping memory"); err != nil {
			return k, err
		}
		if err := d.CopyDtoD(p.copy, p.at, p.size, 0); err != nil {
			return k, err
		}
	}
	return k, d.Sync()
}

func (k *keptMemory) restore() error {
	for _, p := range k.pieces {
		if err := k.dev.CopyDtoD(p.at, p.copy, p.size, 0); err != nil {
			return err
		}
	}
	return k.dev.Sync()
}

func (k *keptMemory) free() {
	for _, p := range k.pieces {
		if p.copy != 0 {
			k.dev.api.MemFree(p.copy)
		}
	}
}

// variables are the symbols of the variables of a program that kernels can change. Only a cubin tells
// them.
func variables(image []byte) (symbols []string, ok bool) {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, false
	}
	list, err := f.Symbols()
	if err != nil {
		return nil, errors.Is(err, elf.ErrNoSymbols)
	}
	for _, s := range list {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) {
			continue
		}
		if strings.HasPrefix(f.Sections[s.Section].Name, ".nv.global") {
			symbols = append(symbols, s.Name)
		}
	}
	return symbols, true
}
