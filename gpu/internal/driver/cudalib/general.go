package cudalib

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// xgeev is the routine for eigenvalues of any square matrix. cuSOLVER has it since CUDA 12.6.
const xgeev = "cusolverDnXgeev"

// Values of cudaDataType of library_types.h.
const (
	cudaC32F = 4
	cudaC64F = 5
)

// general computes eigenvalues and eigenvectors. The library works with a workspace on the host, too, which must not be given back before the
// stream's work is done: it stays until the next call.
func (l *Libraries) general(c *routine.Geev, s *stream, handle uintptr) (err error) {
	const name = "geev"
	if c.Count == 0 {
		return nil
	}
	if c.N == 0 {
		return l.config.Zero(c.Info, uint64(c.Count)*4, s.number)
	}
	lib := l.opened[routine.GeneralSolver]
	var params uintptr
	if err := lib.call(name, "cusolverDnCreateParams", uintptr(unsafe.Pointer(&params))); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lib.call(name, "cusolverDnDestroyParams", params)) }()
	kind := uintptr(cudaC64F)
	if c.Type == routine.Complex64 {
		kind = cudaC32F
	}
	var vectors uintptr
	lead := uintptr(1)
	if c.Vectors {
		vectors, lead = 1, uintptr(c.V.Lead)
	}
	args := func(i int) []uintptr {
		v := uintptr(0)
		if c.Vectors {
			v = item(c.V, c.Type, i)
		}
		return []uintptr{
			handle, params, 0, vectors, uintptr(c.N), kind, item(c.A, c.Type, i), uintptr(c.A.Lead), kind, entry(c.W, c.Type.Size(), i),
			kind, 0, 1, kind, v, lead, kind,
		}
	}
	if err := lib.call(name, xgeev+"_bufferSize", append(args(0), uintptr(unsafe.Pointer(&l.sizes[0])), uintptr(unsafe.Pointer(&l.sizes[1])))...); err != nil {
		return err
	}
	work, err := l.workspace(s, l.sizes[0])
	if err != nil {
		return fmt.Errorf("allocate the workspace of %s: %w", name, err)
	}
	l.host = make([]byte, max(l.sizes[1], 1))
	for i := range c.Count {
		err := lib.call(name, xgeev, append(args(i), uintptr(work), uintptr(l.sizes[0]), uintptr(unsafe.Pointer(&l.host[0])), uintptr(l.sizes[1]), uintptr(c.Info)+uintptr(4*i))...)
		if err != nil {
			return err
		}
	}
	return nil
}
