package simd

import (
	"math"
	"slices"
)

// Sum returns the sum of float32s in float64.
func Sum(x []float32) float64 {
	sum, done := 0.0, 0
	if n := len(x) &^ 7; Has && n > 0 {
		var parts [4]float64
		sum32(&parts[0], &x[0], n)
		sum, done = (parts[0]+parts[1])+(parts[2]+parts[3]), n
	}
	return sum + sumRest(x[done:])
}

// SumDouble returns the sum of float64s.
func SumDouble(x []float64) float64 {
	sum, done := 0.0, 0
	if n := len(x) &^ 3; Has && n > 0 {
		var parts [4]float64
		sum64(&parts[0], &x[0], n)
		sum, done = (parts[0]+parts[1])+(parts[2]+parts[3]), n
	}
	return sum + sumRest(x[done:])
}

// SumInt32 returns the sum of int32s, which wraps around.
func SumInt32(x []int32) (sum int32) {
	done := 0
	if n := len(x) &^ 7; Has && n > 0 {
		var parts [8]int32
		sumInt32(&parts[0], &x[0], n)
		for _, v := range parts {
			sum += v
		}
		done = n
	}
	for _, v := range x[done:] {
		sum += v
	}
	return sum
}

// RunningInt32 stores the sums of before and all elements up to each, which wrap around. Out has as many elements or more.
func RunningInt32(out, x []int32, before int32) {
	done := 0
	if n := len(x) &^ 7; Has && n > 0 {
		running32(&out[0], &x[0], &before, n)
		done = n
	}
	for i := done; i < len(x); i++ {
		before += x[i]
		out[i] = before
	}
}

// sumRest has four partial sums, so that additions need not wait for each other.
func sumRest[T float32 | float64](x []T) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += float64(x[0])
		b += float64(x[1])
		c += float64(x[2])
		d += float64(x[3])
	}
	for _, v := range x {
		a += float64(v)
	}
	return (a + b) + (c + d)
}

// Extreme returns the largest or, if least is set, the smallest of some numbers, of which there is at least one, and reports whether one of
// them is no number, in which case the result is any.
func Extreme(x []float32, least bool) (best float32, nan bool) {
	n := len(x) &^ 7
	if !Has || n == 0 {
		return extreme(x, x[0], least, false)
	}
	var lanes [16]float32
	if least {
		lowest32(&lanes[0], &x[0], n)
	} else {
		highest32(&lanes[0], &x[0], n)
	}
	for _, v := range lanes[8:] {
		nan = nan || math.Float32bits(v) != 0
	}
	best, _ = extreme(lanes[:8], lanes[0], least, false)
	return extreme(x[n:], best, least, nan)
}

// ExtremeDouble is Extreme for float64s.
func ExtremeDouble(x []float64, least bool) (best float64, nan bool) {
	n := len(x) &^ 3
	if !Has || n == 0 {
		return extreme(x, x[0], least, false)
	}
	var lanes [8]float64
	if least {
		lowest64(&lanes[0], &x[0], n)
	} else {
		highest64(&lanes[0], &x[0], n)
	}
	for _, v := range lanes[4:] {
		nan = nan || math.Float64bits(v) != 0
	}
	best, _ = extreme(lanes[:4], lanes[0], least, false)
	return extreme(x[n:], best, least, nan)
}

// extreme is Extreme of best and some numbers. It reports nan, too.
func extreme[T float32 | float64](x []T, best T, least, nan bool) (T, bool) {
	for _, v := range x {
		switch {
		case v != v:
			nan = true
		case least && v < best, !least && v > best:
			best = v
		}
	}
	return best, nan
}

// Range32 returns the smallest and the largest of some numbers, of which there is at least one.
func Range32(x []int32) (low, high int32) {
	low, high = x[0], x[0]
	if n := len(x) &^ 7; Has && n > 0 {
		var lanes [16]int32
		range32(&lanes[0], &x[0], n)
		low, high = slices.Min(lanes[:8]), slices.Max(lanes[8:])
		x = x[n:]
	}
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// Range64 is Range32 for numbers of 64 bits.
func Range64(x []int64) (low, high int64) {
	low, high = x[0], x[0]
	if n := len(x) &^ 3; Has && n > 0 {
		var lanes [8]int64
		range64(&lanes[0], &x[0], n)
		low, high = slices.Min(lanes[:4]), slices.Max(lanes[4:])
		x = x[n:]
	}
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
