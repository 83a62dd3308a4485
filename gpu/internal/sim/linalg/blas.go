package linalg

import (
	"gonum.org/v1/gonum/blas"

	"github.com/gopherwarp/gopherwarp/gpu/internal/half"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// gemmOf is gonum's matrix product for one type.
type gemmOf[T number] func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)

func gemm(c *routine.Gemm, parts [][]byte) {
	switch c.Type {
	case routine.Float32:
		singles(c, parts)
	case routine.Float64:
		if !multiplier64.multiply(c, parts, real(c.Alpha), real(c.Beta)) {
			products(c, parts, b.Dgemm, real(c.Alpha), real(c.Beta))
		}
	case routine.Complex64:
		products(c, parts, b.Cgemm, complex64(c.Alpha), complex64(c.Beta))
	case routine.Complex128:
		products(c, parts, b.Zgemm, c.Alpha, c.Beta)
	case routine.Float16:
		halfGemm(c, parts, half.To32, half.From32)
	case routine.BFloat16:
		halfGemm(c, parts, half.BrainTo32, half.BrainFrom32)
	}
}

// singles computes products of float32s.
func singles(c *routine.Gemm, parts [][]byte) {
	if !multiplier32.multiply(c, parts, float32(real(c.Alpha)), float32(real(c.Beta))) {
		products(c, parts, b.Sgemm, float32(real(c.Alpha)), float32(real(c.Beta)))
	}
}

func products[T number](c *routine.Gemm, parts [][]byte, f gemmOf[T], alpha, beta T) {
	if c.M == 0 || c.N == 0 {
		return
	}
	for i := range c.Count {
		if c.K == 0 { // gonum requires the factors all the same
			scale(view[T](parts[2], i*c.C.Step), c.M, c.N, c.C.Lead, beta)
			continue
		}
		f(transposed(c.TransB), transposed(c.TransA), c.N, c.M, c.K, alpha,
			view[T](parts[1], i*c.B.Step), c.B.Lead, view[T](parts[0], i*c.A.Step), c.A.Lead, beta,
			view[T](parts[2], i*c.C.Step), c.C.Lead)
	}
}

// scale multiplies the elements of a matrix by a factor. If the factor is 0, NaNs become 0, too.
func scale[T number](c []T, rows, cols, lead int, factor T) {
	if rows == 1 {
		for col := range cols {
			if factor == 0 {
				c[col*lead] = 0
			}
			c[col*lead] *= factor
		}
		return
	}
	for col := range cols {
		column := c[col*lead:][:rows]
		if factor == 0 {
			clear(column)
			continue
		}
		for i := range column {
			column[i] *= factor
		}
	}
}

// halfGemm computes in float32 and rounds the result once.
func halfGemm(c *routine.Gemm, parts [][]byte, widen func(uint16) float32, narrow func(float32) uint16) {
	wide := make([][]byte, len(parts))
	for i, p := range parts {
		numbers := view[uint16](p, 0)
		if len(numbers) == 0 {
			continue
		}
		list := make([]float32, len(numbers))
		for j, v := range numbers {
			list[j] = widen(v)
		}
		wide[i] = bytesOf(list)
	}
	singles(c, wide)
	// Memory between the columns must stay unchanged, NaNs included.
	to, from := view[uint16](parts[2], 0), view[float32](wide[2], 0)
	for i := range c.Count {
		for col := range c.N {
			at := i*c.C.Step + col*c.C.Lead
			for j := at; j < at+c.M; j++ {
				to[j] = narrow(from[j])
			}
		}
	}
}

// trsmOf is gonum's triangular solver for one type.
type trsmOf[T number] func(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha T, a []T, lda int, b []T, ldb int)

func trsm(c *routine.Trsm, parts [][]byte) {
	switch c.Type {
	case routine.Float32:
		solveTriangles(c, parts, b.Strsm, float32(real(c.Alpha)))
	case routine.Float64:
		solveTriangles(c, parts, b.Dtrsm, real(c.Alpha))
	case routine.Complex64:
		solveTriangles(c, parts, b.Ctrsm, complex64(c.Alpha))
	case routine.Complex128:
		solveTriangles(c, parts, b.Ztrsm, c.Alpha)
	}
}

func solveTriangles[T number](c *routine.Trsm, parts [][]byte, f trsmOf[T], alpha T) {
	if c.M == 0 || c.N == 0 {
		return
	}
	diag := blas.NonUnit
	if c.Unit {
		diag = blas.Unit
	}
	for i := range c.Count {
		f(otherSide(c.Side), otherHalf(c.Half), transposed(c.Trans), diag, c.N, c.M, alpha,
			view[T](parts[0], i*c.A.Step), c.A.Lead, view[T](parts[1], i*c.B.Step), c.B.Lead)
	}
}
