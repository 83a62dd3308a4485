package corpus

import "math"

// halves are kernels with 16-bit floating-point numbers. Each operation rounds its result, as on the device.
var halves = map[string]func(Memory){
	"half": func(m Memory) {
		a, b := view[uint16](m, "a"), view[uint16](m, "b")
		round := func(v float64) float64 { return float64(fromHalf(toHalf(float32(v)))) }
		at := func(s []uint16, i int) float64 { return float64(fromHalf(s[i])) }
		fill(view[uint16](m, "sum"), func(i int) uint16 {
			v := round(at(a, i) + at(b, i))
			if v > 1 {
				v = round(v - 0.5)
			}
			if !(at(a, i) < at(b, i)) {
				v = -v
			}
			return toHalf(float32(v))
		})
		fill(view[uint16](m, "fused"), func(i int) uint16 {
			inner := round(at(a, i) * round(at(b, i)-at(a, i)))
			return toHalf(float32(at(a, i)*at(b, i) + inner))
		})
		fill(view[uint16](m, "pairs"), func(i int) uint16 {
			return toHalf(float32(round(at(a, i^1)+at(b, i^1)) * 3))
		})
		for i := range a {
			floats(m, "dot")[i/256] += float32(at(a, i) * at(b, i))
		}
		fill(ints(m, "whole"), func(i int) int32 {
			h := round(at(a, i) * 100)
			return int32(math.RoundToEven(h))*1000 + int32(h) + int32(toHalf(float32(h)))*1000000
		})
		fill(view[uint16](m, "roots"), func(i int) uint16 { return toHalf(float32(math.Sqrt(at(a, i)))) })
		view[uint16](m, "total")[0] = toHalf(64)
	},
	"half_rounding": func(m Memory) {
		x := floats(m, "x")
		value := func(i int) float64 { return float64((x[i] - 0.5) * 100) }
		fill(view[uint16](m, "up"), func(i int) uint16 { return directedHalf(value(i), 1) })
		fill(view[uint16](m, "down"), func(i int) uint16 { return directedHalf(value(i), -1) })
		fill(view[uint16](m, "zero"), func(i int) uint16 { return directedHalf(value(i), 0) })
		fill(view[uint16](m, "whole"), func(i int) uint16 { return directedHalf(float64((i-256)*101), 1-i%2) })
		fill(ints(m, "back"), func(i int) int32 {
			v := float64(fromHalf(toHalf(float32((i-256)*101) * 0.01)))
			return int32(math.Floor(v))*1000 + int32(math.Ceil(v))
		})
	},
	"bfloat16": func(m Memory) {
		a, b := view[uint16](m, "a"), view[uint16](m, "b")
		at := func(s []uint16, i int) float64 { return float64(fromBfloat16(s[i])) }
		fill(view[uint16](m, "sum"), func(i int) uint16 {
			if at(a, i) < at(b, i) {
				return toBfloat16(float32(at(a, i) + at(b, i)))
			}
			return toBfloat16(float32(at(a, i) * at(b, i)))
		})
		fill(view[uint16](m, "pairs"), func(i int) uint16 {
			less := fromBfloat16(toBfloat16(float32(at(a, i) - 1)))
			return toBfloat16(less * float32(at(b, i)))
		})
		fill(floats(m, "big"), func(i int) float32 {
			return fromBfloat16(toBfloat16(fromBfloat16(a[i]) * 1e30))
		})
	},
}

// directedHalf rounds up, down (-1) or towards zero (0). Of the neighbours of the nearest number it takes the one next to v on
// that side.
func directedHalf(v float64, direction int) uint16 {
	if direction == 0 {
		direction = 1
		if v > 0 {
			direction = -1
		}
	}
	near := toHalf(float32(v))
	for _, h := range []uint16{near, near - 1, near + 1} {
		got := float64(fromHalf(h))
		if direction > 0 && got >= v || direction < 0 && got <= v {
			return h
		}
	}
	return near
}
