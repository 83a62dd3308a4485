package hostlib

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	blasimpl "gonum.org/v1/gonum/blas/gonum"

	"github.com/gopherwarp/gopherwarp/gpu/internal/library"
)

// Call carries out a routine. The function gives device memory as a slice, or an error if it is
// not all device memory.
func Call(c library.Call, memory func(addr, n uint64) ([]byte, error)) (err error) {
	if err := c.Check(); err != nil {
		return err
	}
	var parts [][]byte
	for _, o := range c.Operands(nil) {
		if o.Bytes == 0 {
			parts = append(parts, nil)
			continue
		}
		if o.Addr%o.Align != 0 {
			return fmt.Errorf("%s: the address %#x is no multiple of %d", o.Name, o.Addr, o.Align)
		}
		mem, err := memory(o.Addr, o.Bytes)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
		parts = append(parts, mem)
	}
	// gonum panics where the numbers make no sense, as pivots of a factorisation that was
	// never computed.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	switch c := c.(type) {
	case *library.Gemm:
		gemm(c, parts)
	case *library.Trsm:
		trsm(c, parts)
	case *library.Getrf:
		factorise(c, c.Type, parts)
	case *library.Getrs:
		factorise(c, c.Type, parts)
	case *library.Geqrf:
		factorise(c, c.Type, parts)
	case *library.Orgqr:
		factorise(c, c.Type, parts)
	case *library.Potrf:
		factorise(c, c.Type, parts)
	case *library.Gesvd:
		factorise(c, c.Type, parts)
	case *library.Syevd:
		factorise(c, c.Type, parts)
	case *library.Transform:
		transform(c, parts)
	case *library.CSRMul:
		multiplySparse(c, parts)
	default:
		return fmt.Errorf("the simulator has no %T", c)
	}
	return nil
}

// view is memory as numbers, from an element on.
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

// What is stored by columns is, read by rows, the transposed matrix. So the rows' routines of
// gonum compute C = A·B by columns as Cᵀ = Bᵀ·Aᵀ by rows, with the same memory.

func transposed(op library.Op) blas.Transpose {
	return [...]blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}[op]
}

func otherHalf(t library.Triangle) blas.Uplo {
	if t == library.Lower {
		return blas.Upper
	}
	return blas.Lower
}

func otherSide(s library.Side) blas.Side {
	if s == library.Left {
		return blas.Right
	}
	return blas.Left
}

// bytesOf is the inverse of view.
func bytesOf[T any](list []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(zero)))
}
