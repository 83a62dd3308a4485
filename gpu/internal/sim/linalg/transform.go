package linalg

import (
	"math/cmplx"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

func transform(c *routine.Transform, parts [][]byte) {
	if c.Double {
		transformAs(c, parts,
			func(v float64) complex128 { return complex(v, 0) }, func(v complex128) complex128 { return v },
			func(v complex128) float64 { return real(v) }, func(v complex128) complex128 { return v })
		return
	}
	transformAs(c, parts,
		func(v float32) complex128 { return complex(float64(v), 0) }, func(v complex64) complex128 { return complex128(v) },
		func(v complex128) float32 { return float32(real(v)) }, func(v complex128) complex64 { return complex64(v) })
}

// transformAs transforms arrays with numbers of type R and C.
func transformAs[R float32 | float64, C complex64 | complex128](
	c *routine.Transform, parts [][]byte,
	fromReal func(R) complex128, fromComplex func(C) complex128, toReal func(complex128) R, toComplex func(complex128) C,
) {
	in, out := c.Sizes()
	dims := c.Dims[:c.Rank]
	last := dims[len(dims)-1]
	half := last/2 + 1
	for i := range c.Count {
		switch c.Kind {
		case routine.ComplexToComplex:
			data := make([]complex128, in)
			for j, v := range view[C](parts[0], i*in)[:in] {
				data[j] = fromComplex(v)
			}
			for axis := range dims {
				along(data, dims, axis, c.Inverse)
			}
			to := view[C](parts[1], i*out)
			for j, v := range data {
				to[j] = toComplex(v)
			}
		case routine.RealToComplex:
			data := make([]complex128, in)
			for j, v := range view[R](parts[0], i*in)[:in] {
				data[j] = fromReal(v)
			}
			for axis := range dims {
				along(data, dims, axis, false)
			}
			to := view[C](parts[1], i*out)
			for j := range out {
				to[j] = toComplex(data[j/half*last+j%half])
			}
		case routine.ComplexToReal:
			data := make([]complex128, in)
			for j, v := range view[C](parts[0], i*in)[:in] {
				data[j] = fromComplex(v)
			}
			folded := append(append([]int(nil), dims[:len(dims)-1]...), half)
			for axis := range len(dims) - 1 {
				along(data, folded, axis, true)
			}
			to := view[R](parts[1], i*out)
			shared(out/last, func(from, end int) {
				plan, whole := fourier.NewCmplxFFT(last), make([]complex128, last)
				for row := from; row < end; row++ {
					unfold(whole, data[row*half:][:half])
					for j, v := range plan.Sequence(whole, whole) {
						to[row*last+j] = toReal(v)
					}
				}
			})
		}
	}
}

// unfold makes the coefficients of real numbers of the first half of them, whose first and, if
// there is one in the middle, last count as real.
func unfold(whole, half []complex128) {
	n := len(whole)
	copy(whole, half)
	whole[0] = complex(real(whole[0]), 0)
	if n%2 == 0 {
		whole[n/2] = complex(real(whole[n/2]), 0)
	}
	for j := len(half); j < n; j++ {
		whole[j] = cmplx.Conj(whole[n-j])
	}
}

// along transforms an array along one of its dimensions.
func along(data []complex128, dims []int, axis int, inverse bool) {
	n, stride := dims[axis], 1
	for _, d := range dims[axis+1:] {
		stride *= d
	}
	if n == 1 {
		return
	}
	shared(len(data)/n, func(from, end int) {
		plan, line := fourier.NewCmplxFFT(n), make([]complex128, n)
		for row := from; row < end; row++ {
			start := row/stride*stride*n + row%stride
			for j := range line {
				line[j] = data[start+j*stride]
			}
			if inverse {
				plan.Sequence(line, line)
			} else {
				plan.Coefficients(line, line)
			}
			for j, v := range line {
				data[start+j*stride] = v
			}
		}
	})
}

// shared has f do the numbers from 0 to n, in as many stretches as there are processors.
func shared(n int, f func(from, end int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(w*n/workers, (w+1)*n/workers) })
	}
	wg.Wait()
}
