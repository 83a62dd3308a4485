package inspect

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// What ptxas says with -v: a line that names the kernel, and then the counts.
var (
	entryOfLog = regexp.MustCompile(`Compiling entry function '([^']+)'`)
	count      = regexp.MustCompile(`(\d+) (bytes stack frame|bytes spill stores|bytes spill loads|registers|barriers|bytes smem)`)
	functionOf = regexp.MustCompile(`Function properties for (\S+)`)
)

// usage reads the resources of kernels, by symbol, from the compiler's log. Device functions that
// are called have lines of their own, which count for no kernel.
func usage(log string) map[string]backend.Resources {
	all := map[string]backend.Resources{}
	kernel, other := "", false
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "ptxas") {
			continue
		}
		if m := entryOfLog.FindStringSubmatch(line); m != nil {
			kernel, other = m[1], false
			all[kernel] = backend.Resources{}
			continue
		}
		if m := functionOf.FindStringSubmatch(line); m != nil {
			other = m[1] != kernel
			continue
		}
		if kernel == "" || other && !strings.Contains(line, "registers") {
			continue
		}
		r := all[kernel]
		for _, m := range count.FindAllStringSubmatch(line, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				continue
			}
			switch m[2] {
			case "bytes stack frame":
				r.Stack = n
			case "bytes spill stores":
				r.SpillStores = n
			case "bytes spill loads":
				r.SpillLoads = n
			case "registers":
				r.Registers = n
			case "barriers":
				r.Barriers = n
			case "bytes smem":
				r.Shared = n
			}
		}
		all[kernel] = r
	}
	return all
}

// What a cubin says of a kernel in its section .nv.info: entries of a format, an attribute and
// two bytes, which for some formats are the size of what follows.
const (
	infoSized = 4 // the format of entries with a size

	infoRegisters = 0x2f // two numbers: the kernel's symbol, and its registers for each thread
	infoStack     = 0x12 // the same for the bytes of its stack

	// From compute capability 9.0 on the shared memory of a kernel begins with what CUDA keeps
	// for itself, if the kernel has any.
	firstWithReserve = 90
	reservedShared   = 1024
)

// used reads the resources of kernels, by symbol, from a cubin for a compute capability (90 for
// 9.0), for compilers that do not log them. It does not say what was spilled.
func used(cubin []byte, cc int) map[string]backend.Resources {
	all := map[string]backend.Resources{}
	f, err := elf.NewFile(bytes.NewReader(cubin))
	if err != nil {
		return all
	}
	symbols, err := f.Symbols()
	info := f.Section(".nv.info")
	if err != nil || info == nil {
		return all
	}
	data, err := info.Data()
	if err != nil {
		return all
	}
	for attribute, entry := range sizedEntries(data) {
		if len(entry) != 8 || attribute != infoRegisters && attribute != infoStack {
			continue
		}
		index, n := int(binary.LittleEndian.Uint32(entry)), int(binary.LittleEndian.Uint32(entry[4:]))
		if index < 1 || index > len(symbols) {
			continue
		}
		name := symbols[index-1].Name // without the first, which is none
		r, ok := all[name]
		if !ok {
			r = unlogged(f, name, cc)
		}
		if attribute == infoRegisters {
			r.Registers = n
		} else {
			r.Stack = n
		}
		all[name] = r
	}
	return all
}

// sizedEntries yields the attributes of .nv.info that have a size, with what follows them.
func sizedEntries(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for len(data) >= 4 {
			format, attribute, size := data[0], data[1], int(binary.LittleEndian.Uint16(data[2:]))
			data = data[4:]
			if format != infoSized {
				continue
			}
			if size > len(data) || !yield(attribute, data[:size]) {
				return
			}
			data = data[size:]
		}
	}
}

// unlogged returns what the sections of a cubin say of a kernel.
func unlogged(f *elf.File, kernel string, cc int) backend.Resources {
	r := backend.Resources{Registers: backend.Unknown, Stack: backend.Unknown, SpillStores: backend.Unknown, SpillLoads: backend.Unknown, Barriers: backend.Unknown}
	if shared := f.Section(".nv.shared." + kernel); shared != nil {
		r.Shared = int(shared.Size)
		if cc >= firstWithReserve {
			r.Shared -= reservedShared
		}
	}
	return r
}

// constantBytes reads from a cubin how much constant memory each kernel needs for its parameters
// and the compiler's constants, and for the program's __constant__ variables, which all of them see.
func constantBytes(cubin []byte) map[string]int {
	all := map[string]int{}
	f, err := elf.NewFile(bytes.NewReader(cubin))
	if err != nil {
		return all
	}
	variables := 0
	for _, s := range f.Sections {
		bank, kernel, ok := strings.Cut(strings.TrimPrefix(s.Name, ".nv.constant"), ".")
		switch {
		case !strings.HasPrefix(s.Name, ".nv.constant"):
		case ok:
			all[kernel] += int(s.Size)
		case bank == "3":
			variables = int(s.Size)
		}
	}
	for kernel := range all {
		all[kernel] += variables
	}
	return all
}
