package linalg

import (
	"math/cmplx"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

func transform(c *routine.Transform, parts [][]byte) {
	if !vectored(c, parts) {
		slowly(c, parts)
	}
}

// slowly transforms in complex128.
func slowly(c *routine.Transform, parts [][]byte) {
	if c.Double {
		t := transformer[float64, complex128]{
			call: c, in: parts[0], out: parts[1], dims: c.Dims[:c.Rank],
			fromReal: func(v float64) complex128 { return complex(v, 0) }, fromComplex: func(v complex128) complex128 { return v },
			toReal: func(v complex128) float64 { return real(v) }, toComplex: func(v complex128) complex128 { return v },
		}
		t.run()
		return
	}
	t := transformer[float32, complex64]{
		call: c, in: parts[0], out: parts[1], dims: c.Dims[:c.Rank],
		fromReal: func(v float32) complex128 { return complex(float64(v), 0) }, fromComplex: func(v complex64) complex128 { return complex128(v) },
		toReal: func(v complex128) float32 { return float32(real(v)) }, toComplex: func(v complex128) complex64 { return complex64(v) },
	}
	t.run()
}

// A transformer transforms arrays with elements of type R and C.
type transformer[R float32 | float64, C complex64 | complex128] struct {
	call    *routine.Transform
	in, out []byte
	dims    []int

	fromReal    func(R) complex128
	fromComplex func(C) complex128
	toReal      func(complex128) R
	toComplex   func(complex128) C
}

func (t *transformer[R, C]) run() {
	in, out := t.call.Sizes()
	for i := range t.call.Count {
		switch t.call.Kind {
		case routine.ComplexToComplex:
			t.complexToComplex(i*in, i*out, in)
		case routine.RealToComplex:
			t.realToComplex(i*in, i*out, in, out)
		case routine.ComplexToReal:
			t.complexToReal(i*in, i*out, in, out)
		}
	}
}

// complexToComplex, like the other two, transforms the array that begins at element from of the
// input and element at of the output; in is the length of the input.
func (t *transformer[R, C]) complexToComplex(from, at, in int) {
	data := convert(view[C](t.in, from)[:in], t.fromComplex)
	for axis := range t.dims {
		along(data, t.dims, axis, t.call.Inverse)
	}
	to := view[C](t.out, at)
	for j, v := range data {
		to[j] = t.toComplex(v)
	}
}

func (t *transformer[R, C]) realToComplex(from, at, in, out int) {
	data := convert(view[R](t.in, from)[:in], t.fromReal)
	for axis := range t.dims {
		along(data, t.dims, axis, false)
	}
	last, half := t.rows()
	to := view[C](t.out, at)
	for j := range out {
		to[j] = t.toComplex(data[j/half*last+j%half])
	}
}

func (t *transformer[R, C]) complexToReal(from, at, in, out int) {
	data := convert(view[C](t.in, from)[:in], t.fromComplex)
	last, half := t.rows()
	n := len(t.dims) - 1
	folded := append(append([]int(nil), t.dims[:n]...), half)
	for axis := range n {
		along(data, folded, axis, true)
	}
	to := view[R](t.out, at)
	cores.Range(out/last, 20*float64(last), func(from, end int) {
		rows, whole := newTransforms(last), make([]complex128, last)
		for row := from; row < end; row++ {
			unfold(whole, data[row*half:][:half])
			rows.line(whole, true)
			for j, v := range whole {
				to[row*last+j] = t.toReal(v)
			}
		}
	})
}

// rows returns the length of the last dimension, and how many coefficients of a row of real numbers are stored:
// the others are conjugates of these.
func (t *transformer[R, C]) rows() (last, half int) {
	last = t.dims[len(t.dims)-1]
	return last, last/2 + 1
}

func convert[T any](list []T, f func(T) complex128) []complex128 {
	data := make([]complex128, len(list))
	for j, v := range list {
		data[j] = f(v)
	}
	return data
}

// unfold computes all coefficients of real numbers from the first half of them. The first coefficient and, if
// there is one, the middle one are taken as real.
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

// along transforms an array along one axis.
func along(data []complex128, dims []int, axis int, inverse bool) {
	n, stride := dims[axis], 1
	for _, d := range dims[axis+1:] {
		stride *= d
	}
	if n == 1 {
		return
	}
	cores.Range(len(data)/n, 20*float64(n), func(from, end int) {
		t, line := newTransforms(n), make([]complex128, n)
		for row := from; row < end; row++ {
			start := row/stride*stride*n + row%stride
			for j := range line {
				line[j] = data[start+j*stride]
			}
			t.line(line, inverse)
			for j, v := range line {
				data[start+j*stride] = v
			}
		}
	})
}
