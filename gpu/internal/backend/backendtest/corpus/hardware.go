package corpus

import "math"

// hardware are kernels for special functions of the hardware: tensor cores, arithmetic on parts of words, small numbers,
// asynchronous copies, memory from a heap, groups of all kinds and atomic objects.
var hardware = map[string]func(Memory){
	"tensor_cores": func(m Memory) {
		half := func(name string) func(i int) float64 {
			s := view[uint16](m, name)
			return func(i int) float64 { return float64(fromHalf(s[i])) }
		}
		a, b := half("a"), half("b")
		c := floats(m, "c")
		fill(c, func(i int) float32 {
			return float32(2*dot(32, func(k int) float64 { return a(i/32*32+k) * b(k*32+i%32) }) + float64(c[i]))
		})
		fill(view[uint16](m, "small"), func(i int) uint16 {
			return toHalf(float32(1 + dot(16, func(k int) float64 { return a(i%16*16+k) * b(i/16*16+k) })))
		})
		bytes, more := view[int8](m, "bytes"), view[int8](m, "more")
		fill(ints(m, "whole"), func(i int) int32 {
			return int32(dot(16, func(k int) float64 { return float64(bytes[i/8*16+k]) * float64(more[k*8+i%8]) })) - 5
		})
		brain := view[uint16](m, "brain")
		fill(floats(m, "brains"), func(i int) float32 {
			return float32(dot(16, func(k int) float64 {
				return float64(fromBfloat16(brain[i/16*16+k])) * float64(fromBfloat16(brain[i%16*16+k]))
			}))
		})
		f, g := floats(m, "f"), floats(m, "g")
		fill(floats(m, "tf"), func(i int) float32 {
			return float32(dot(8, func(k int) float64 { return float64(f[i/16*8+k]) * float64(g[k*16+i%16]) }))
		})
		d, e := doubles(m, "d"), doubles(m, "e")
		fill(doubles(m, "dd"), func(i int) float64 {
			return dot(4, func(k int) float64 { return d[i/8*4+k] * e[i%8*4+k] })
		})
	},
	"byte_math": func(m Memory) {
		a, b := uints(m, "a"), uints(m, "b")
		s8 := func(w uint32, i int) int { return int(int8(w >> (8 * i))) }
		u8 := func(w uint32, i int) int { return int(uint8(w >> (8 * i))) }
		s16 := func(w uint32, i int) int { return int(int16(w >> (16 * i))) }
		u16 := func(w uint32, i int) int { return int(uint16(w >> (16 * i))) }
		fill(ints(m, "dots"), func(i int) int32 {
			sum := 7 + 9 + 3*1 + 5*2
			for k := range 4 {
				sum += s8(a[i], k)*s8(b[i], k) + u8(a[i], k)*u8(b[i], k)
			}
			for k := range 2 {
				sum += 3*s16(a[i], k)*s8(b[i], k) + 5*u16(a[i], k)*u8(b[i], k+2)
			}
			return int32(sum)
		})
		type parts struct {
			n, width int
			part     func(uint32, int) int
		}
		bytes, bytesS := parts{4, 8, u8}, parts{4, 8, s8}
		halves, halvesS := parts{2, 16, u16}, parts{2, 16, s16}
		each := func(x, y uint32, p parts, f func(a, b int) int) (r uint32) {
			for i := range p.n {
				r |= uint32(f(p.part(x, i), p.part(y, i))) & (1<<p.width - 1) << (p.width * i)
			}
			return r
		}
		add := func(a, b int) int { return a + b }
		sub := func(a, b int) int { return a - b }
		clamp := func(f func(a, b int) int, low, high int) func(a, b int) int {
			return func(a, b int) int { return min(max(f(a, b), low), high) }
		}
		least := func(a, b int) int { return min(a, b) }
		most := func(a, b int) int { return max(a, b) }
		difference := func(a, b int) int { return max(a-b, b-a) }
		truth := func(yes bool, v int) int {
			if yes {
				return v
			}
			return 0
		}
		fill(uints(m, "parts"), func(i int) uint32 {
			x, y := a[i], b[i]
			sad := uint32(0)
			for k := range 4 {
				sad += uint32(difference(u8(x, k), u8(y, k)))
			}
			return fold(
				each(x, y, bytes, add), each(x, y, bytes, sub), each(x, y, bytes, clamp(add, 0, 255)), each(x, y, bytes, clamp(sub, 0, 255)),
				each(x, y, bytesS, clamp(add, -128, 127)), each(x, y, bytes, func(a, b int) int { return (a + b + 1) / 2 }),
				each(x, y, bytes, difference), each(x, y, bytesS, most), each(x, y, bytes, least),
				each(x, y, bytes, func(a, b int) int { return truth(a > b, 255) }), each(x, y, bytesS, func(a, b int) int { return truth(a <= b, 1) }),
				sad, each(x, 0, bytesS, difference), each(0, y, bytes, sub),
			)
		})
		fill(uints(m, "halves"), func(i int) uint32 {
			x, y := a[i], b[i]
			sad := uint32(0)
			for k := range 2 {
				sad += uint32(difference(s16(x, k), s16(y, k)))
			}
			return fold(
				each(x, y, halves, add), each(x, y, halvesS, clamp(sub, -32768, 32767)), each(x, y, halves, clamp(add, 0, 65535)),
				each(x, y, halvesS, func(a, b int) int { return (a + b + truth(a+b >= 0, 1)) >> 1 }),
				each(x, y, halves, func(a, b int) int { return (a + b) >> 1 }), each(x, y, halvesS, difference),
				each(x, y, halves, most), each(x, y, halvesS, least),
				each(x, y|0xffff, halves, func(a, b int) int { return truth(a == b, 0xffff) }),
				each(x, y, halves, func(a, b int) int { return truth(a >= b, 1) }), sad,
				each(x, 0, halvesS, clamp(difference, 0, 32767)),
			)
		})
		fill(uints(m, "shifts"), func(i int) uint32 {
			n := uint32(i % 40)
			lo, hi := a[i], b[i]
			both := uint64(hi)<<32 | uint64(lo)
			left := func(n uint32) uint32 { return uint32(both << n >> 32) }
			right := func(n uint32) uint32 { return uint32(both >> n) }
			permuted := uint32(0)
			for k := range 4 {
				permuted |= uint32(uint8(both>>((0x6420+uint32(i%8))>>(4*k)&7*8))) << (8 * k)
			}
			return left(n%32) + 3*right(n%32) + 5*left(min(n, 32)) + 7*right(min(n, 32)) + permuted
		})
		fill(uints(m, "nth"), func(i int) uint32 { return nthSet(a[i], int(b[i]%32), i%9-4) })
	},
	"float8": func(m Memory) {
		a := floats(m, "a")
		fill(view[uint8](m, "four"), func(i int) uint8 { return toFloat8(scaled(a, i), e4m3, true) })
		fill(view[uint8](m, "five"), func(i int) uint8 { return toFloat8(scaled(a, i), e5m2, false) })
		fill(floats(m, "back"), func(i int) float32 {
			v := scaled(a, i)
			return float32(fromFloat8(toFloat8(v, e4m3, true), e4m3)) + float32(fromFloat8(toFloat8(v, e5m2, true), e5m2))
		})
		fill(view[uint16](m, "pairs"), func(i int) uint16 {
			return uint16(toFloat8(float64(a[2*i]*600), e4m3, true)) | uint16(toFloat8(float64(-a[2*i+1]), e4m3, true))<<8
		})
		for name, kind := range map[string]float8{"all": e4m3, "other": e5m2} {
			fill(view[uint16](m, name), func(i int) uint16 {
				v := fromFloat8(uint8(i), kind)
				if v != v {
					v = 0
				}
				return toHalf(float32(v)) | uint16(truthBit(v == 0 && i == 0x80))<<15
			})
		}
	},
	"async_copy": func(m Memory) {
		x := floats(m, "x")
		reversed := func(i int) float32 { return x[i&^255+255-i%256] }
		fill(floats(m, "single"), reversed)
		fill(floats(m, "group"), reversed)
		fill(floats(m, "barrier"), func(i int) float32 { return 1 + reversed(i) })
		for i, v := range x {
			floats(m, "sums")[i/2048] += v
		}
		fill(floats(m, "handed"), func(i int) float32 { return x[i^31] * x[i^31] })
	},
	"device_heap": func(m Memory) {
		for i := range 64 {
			for k := range i % 5 {
				ints(m, "sums")[i] += int32(i + k)
			}
			ints(m, "objects")[i] = int32(28*2*i*100 + 11)
		}
	},
	"group_parts": func(m Memory) {
		x := ints(m, "x")
		for i, v := range x {
			before := int32(0)
			for _, w := range x[i&^15 : i] {
				before += w
			}
			ints(m, "scans")[i] = (before+v)*1000 + before
			warp, lane := x[i&^31:i&^31+32], i%32
			size, rank, sideSize, sideRank, first := int32(0), int32(0), int32(0), int32(0), int32(0)
			for k, w := range warp {
				if w == v {
					size++
					rank += truthBit(k < lane)
				}
				if (w > 0) == (v > 0) {
					if sideSize == 0 {
						first = w
					}
					sideSize++
					sideRank += truthBit(k < lane)
				}
			}
			ints(m, "labels")[i] = size*100 + rank + 10000*size
			ints(m, "sides")[i] = sideSize*100 + sideRank + 10000*first
			ints(m, "parts")[i] = x[i&^7]*1000 + int32(i%8*10+i%32/8) + 64000000
		}
	},
	"atomic_objects": func(m Memory) {
		for i, v := range ints(m, "x") {
			ints(m, "count")[i/256] += truthBit(v > 3)
			ints(m, "most")[0] = max(ints(m, "most")[0], v)
		}
		ints(m, "total")[0] = 4
		fill(ints(m, "got")[:32], func(int) int32 { return 42 })
	},
}

func truthBit(yes bool) int32 {
	if yes {
		return 1
	}
	return 0
}

func dot(n int, term func(k int) float64) (sum float64) {
	for k := range n {
		sum += term(k)
	}
	return sum
}

// fold combines several numbers into one, as byte_math.cu does.
func fold(parts ...uint32) (r uint32) {
	for _, p := range parts {
		r = r*31 + p
	}
	return r
}

// nthSet is __fns: it returns the index of the n-th set bit from base on, upwards or downwards.
func nthSet(mask uint32, base, n int) uint32 {
	step := 1
	switch {
	case n == 0:
		if mask>>base&1 == 1 {
			return uint32(base)
		}
		return math.MaxUint32
	case n < 0:
		step, n = -1, -n
	}
	for at := base; at >= 0 && at < 32; at += step {
		if mask>>at&1 == 1 {
			if n--; n == 0 {
				return uint32(at)
			}
		}
	}
	return math.MaxUint32
}

func scaled(a []float32, i int) float64 { return math.Ldexp(float64(a[i]-0.5), i%40-20) }

// float8 describes an 8-bit floating-point format: the number of bits of its fraction, the exponent bias, and the largest number.
type float8 struct {
	fraction, bias int
	largest        uint8
}

var (
	e4m3 = float8{3, 7, 0x7e}
	e5m2 = float8{2, 15, 0x7b}
)

func toFloat8(v float64, kind float8, saturate bool) uint8 {
	sign := uint8(0)
	if math.Signbit(v) {
		sign = 0x80
	}
	a := math.Abs(v)
	// All representable numbers, from the smallest: the nearest, and on a tie the even one.
	for bits := uint8(0); bits <= kind.largest; bits++ {
		low, high := fromFloat8(bits, kind), fromFloat8(bits, kind)+gap(bits, kind)
		if middle := (low + high) / 2; a < middle || a == middle && bits%2 == 0 {
			return sign | bits
		}
	}
	if saturate {
		return sign | kind.largest
	}
	return sign | kind.largest + 1
}

// gap returns the distance to the next larger number.
func gap(bits uint8, kind float8) float64 {
	return math.Ldexp(1, max(int(bits>>kind.fraction), 1)-kind.bias-kind.fraction)
}

func fromFloat8(b uint8, kind float8) float64 {
	size := b & 0x7f
	v := math.NaN()
	switch {
	case size <= kind.largest:
		exponent, fraction := int(size>>kind.fraction), float64(size&(1<<kind.fraction-1))
		if exponent > 0 {
			fraction += math.Ldexp(1, kind.fraction)
		}
		v = math.Ldexp(fraction, max(exponent, 1)-kind.bias-kind.fraction)
	case kind == e5m2 && size == 0x7c:
		v = math.Inf(1)
	}
	if b&0x80 != 0 {
		return -v
	}
	return v
}
