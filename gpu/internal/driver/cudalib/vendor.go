package cudalib

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Config has the functions and properties of the device that the libraries need.
type Config struct {
	// Open opens the first of the files that is found, by the dynamic linker or in the usual directories of CUDA.
	Open func(names []string) (handle uintptr, name string, err error)
	// CUDA is the driver's major version.
	CUDA int
	// Alloc and Free allocate and free device memory, in bytes. Free waits for work that uses it.
	Alloc func(size uint64) (addr uint64, err error)
	Free  func(addr uint64) error
	// Zero writes zeros, in the order of a stream.
	Zero func(addr, size uint64, stream uint32) error
	// Lost returns the error of a context that was destroyed by a fault, or nil.
	Lost func() error
}

// Libraries are CUDA's numerical libraries, on one device.
type Libraries struct {
	config  Config
	opened  map[routine.Family]*dynamic
	streams map[uint32]*stream
	groups  map[uint32]*membership
	// Host memory that routines read during a call; it must not move.
	alpha, beta scalar
	number      int64
	dims        [3]int32
	described   [3]uintptr // cuSPARSE's descriptors
	sizes       [2]uint64  // of workspaces, on the device and on the host
	host        []byte     // the latter
}

// stream has the handles, plans and workspace of a stream.
type stream struct {
	number  uint32
	raw     uintptr // CUstream
	handles map[routine.Family]uintptr
	plans   []plan // of Fourier transforms, the most recently used one last
	work    workspace
	lent    bool // its handles belong to the default stream, and its workspace to a graph: see Lend
}

// workspace is device memory that the stream's routines use one after the other.
type workspace struct{ addr, size uint64 }

// New returns Libraries, none of which is open.
func New(c Config) *Libraries {
	return &Libraries{config: c, opened: map[routine.Family]*dynamic{}, streams: map[uint32]*stream{}, groups: map[uint32]*membership{}}
}

// Load opens a library and creates its handle for the default stream, which is slow.
func (l *Libraries) Load(f routine.Family) error {
	_, err := l.handle(l.stream(0, 0), f)
	return err
}

// Call submits a routine to a stream, whose CUstream is raw.
func (l *Libraries) Call(c routine.Call, number uint32, raw uintptr) error {
	if err := c.Check(); err != nil {
		return &backend.Error{Code: 1, Name: "CUDA_ERROR_INVALID_VALUE", Message: routine.NameOf(c) + ": " + err.Error()}
	}
	s := l.stream(number, raw)
	handle, err := l.handle(s, routine.FamilyOf(c.Routine()))
	if err != nil {
		return err
	}
	switch c := c.(type) {
	case *routine.Gemm:
		return l.gemm(c, handle)
	case *routine.Trsm:
		return l.trsm(c, handle)
	case *routine.Transform:
		return l.transform(c, s)
	case *routine.CSRMul:
		return l.multiplySparse(c, s, handle)
	case *routine.Geev:
		return l.general(c, s, handle)
	}
	return l.solver(c, s, handle)
}

// stream returns the data of a stream, which it creates if necessary.
func (l *Libraries) stream(number uint32, raw uintptr) *stream {
	s := l.streams[number]
	if s == nil {
		s = &stream{number: number, raw: raw, handles: map[routine.Family]uintptr{}}
		l.streams[number] = s
	}
	return s
}

// handle returns the stream's handle for a library. cuFFT has none.
func (l *Libraries) handle(s *stream, f routine.Family) (uintptr, error) {
	if h, ok := s.handles[f]; ok {
		return h, nil
	}
	lib, err := l.open(f)
	if err != nil {
		return 0, err
	}
	var h uintptr
	if names, ok := handleNames[f]; ok {
		if err := lib.call("creating a handle", names.create, uintptr(unsafe.Pointer(&h))); err != nil {
			return 0, err
		}
		if err := l.direct(f, h, s.raw); err != nil {
			return 0, errors.Join(err, lib.call("destroying a handle", names.destroy, h))
		}
	}
	s.handles[f] = h
	return h, nil
}

// Lend makes a stream that will be captured use the handles of the default stream, with that memory as their workspace: to create handles
// is slow, and while a stream is captured it may be refused, as allocating memory is. What was captured uses the memory later.
func (l *Libraries) Lend(number uint32, raw uintptr, work, size uint64, families []routine.Family) error {
	if l.streams[number] != nil {
		if err := l.Forget(number); err != nil {
			return err
		}
	}
	s := &stream{number: number, raw: raw, handles: map[routine.Family]uintptr{}, work: workspace{work, size}, lent: true}
	l.streams[number] = s
	for _, f := range families {
		h, err := l.handle(l.stream(0, 0), f)
		if err == nil {
			err = l.direct(f, h, raw)
		}
		if err == nil && f == routine.BLAS {
			err = l.opened[f].call("setting the workspace of a handle", "cublasSetWorkspace_v2", h, uintptr(work), uintptr(size))
		}
		if err != nil {
			return errors.Join(err, l.Return(number))
		}
		s.handles[f] = h
	}
	return nil
}

// Return gives handles that were lent back to the default stream. cuBLAS uses its own workspace again as soon as the stream is set.
func (l *Libraries) Return(number uint32) error {
	s := l.streams[number]
	if s == nil || !s.lent {
		return nil
	}
	delete(l.streams, number)
	var errs []error
	for f, h := range s.handles {
		errs = append(errs, l.direct(f, h, l.stream(0, 0).raw))
	}
	return errors.Join(errs...)
}

// direct sets the stream of a handle.
func (l *Libraries) direct(f routine.Family, h, raw uintptr) error {
	return l.opened[f].call("setting the stream of a handle", handleNames[f].stream, h, raw)
}

var handleNames = map[routine.Family]struct{ create, stream, destroy string }{
	routine.BLAS:   {"cublasCreate_v2", "cublasSetStream_v2", "cublasDestroy_v2"},
	routine.Solver: {"cusolverDnCreate", "cusolverDnSetStream", "cusolverDnDestroy"},
	// The same library, with a handle of its own.
	routine.GeneralSolver: {"cusolverDnCreate", "cusolverDnSetStream", "cusolverDnDestroy"},
	routine.Sparse:        {"cusparseCreate", "cusparseSetStream", "cusparseDestroy"},
}

// Forget frees the data of a stream that is about to be destroyed.
func (l *Libraries) Forget(number uint32) error {
	s := l.streams[number]
	if s == nil {
		return nil
	}
	if s.lent {
		return l.Return(number)
	}
	delete(l.streams, number)
	var errs []error
	for f, h := range s.handles {
		if names, ok := handleNames[f]; ok {
			errs = append(errs, l.opened[f].call("destroying a handle", names.destroy, h))
		}
	}
	for _, p := range s.plans {
		errs = append(errs, l.opened[routine.FFT].call("destroying a plan", "cufftDestroy", uintptr(p.handle)))
	}
	if s.work.addr != 0 {
		errs = append(errs, l.config.Free(s.work.addr))
	}
	return errors.Join(errs...)
}

// Close frees all resources.
func (l *Libraries) Close() error {
	var errs []error
	for group := range l.groups {
		errs = append(errs, l.Leave(group))
	}
	for number := range l.streams {
		errs = append(errs, l.Forget(number))
	}
	return errors.Join(errs...)
}

// workspace returns device memory of at least size bytes for the stream's next routine.
func (l *Libraries) workspace(s *stream, size uint64) (uint64, error) {
	if size <= s.work.size {
		return s.work.addr, nil
	}
	if s.lent {
		return 0, fmt.Errorf("a routine needs %d bytes of memory, and a graph has %d: leave it out of the graph", size, s.work.size)
	}
	if s.work.addr != 0 {
		old := s.work.addr
		s.work = workspace{}
		if err := l.config.Free(old); err != nil {
			return 0, err
		}
	}
	size = (size + workspaceStep - 1) &^ (workspaceStep - 1)
	addr, err := l.config.Alloc(size)
	if err != nil {
		return 0, err
	}
	s.work = workspace{addr, size}
	return addr, nil
}

// workspaceStep is the granularity of a workspace's size in bytes, so that problems that become slightly larger do not each need
// a new one.
const workspaceStep = 1 << 20
