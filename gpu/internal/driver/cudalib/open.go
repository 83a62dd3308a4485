package cudalib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// dynamic is an opened library.
type dynamic struct {
	family  routine.Family
	name    string // of its file
	handle  uintptr
	symbols map[string]uintptr
	lost    func() error
}

// A product is the name of a library on disk and in pip.
type product struct {
	file string         // libNAME.so
	so   map[int]string // X of libNAME.so.X, by CUDA's major version
	pip  string
	// versioned means that the names of pip's packages include CUDA's major version for all versions. For older versions they
	// always do.
	versioned bool
	// needs are the libraries that it is linked with. The dynamic linker finds them only if the library has a search path, which
	// some lack, or if they are already open.
	needs []product
}

var (
	jitLink  = product{file: "nvJitLink", so: map[int]string{13: "13", 12: "12"}}
	blasLt   = product{file: "cublasLt", so: map[int]string{13: "13", 12: "12", 11: "11"}}
	blas     = product{file: "cublas", so: map[int]string{13: "13", 12: "12", 11: "11"}, pip: "nvidia-cublas", needs: []product{blasLt}}
	sparse   = product{file: "cusparse", so: map[int]string{13: "12", 12: "12", 11: "11"}, pip: "nvidia-cusparse", needs: []product{jitLink}}
	solver   = product{file: "cusolver", so: map[int]string{13: "12", 12: "11", 11: "11"}, pip: "nvidia-cusolver", needs: []product{blasLt, blas, jitLink, sparse}}
	products = map[routine.Family]product{
		routine.BLAS:          blas,
		routine.Solver:        solver,
		routine.GeneralSolver: solver,
		routine.FFT:           {file: "cufft", so: map[int]string{13: "12", 12: "11", 11: "10"}, pip: "nvidia-cufft", needs: []product{jitLink}},
		routine.Sparse:        sparse,
		routine.Collectives:   {file: "nccl", so: map[int]string{13: "2", 12: "2", 11: "2"}, pip: "nvidia-nccl", versioned: true},
	}
)

// versions returns CUDA's major versions whose libraries the driver supports, the best one first.
func versions(cuda int) []int {
	list := []int{13, 12, 11}
	for len(list) > 1 && list[0] > cuda {
		list = list[1:]
	}
	return list
}

// names returns the names of the library's files.
func (p product) names(cuda int) []string {
	var names []string
	for _, v := range versions(cuda) {
		so, ok := p.so[v]
		if name := "lib" + p.file + ".so." + so; ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// open opens a library, unless it is open.
func (l *Libraries) open(f routine.Family) (*dynamic, error) {
	if lib := l.opened[f]; lib != nil {
		return lib, nil
	}
	p := products[f]
	for _, n := range p.needs {
		// If this fails, opening the library itself returns the better error.
		_, _, _ = l.config.Open(n.names(l.config.CUDA))
	}
	handle, name, err := l.config.Open(p.names(l.config.CUDA))
	if err != nil || handle == 0 {
		return nil, &backend.Error{
			Code: 500, Name: "CUDA_ERROR_NOT_FOUND",
			Message: fmt.Sprintf("%v, which this needs, was not found. Install it with `pip install %s`, or the CUDA toolkit, and set CUDA_HOME to its directory if it is an unusual one. The simulator (GOPHERWARP_DEVICE=sim) works without it%s",
				f, p.wheel(l.config.CUDA), because(err)),
		}
	}
	lib := &dynamic{family: f, name: name, handle: handle, symbols: map[string]uintptr{}, lost: l.config.Lost}
	if f == routine.GeneralSolver {
		if _, err := lib.find(xgeev); err != nil {
			return nil, err
		}
	}
	l.opened[f] = lib
	return lib, nil
}

// wheel returns the name of pip's package. For older versions of CUDA it ends with the version.
func (p product) wheel(cuda int) string {
	if v := versions(cuda)[0]; v < 13 || p.versioned {
		return fmt.Sprintf("%s-cu%d", p.pip, v)
	}
	return p.pip
}

// because returns the reason why an existing file could not be opened, or "". It is normal that a file does not exist at one of
// several paths.
func because(err error) string {
	if err == nil || !strings.Contains(err.Error(), "/") {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// call calls a function that returns a status. Pointers to Go memory must be converted in the argument list itself, or point to
// memory that does not move.
//
//go:uintptrescapes
func (b *dynamic) call(doing, name string, args ...uintptr) error {
	addr, err := b.find(name)
	if err != nil {
		return err
	}
	r, _, _ := purego.SyscallN(addr, args...)
	if status := int32(r); status != 0 {
		return b.failure(doing, status)
	}
	return nil
}

// find returns the address of a function.
func (b *dynamic) find(name string) (uintptr, error) {
	if addr, ok := b.symbols[name]; ok {
		return addr, nil
	}
	addr, err := purego.Dlsym(b.handle, name)
	if err != nil {
		return 0, &backend.Error{
			Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED",
			Message: fmt.Sprintf("%v (%s) is too old: it lacks %s", b.family, b.name, name),
		}
	}
	b.symbols[name] = addr
	return addr, nil
}

// failure returns the error of a status. If the context has a fault, that is the cause, and failure returns the fault.
func (b *dynamic) failure(doing string, status int32) error {
	if err := b.lost(); err != nil {
		return err
	}
	name := statusNames[b.family][status]
	if name == "" {
		name = fmt.Sprintf("status %d", status)
	}
	e := &backend.Error{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Message: fmt.Sprintf("%s: %v returned %s", doing, b.family, name)}
	switch name {
	case "ALLOC_FAILED", "INSUFFICIENT_RESOURCES":
		e.Code, e.Name = 2, "CUDA_ERROR_OUT_OF_MEMORY"
	case "INVALID_VALUE", "INVALID_SIZE", "INVALID_ARGUMENT", "INVALID_USAGE":
		e.Code, e.Name = 1, "CUDA_ERROR_INVALID_VALUE"
	case "NOT_SUPPORTED", "ARCH_MISMATCH":
		e.Code, e.Name = 801, "CUDA_ERROR_NOT_SUPPORTED"
	}
	return e
}

// statusNames are the names of statuses in the headers, without their prefixes.
var statusNames = map[routine.Family]map[int32]string{
	routine.GeneralSolver: solverStatuses,
	routine.BLAS: {
		1: "NOT_INITIALIZED", 3: "ALLOC_FAILED", 7: "INVALID_VALUE", 8: "ARCH_MISMATCH", 11: "MAPPING_ERROR",
		13: "EXECUTION_FAILED", 14: "INTERNAL_ERROR", 15: "NOT_SUPPORTED", 16: "LICENSE_ERROR",
	},
	routine.Solver: solverStatuses,
	routine.Collectives: {
		1: "UNHANDLED_CUDA_ERROR", 2: "SYSTEM_ERROR", 3: "INTERNAL_ERROR", 4: "INVALID_ARGUMENT", 5: "INVALID_USAGE", 6: "REMOTE_ERROR",
	},
	routine.FFT: {
		1: "INVALID_PLAN", 2: "ALLOC_FAILED", 4: "INVALID_VALUE", 5: "INTERNAL_ERROR", 6: "EXEC_FAILED", 7: "SETUP_FAILED",
		8: "INVALID_SIZE", 11: "INVALID_DEVICE", 13: "NO_WORKSPACE", 14: "NOT_IMPLEMENTED", 16: "NOT_SUPPORTED",
	},
	routine.Sparse: {
		1: "NOT_INITIALIZED", 2: "ALLOC_FAILED", 3: "INVALID_VALUE", 4: "ARCH_MISMATCH", 5: "MAPPING_ERROR",
		6: "EXECUTION_FAILED", 7: "INTERNAL_ERROR", 8: "MATRIX_TYPE_NOT_SUPPORTED", 9: "ZERO_PIVOT", 10: "NOT_SUPPORTED", 11: "INSUFFICIENT_RESOURCES",
	},
}

var solverStatuses = map[int32]string{
	1: "NOT_INITIALIZED", 2: "ALLOC_FAILED", 3: "INVALID_VALUE", 4: "ARCH_MISMATCH", 5: "MAPPING_ERROR",
	6: "EXECUTION_FAILED", 7: "INTERNAL_ERROR", 8: "MATRIX_TYPE_NOT_SUPPORTED", 9: "NOT_SUPPORTED",
}
