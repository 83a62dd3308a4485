package cudalib

import (
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// solver executes the routines of cuSOLVER. Each solves one problem, so several problems are solved one after the other.
func (l *Libraries) solver(c routine.Call, s *stream, handle uintptr) error {
	switch c := c.(type) {
	case *routine.Getrf:
		m, n, lead := uintptr(c.M), uintptr(c.N), uintptr(c.A.Lead)
		return l.each(s, c.Type, c.Info, c.Count, c.M == 0 || c.N == 0, "getrf",
			[]uintptr{handle, m, n, uintptr(c.A.Addr), lead},
			func(i int, work, _, info uintptr) []uintptr {
				return []uintptr{handle, m, n, item(c.A, c.Type, i), lead, work, entry(c.Pivots, 4, i), info}
			})
	case *routine.Getrs:
		n, columns := uintptr(c.N), uintptr(c.NRHS)
		return l.each(s, c.Type, c.Info, c.Count, c.N == 0 || c.NRHS == 0, "getrs", nil,
			func(i int, _, _, info uintptr) []uintptr {
				return []uintptr{
					handle, uintptr(c.Trans), n, columns, item(c.A, c.Type, i), uintptr(c.A.Lead),
					entry(c.Pivots, 4, i), item(c.B, c.Type, i), uintptr(c.B.Lead), info,
				}
			})
	case *routine.Geqrf:
		m, n, lead := uintptr(c.M), uintptr(c.N), uintptr(c.A.Lead)
		return l.each(s, c.Type, c.Info, c.Count, c.M == 0 || c.N == 0, "geqrf",
			[]uintptr{handle, m, n, uintptr(c.A.Addr), lead},
			func(i int, work, size, info uintptr) []uintptr {
				return []uintptr{handle, m, n, item(c.A, c.Type, i), lead, entry(c.Tau, c.Type.Size(), i), work, size, info}
			})
	case *routine.Orgqr:
		name := "orgqr"
		if c.Type.Complex() {
			name = "ungqr"
		}
		m, n, k, lead := uintptr(c.M), uintptr(c.N), uintptr(c.K), uintptr(c.A.Lead)
		return l.each(s, c.Type, c.Info, c.Count, c.N == 0, name,
			[]uintptr{handle, m, n, k, uintptr(c.A.Addr), lead, uintptr(c.Tau.Addr)},
			func(i int, work, size, info uintptr) []uintptr {
				return []uintptr{handle, m, n, k, item(c.A, c.Type, i), lead, entry(c.Tau, c.Type.Size(), i), work, size, info}
			})
	case *routine.Potrf:
		half, n, lead := uintptr(c.Half), uintptr(c.N), uintptr(c.A.Lead)
		return l.each(s, c.Type, c.Info, c.Count, c.N == 0, "potrf",
			[]uintptr{handle, half, n, uintptr(c.A.Addr), lead},
			func(i int, work, size, info uintptr) []uintptr {
				return []uintptr{handle, half, n, item(c.A, c.Type, i), lead, work, size, info}
			})
	case *routine.Gesvd:
		jobU := uintptr([...]byte{'N', 'S', 'A'}[c.Job])
		jobVT := uintptr([...]byte{'N', 'S', 'S'}[c.Job])
		m, n, size := uintptr(c.M), uintptr(c.N), c.Type.Real().Size()
		leadU, leadVT := uintptr(max(c.U.Lead, 1)), uintptr(max(c.VT.Lead, 1))
		return l.each(s, c.Type, c.Info, c.Count, false, "gesvd", []uintptr{handle, m, n},
			func(i int, work, n2, info uintptr) []uintptr {
				return []uintptr{
					handle, jobU, jobVT, m, n, item(c.A, c.Type, i), uintptr(c.A.Lead), entry(c.S, size, i),
					item(c.U, c.Type, i), leadU, item(c.VT, c.Type, i), leadVT, work, n2, 0, info,
				}
			})
	case *routine.Syevd:
		name := "syevd"
		if c.Type.Complex() {
			name = "heevd"
		}
		var vectors uintptr
		if c.Vectors {
			vectors = 1
		}
		n, lead, size := uintptr(c.N), uintptr(c.A.Lead), c.Type.Real().Size()
		return l.each(s, c.Type, c.Info, c.Count, c.N == 0, name,
			[]uintptr{handle, vectors, uintptr(c.Half), n, uintptr(c.A.Addr), lead, uintptr(c.W.Addr)},
			func(i int, work, n2, info uintptr) []uintptr {
				return []uintptr{handle, vectors, uintptr(c.Half), n, item(c.A, c.Type, i), lead, entry(c.W, size, i), work, n2, info}
			})
	}
	return fmt.Errorf("cuSOLVER has no %T", c)
}

// each calls a routine for each problem. ask are the arguments of its _bufferSize function without the last one, the address of
// the result; nil means that it needs no workspace.
func (l *Libraries) each(s *stream, t routine.Type, info uint64, count int, empty bool, name string, ask []uintptr, args func(i int, work, size, info uintptr) []uintptr) error {
	if count == 0 {
		return nil
	}
	if empty {
		return l.config.Zero(info, uint64(count)*4, s.number)
	}
	lib := l.opened[routine.Solver]
	full := "cusolverDn" + letters[t] + name
	var work uint64
	if ask != nil {
		l.number = 0
		if err := lib.call(name, full+"_bufferSize", append(ask, uintptr(unsafe.Pointer(&l.number)))...); err != nil {
			return err
		}
		var err error
		if work, err = l.workspace(s, uint64(l.number)*uint64(t.Size())); err != nil {
			return fmt.Errorf("allocate the workspace of %s: %w", name, err)
		}
	}
	for i := range count {
		if err := lib.call(name, full, args(i, uintptr(work), uintptr(l.number), uintptr(info)+uintptr(4*i))...); err != nil {
			return err
		}
	}
	return nil
}
