package simd

import "math"

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
	best = x[0]
	if n := len(x) &^ 7; Has && n > 0 {
		var lanes [16]float32
		if least {
			lowest32(&lanes[0], &x[0], n)
		} else {
			highest32(&lanes[0], &x[0], n)
		}
		best = lanes[0]
		for _, v := range lanes[1:8] {
			if least == (v < best) && v != best {
				best = v
			}
		}
		for _, v := range lanes[8:] {
			nan = nan || math.Float32bits(v) != 0
		}
		x = x[n:]
	}
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
