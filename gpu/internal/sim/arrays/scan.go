package arrays

import (
	"math"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// scanning returns the routine that replaces each element of each row by the fold of the row up to it: the words are the length of a row
// and the blocks of each.
func scanning(k *expression.Kernel, t expression.Type) *routine {
	switch {
	case k.Folding == expression.Sum && k.Acc == runningIn(t):
		return runningSums.routine(t, 3, 2)
	case k.Folding == expression.Product && k.Acc == runningIn(t):
		return runningProducts.routine(t, 3, 2)
	case k.Folding == expression.Minimum:
		return lowestSoFar.routine(t, 3, 2)
	case k.Folding == expression.Maximum:
		return highestSoFar.routine(t, 3, 2)
	}
	return nil
}

// runningIn returns the type in which running sums and products of that type are computed.
func runningIn(t expression.Type) expression.Type {
	switch t {
	case expression.Float32, expression.Float64:
		return expression.Float64
	case expression.Uint8, expression.Uint16, expression.Uint32, expression.Uint64:
		return expression.Uint64
	}
	return expression.Int64
}

var (
	runningSums = typed{
		expression.Int8: runningSum[int8, int64](), expression.Int16: runningSum[int16, int64](), expression.Int32: runningSum32[int32, int64](), expression.Int64: runningSum[int64, int64](),
		expression.Uint8: runningSum[uint8, uint64](), expression.Uint16: runningSum[uint16, uint64](), expression.Uint32: runningSum32[uint32, uint64](), expression.Uint64: runningSum[uint64, uint64](),
		expression.Float32: runningSum[float32, float64](), expression.Float64: runningSum[float64, float64](),
	}
	runningProducts = typed{
		expression.Int8: runningProduct[int8, int64](), expression.Int16: runningProduct[int16, int64](), expression.Int32: runningProduct[int32, int64](), expression.Int64: runningProduct[int64, int64](),
		expression.Uint8: runningProduct[uint8, uint64](), expression.Uint16: runningProduct[uint16, uint64](), expression.Uint32: runningProduct[uint32, uint64](), expression.Uint64: runningProduct[uint64, uint64](),
		expression.Float32: runningProduct[float32, float64](), expression.Float64: runningProduct[float64, float64](),
	}
)

// running computes sums or products of Ts in type A.
type running[T number, A int64 | uint64 | float64] struct {
	neutral A
	total   func(in []T, before A) A
	scan    func(out, in []T, before A)
	join    func(a, b A) A
	whole   bool // rows are not divided
	vectors bool // elements take a fraction of a nanosecond
}

// each returns about how many nanoseconds n elements take.
func (r *running[T, A]) each(n int) float64 {
	if r.vectors {
		return 0.3 * float64(n)
	}
	return 2 * float64(n)
}

func runningSum[T number, A int64 | uint64 | float64]() routineFunc {
	r := running[T, A]{
		total: func(in []T, sum A) A {
			for _, v := range in {
				sum += A(v)
			}
			return sum
		},
		scan: func(out, in []T, sum A) {
			out = out[:len(in)]
			for i, v := range in {
				sum += A(v)
				out[i] = T(sum)
			}
		},
		join: func(a, b A) A { return a + b },
	}
	zero := math.Copysign(0, -1) // so that the sum of negative zeros is one
	r.neutral = A(zero)
	return r.rows
}

// runningSum32 is runningSum for integers of 32 bits, whose sums wrap around, so that those of A have the same bits.
func runningSum32[T int32 | uint32, A int64 | uint64]() routineFunc {
	if !simd.Has {
		return runningSum[T, A]()
	}
	bits := func(list []T) []int32 { return elements[int32](pointer(unsafe.SliceData(list)), len(list)) }
	r := running[T, A]{
		vectors: true,
		total:   func(in []T, sum A) A { return sum + A(simd.SumInt32(bits(in))) },
		scan:    func(out, in []T, sum A) { simd.RunningInt32(bits(out), bits(in), int32(sum)) },
		join:    func(a, b A) A { return a + b },
	}
	return r.rows
}

func runningProduct[T number, A int64 | uint64 | float64]() routineFunc {
	r := running[T, A]{
		neutral: 1,
		total: func(in []T, product A) A {
			for _, v := range in {
				product *= A(v)
			}
			return product
		},
		scan: func(out, in []T, product A) {
			out = out[:len(in)]
			for i, v := range in {
				product *= A(v)
				out[i] = T(product)
			}
		},
		join: func(a, b A) A { return a * b },
	}
	// The product of a part can be infinite, or zero, where that of the row up to its end is neither, or where 0 times it should be 0.
	_, r.whole = any(r.neutral).(float64)
	return r.rows
}

// scanPart is the number of elements that a thread scans at a time. Longer rows are read twice: first for the totals of their parts. The
// parts do not depend on the number of threads, so neither do the results.
const scanPart = 1 << 13

func (r *running[T, A]) rows(p []pointer, w []int64, blocks int) {
	n := int(w[0])
	rows := blocks / int(w[1])
	out, in := elements[T](p[0], rows*n), elements[T](p[1], rows*n)
	if r.whole || n < 4*scanPart {
		eachRow(rows, r.each(n), func(row int) { r.scan(out[row*n:], in[row*n:][:n], r.neutral) })
		return
	}
	parts := (n + scanPart - 1) / scanPart
	part := func(task int) []T {
		return in[task/parts*n:][:n][task%parts*scanPart:][:min(scanPart, n-task%parts*scanPart)]
	}
	before := make([]A, rows*parts)
	eachRow(rows*parts, r.each(scanPart), func(task int) { before[task] = r.total(part(task), r.neutral) })
	for row := range rows {
		sum := r.neutral
		for k := range parts {
			at := &before[row*parts+k]
			sum, *at = r.join(sum, *at), sum
		}
	}
	eachRow(rows*parts, r.each(scanPart), func(task int) {
		r.scan(out[task/parts*n+task%parts*scanPart:], part(task), before[task])
	})
}

// eachRow calls f for each row, which takes about so many nanoseconds.
func eachRow(rows int, each float64, f func(row int)) {
	cores.Range(rows, each, func(from, to int) {
		for row := from; row < to; row++ {
			f(row)
		}
	})
}

var (
	lowestSoFar = typed{
		expression.Int8: soFar[int8](true), expression.Int16: soFar[int16](true), expression.Int32: soFar[int32](true), expression.Int64: soFar[int64](true),
		expression.Uint8: soFar[uint8](true), expression.Uint16: soFar[uint16](true), expression.Uint32: soFar[uint32](true), expression.Uint64: soFar[uint64](true),
		expression.Float32: soFar[float32](true), expression.Float64: soFar[float64](true),
	}
	highestSoFar = typed{
		expression.Int8: soFar[int8](false), expression.Int16: soFar[int16](false), expression.Int32: soFar[int32](false), expression.Int64: soFar[int64](false),
		expression.Uint8: soFar[uint8](false), expression.Uint16: soFar[uint16](false), expression.Uint32: soFar[uint32](false), expression.Uint64: soFar[uint64](false),
		expression.Float32: soFar[float32](false), expression.Float64: soFar[float64](false),
	}
)

// soFar returns the routine of the extremes up to each element.
func soFar[T number](least bool) routineFunc {
	e := extremes[T]{least: least}
	return func(p []pointer, w []int64, blocks int) {
		n := int(w[0])
		eachRow(blocks/int(w[1]), 2*float64(n), func(row int) {
			size := int(unsafe.Sizeof(T(0)))
			out, in := elements[T](unsafe.Add(p[0], row*n*size), n), elements[T](unsafe.Add(p[1], row*n*size), n)
			best := in[0]
			for i, v := range in {
				if e.replaces(v, best) {
					best = v
				}
				out[i] = best
			}
		})
	}
}
