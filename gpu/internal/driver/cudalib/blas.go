package cudalib

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// scalar is a number as the libraries read it, of any type. They read complex128 as one value of 16 bytes, aligned to 16 bytes,
// which Go does not guarantee.
type scalar [16 + 15]byte

// set stores v in the type in which products of t are summed.
func (s *scalar) set(t routine.Type, v complex128) {
	b := s[s.at()-uintptr(unsafe.Pointer(s)):]
	switch t.Real() {
	case routine.Float64:
		binary.NativeEndian.PutUint64(b, math.Float64bits(real(v)))
		binary.NativeEndian.PutUint64(b[8:], math.Float64bits(imag(v)))
	default:
		binary.NativeEndian.PutUint32(b, math.Float32bits(float32(real(v))))
		binary.NativeEndian.PutUint32(b[4:], math.Float32bits(float32(imag(v))))
	}
}

// at returns the aligned address of the scalar. The scalar is a field of Libraries, which does not move.
func (s *scalar) at() uintptr { return (uintptr(unsafe.Pointer(s)) + 15) &^ 15 }

// dataTypes are the values of cudaDataType.
var dataTypes = map[routine.Type]uintptr{
	routine.Float32: 0, routine.Float64: 1, routine.Float16: 2, routine.Complex64: 4, routine.Complex128: 5, routine.BFloat16: 14,
}

// The values of cublasComputeType_t.
const (
	compute32F     = 68
	compute32FTF32 = 77
	compute64F     = 70
)

func (l *Libraries) gemm(c *routine.Gemm, handle uintptr) error {
	if c.M == 0 || c.N == 0 || c.Count == 0 {
		return nil
	}
	l.alpha.set(c.Type, c.Alpha)
	l.beta.set(c.Type, c.Beta)
	t := dataTypes[c.Type]
	compute := uintptr(compute32F)
	switch {
	case c.Type.Real() == routine.Float64:
		compute = compute64F
	case c.TF32 && c.Type.Real() == routine.Float32:
		compute = compute32FTF32
	}
	ta, tb := uintptr(c.TransA), uintptr(c.TransB)
	m, n, k := uintptr(c.M), uintptr(c.N), uintptr(c.K)
	best := ^uintptr(0) // CUBLAS_GEMM_DEFAULT, -1
	if c.Count == 1 {
		return l.opened[routine.BLAS].call("gemm", "cublasGemmEx", handle, ta, tb, m, n, k, l.alpha.at(),
			uintptr(c.A.Addr), t, uintptr(c.A.Lead), uintptr(c.B.Addr), t, uintptr(c.B.Lead), l.beta.at(),
			uintptr(c.C.Addr), t, uintptr(c.C.Lead), compute, best)
	}
	return l.opened[routine.BLAS].call("gemm", "cublasGemmStridedBatchedEx", handle, ta, tb, m, n, k, l.alpha.at(),
		uintptr(c.A.Addr), t, uintptr(c.A.Lead), uintptr(c.A.Step), uintptr(c.B.Addr), t, uintptr(c.B.Lead), uintptr(c.B.Step), l.beta.at(),
		uintptr(c.C.Addr), t, uintptr(c.C.Lead), uintptr(c.C.Step), uintptr(c.Count), compute, best)
}

// letters are the letters of types in the names of routines.
var letters = map[routine.Type]string{routine.Float32: "S", routine.Float64: "D", routine.Complex64: "C", routine.Complex128: "Z"}

func (l *Libraries) trsm(c *routine.Trsm, handle uintptr) error {
	if c.M == 0 || c.N == 0 {
		return nil
	}
	l.alpha.set(c.Type, c.Alpha)
	name := "cublas" + letters[c.Type] + "trsm_v2"
	var unit uintptr
	if c.Unit {
		unit = 1
	}
	for i := range c.Count {
		err := l.opened[routine.BLAS].call("trsm", name, handle, uintptr(c.Side), uintptr(c.Half), uintptr(c.Trans), unit,
			uintptr(c.M), uintptr(c.N), l.alpha.at(), item(c.A, c.Type, i), uintptr(c.A.Lead), item(c.B, c.Type, i), uintptr(c.B.Lead))
		if err != nil {
			return err
		}
	}
	return nil
}

// item returns the address of the i-th matrix.
func item(m routine.Matrices, t routine.Type, i int) uintptr {
	return uintptr(m.Addr) + uintptr(i*m.Step*t.Size())
}

// entry returns the address of the i-th vector.
func entry(v routine.Vectors, size, i int) uintptr { return uintptr(v.Addr) + uintptr(i*v.Step*size) }
