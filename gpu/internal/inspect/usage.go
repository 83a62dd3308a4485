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

// The output of ptxas -v: a line with the name of the kernel, followed by its counts.
var (
	entryOfLog = regexp.MustCompile(`Compiling entry function '([^']+)'`)
	count      = regexp.MustCompile(`(\d+) (bytes stack frame|bytes spill stores|bytes spill loads|registers|barriers|bytes smem)`)
	functionOf = regexp.MustCompile(`Function properties for (\S+)`)
)

// usage reads the resources of kernels, by symbol, from the compiler's log. Device functions have lines of their own, which are
// ignored.
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

// A kernel's entries in the section .nv.info of a cubin: a format, an attribute and two bytes, which for some formats are the
// size of the data that follow.
const (
	infoSized = 4 // the format of entries with a size

	infoRegisters = 0x2f // two numbers: the kernel's symbol, and its registers per thread
	infoStack     = 0x12 // two numbers: the kernel's symbol, and its stack in bytes

	// From compute capability 9.0 on, the shared memory of a kernel, if it has any, begins with bytes that CUDA reserves.
	firstWithReserve = 90
	reservedShared   = 1024
)

// used reads the resources of kernels, by symbol, from a cubin for a compute capability (90 for 9.0), for compilers that do not
// log them. Spills are not known then.
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
		name := symbols[index-1].Name // the list omits the first symbol, which is empty
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

// sizedEntries yields the attributes of .nv.info that have a size, with their data.
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

// unlogged returns a kernel's resources, from the sections of a cubin.
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

// constantBytes returns the constant memory of each kernel in a cubin: for its parameters, the compiler's constants, and the
// program's __constant__ variables, which all kernels share.
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
