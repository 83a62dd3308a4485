package linalg

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	blasimpl "gonum.org/v1/gonum/blas/gonum"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Library executes routines, one after the other. It keeps the lists that it makes for one.
type Library struct {
	operands []routine.Operand
	parts    [][]byte
}

// Call executes a routine. The function returns device memory as a slice, or an error if it is not
// all device memory.
func (l *Library) Call(c routine.Call, memory func(addr, n uint64) ([]byte, error)) (err error) {
	if err := c.Check(); err != nil {
		return err
	}
	l.operands = c.Operands(l.operands[:0])
	l.parts = l.parts[:0]
	for i := range l.operands {
		o := &l.operands[i]
		if o.Bytes == 0 {
			l.parts = append(l.parts, nil)
			continue
		}
		if o.Addr%o.Align != 0 {
			return fmt.Errorf("%s: the address %#x is no multiple of %d", o.Name, o.Addr, o.Align)
		}
		mem, err := memory(o.Addr, o.Bytes)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
		l.parts = append(l.parts, mem)
	}
	// gonum panics on invalid numbers, such as pivots of a factorisation that was never
	// computed.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	parts := l.parts
	switch c := c.(type) {
	case *routine.Gemm:
		gemm(c, parts)
	case *routine.Trsm:
		trsm(c, parts)
	case *routine.Getrf:
		factorise(c, c.Type, parts)
	case *routine.Getrs:
		factorise(c, c.Type, parts)
	case *routine.Geqrf:
		factorise(c, c.Type, parts)
	case *routine.Orgqr:
		factorise(c, c.Type, parts)
	case *routine.Potrf:
		factorise(c, c.Type, parts)
	case *routine.Gesvd:
		factorise(c, c.Type, parts)
	case *routine.Geev:
		factorise(c, c.Type, parts)
	case *routine.Syevd:
		factorise(c, c.Type, parts)
	case *routine.Transform:
		transform(c, parts)
	case *routine.CSRMul:
		multiplySparse(c, parts)
	default:
		return fmt.Errorf("the simulator has no %T", c)
	}
	return nil
}

// view returns memory as a slice of elements, beginning at the given element.
func view[T any](mem []byte, from int) []T {
	var zero T
	n := len(mem) / int(unsafe.Sizeof(zero))
	if from >= n {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&mem[0])), n)[from:]
}

type number interface {
	float32 | float64 | complex64 | complex128
}

var b blasimpl.Implementation

// A matrix in column-major order is the transposed matrix in row-major order. So gonum's row-major
// routines compute C = A·B in column-major order as Cᵀ = Bᵀ·Aᵀ, with the same memory.

func transposed(op routine.Op) blas.Transpose {
	return [...]blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}[op]
}

func otherHalf(t routine.Triangle) blas.Uplo {
	if t == routine.Lower {
		return blas.Upper
	}
	return blas.Lower
}

func otherSide(s routine.Side) blas.Side {
	if s == routine.Left {
		return blas.Right
	}
	return blas.Left
}

// bytesOf is the inverse of view.
func bytesOf[T any](list []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(zero)))
}
