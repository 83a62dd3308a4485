package sim

import (
	"bytes"
	"debug/elf"
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// variable is a __device__ or __constant__ variable of a loaded module.
type variable struct{ addr, size uint64 }

// isOurs rejects images that only a GPU can run.
func isOurs(img backend.Image) error {
	kind := ""
	if bytes.HasPrefix(img.Data, []byte(elf.ELFMAG)) {
		if f, err := elf.NewFile(bytes.NewReader(img.Data)); err == nil && f.Machine == elf.EM_CUDA {
			kind = "a cubin"
		}
	} else if bytes.Contains(img.Data, []byte(".target sm_")) {
		kind = "PTX"
	}
	if kind == "" {
		return nil
	}
	return errorf(codeInvalidImage, "this is %s, which only a GPU can run: the simulator compiles CUDA C++ with gpu.Compile", kind)
}

// findVariables returns the module's variables in memory, and sets its constants. They are hidden from the dynamic
// linker, so that modules do not share them; their addresses are computed relative to that of a kernel.
func (m *module) findVariables(image []byte) (map[string]variable, error) {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, fmt.Errorf("this is no compiled program: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("this compiled program has no symbols: %w", err)
	}
	base := uint64(0)
	for _, symbol := range m.lowered {
		addr, err := purego.Dlsym(m.handle, symbol)
		if err != nil {
			return nil, err
		}
		for _, s := range symbols {
			if s.Name == symbol {
				base = uint64(addr) - s.Value
			}
		}
		break
	}
	found := map[string]variable{}
	if base == 0 {
		return found, nil // without kernels they are not used
	}
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".rodata") && s.Flags&elf.SHF_ALLOC != 0 {
			m.constants = append(m.constants, variable{base + s.Addr, s.Size})
		}
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Section != elf.SHN_UNDEF && s.Size > 0 {
			found[s.Name] = variable{base + s.Value, s.Size}
		}
	}
	return found, nil
}

// constant returns the n bytes at an address if all are constants of the module.
func (m *module) constant(addr, n uint64) ([]byte, bool) {
	for _, c := range m.constants {
		if addr >= c.addr && addr-c.addr < c.size && n <= c.size-(addr-c.addr) {
			return unsafe.Slice((*byte)(pointer(addr)), n), true
		}
	}
	return nil, false
}

// literal returns the size of the text at an address in the constants of the module, with the zero at its end.
func (m *module) literal(addr uint64) (size uint64, ok bool) {
	for _, c := range m.constants {
		if addr >= c.addr && addr-c.addr < c.size {
			rest := unsafe.Slice((*byte)(pointer(addr)), c.size-(addr-c.addr))
			end := bytes.IndexByte(rest, 0)
			return uint64(end + 1), end >= 0
		}
	}
	return 0, false
}

func (d *device) Symbol(mod uint32, name string) (addr, size uint64, err error) {
	m := d.modules[mod]
	if m == nil {
		return 0, 0, errorf(codeInvalidHandle, "there is no module %d", mod)
	}
	for _, symbol := range variableSymbols(name) {
		if v, ok := m.variables[symbol]; ok {
			return v.addr, v.size, nil
		}
	}
	return 0, 0, errorf(codeNotFound, "there is no __device__ or __constant__ variable %q, or no kernel uses it, so that the compiler left it out", name)
}

// variableSymbols returns the symbols that a variable with that source name may have.
func variableSymbols(name string) []string {
	parts := strings.Split(strings.TrimPrefix(name, "::"), "::")
	mangled := ""
	for _, p := range parts {
		mangled += strconv.Itoa(len(p)) + p
	}
	if len(parts) > 1 {
		return []string{"_ZN" + mangled + "E"}
	}
	return []string{parts[0], "_ZL" + mangled}
}

// Occupancy returns how many blocks fit on a multiprocessor of the model. Registers are not
// counted: how many a GPU's compiler would use is unknown.
func (d *device) Occupancy(fn uint32, threads int, sharedBytes uint32) (int, error) {
	f := d.funcs[fn]
	if f == nil {
		return 0, errorf(codeInvalidHandle, "there is no function %d", fn)
	}
	if threads <= 0 || threads > min(d.props.MaxThreadsPerBlock, int(f.entry.maxThreads)) {
		return 0, nil
	}
	shared := f.shared + int(sharedBytes)
	if shared > d.props.SharedMemPerBlockOptin {
		return 0, nil
	}
	warps := (threads + d.props.WarpSize - 1) / d.props.WarpSize
	blocks := min(d.props.MaxBlocksPerMultiProcessor, d.props.MaxThreadsPerMultiProcessor/d.props.WarpSize/warps)
	// GPUs before compute capability 8.0 reserve none, so a block may need no shared memory.
	if each := shared + d.props.ReservedSharedMemPerBlock; each > 0 {
		blocks = min(blocks, d.props.SharedMemPerMultiprocessor/each)
	}
	return blocks, nil
}
