package corpus

import (
	"math"
	"math/bits"
)

// details are kernels for what CUDA C++ has beside loops and arithmetic.
var details = map[string]func(Memory){
	"bits64": func(m Memory) {
		a, b := uints(m, "a"), uints(m, "b")
		joined := func(x []uint32, i int) uint64 { return uint64(x[2*i])<<32 | uint64(x[2*i+1]) }
		shifted := func(i int) uint64 { return joined(a, i) >> (i % 64) }
		fill(ints(m, "found"), func(i int) int32 {
			v := shifted(i)
			first := bits.TrailingZeros64(v) + 1
			if v == 0 {
				first = 0
			}
			return int32(bits.LeadingZeros64(v)*1000000 + bits.OnesCount64(v)*1000 + first + 64)
		})
		fill(view[uint64](m, "reversed"), func(i int) uint64 { return bits.Reverse64(shifted(i)) })
		fill(view[uint64](m, "high"), func(i int) uint64 {
			v, w := joined(a, i), joined(b, i)
			high, _ := bits.Mul64(v, w)
			signed := high - v*(w>>63) - w*(v>>63)
			return high ^ signed<<1
		})
		fill(ints(m, "low"), func(i int) int32 {
			narrow := func(v uint32) int32 { return int32(v<<8) >> 8 }
			r := uint32(uint64(a[i]) * uint64(b[i]) >> 32)
			r = r*31 + uint32(int64(int32(a[i]))*int64(int32(b[i]))>>32)
			r = r*31 + a[i]&0xffffff*(b[i]&0xffffff)
			return int32(r*31 + uint32(narrow(a[i])*narrow(b[i])))
		})
		fill(ints(m, "means"), func(i int) int32 {
			x, y, u, v := int64(int32(a[i])), int64(int32(b[i])), uint64(a[i]), uint64(b[i])
			difference := func(a, b int64) uint32 { return uint32(max(a-b, b-a)) }
			r := uint32((x + y) >> 1)
			r = r*31 + uint32((x+y+1)>>1)
			r = r*31 + uint32((u+v)>>1)
			r = r*31 + uint32((u+v+1)>>1)
			r = r*31 + difference(x>>1, y>>1) + 5
			return int32(r*31 + difference(int64(u), int64(v)) + 7)
		})
	},
	"directed": directed,
	"assembly": assembly,
	"dispatch": dispatch,
	"layout": func(m Memory) {
		x := uints(m, "x")
		fill(uints(m, "packed"), func(i int) uint32 {
			middle := int32(x[i]>>9<<25) >> 25
			return x[i]&31 + uint32(100*(middle+64)) + 20000*((x[i]>>13+1)&0xffff%1000) + 4
		})
		fill(uints(m, "looked"), func(i int) uint32 {
			return (x[i]>>8&255*7+x[i]>>16)*31 + math.Float32bits(float32(i))>>20
		})
		rows := ints(m, "rows")
		for i := range x {
			rows[2*i] = int32(x[i]%8 + x[i]>>8&7*[]uint32{10, 100}[i%2] + []uint32{3, 4, 9}[i%3]*1000)
			rows[2*i+1] = 16 + 16 + 1
		}
	},
	"control": control,
	"scopes":  scopes,
}

// rounded returns the numbers of 32 bits beside an exact one: the next below and above, which are equal if it is one itself.
func rounded(exact float64) (down, up float32) {
	near := float32(exact)
	down, up = near, near
	if float64(near) > exact {
		down = math.Nextafter32(near, float32(math.Inf(-1)))
	}
	if float64(near) < exact {
		up = math.Nextafter32(near, float32(math.Inf(1)))
	}
	return down, up
}

func directed(m Memory) {
	x, y, sums, products := floats(m, "x"), floats(m, "y"), floats(m, "sums"), floats(m, "products")
	zero := func(down, up float32) float32 {
		if down >= 0 {
			return down
		}
		return up
	}
	for i := range x {
		a, b := x[i]-0.5, y[i]*100
		wide := float64(a) + float64(b) // exact, as both are multiples of 2^-44 and small
		down, up := rounded(wide)
		sums[4*i], sums[4*i+1], sums[4*i+2], sums[4*i+3] = down, up, -zero(down, up), a-b
		wide = float64(a) * float64(b)
		down, up = rounded(wide)
		products[4*i], products[4*i+1], products[4*i+2] = down, up, zero(down, up)
		products[4*i+3] = float32(max(a, 0)) + float32(wide)
	}
	fill(ints(m, "parts"), func(i int) int32 {
		fraction, exponent := math.Frexp(float64(float32(x[i]*float32(i)) + 1))
		whole, rest := math.Modf(float64(x[i] * 100))
		sign := int32(0)
		if x[i] < 0.5 {
			sign = 1
		}
		return int32(exponent*1000) + int32(float32(fraction)*512) + int32(whole)*100000 + int32(float32(rest)*1024)*7 + 3 + sign + 3
	})
	out := doubles(m, "doubles")
	for i := range x {
		a, b := float64(x[i]), float64(y[i])
		high, low := int32(math.Float64bits(a)>>32), int32(math.Float64bits(a))
		out[2*i] = float64(a*b) + float64(3*float64(high))
		out[2*i+1] = -b + float64(low) + math.Floor(float64(float32(x[i]*50)-25))
	}
}

func assembly(m Memory) {
	a, b := uints(m, "a"), uints(m, "b")
	fill(uints(m, "logic"), func(i int) uint32 {
		x, y, z := a[i], b[i], a[i+256]
		both := uint64(y)<<32 | uint64(x)
		var t uint32
		for k, from := range []int{5, 1, 7, 3} {
			t |= uint32(both>>(8*from)&255) << (8 * k)
		}
		// The upper word of the two after the shift: those of x, and the first bits of t.
		return (x&y|x&z|y&z)*31 + (x<<5 | t>>27)
	})
	fill(uints(m, "fields"), func(i int) uint32 {
		field := a[i] >> (i % 24) & 127
		mask := uint32(511) << (i % 20)
		return (b[i]&^mask|a[i]<<(i%20)&mask)*31 + field*7 + uint32(int32(field<<25)>>25)
	})
	sums := uints(m, "sums")
	for i := 0; i < len(sums); i += 4 {
		carry := uint32(0)
		for k := i; k < i+4; k++ {
			sums[k], carry = bits.Add32(a[k], b[k], carry)
		}
	}
	fill(uints(m, "lanes"), func(i int) uint32 { return uint32(i%32 + 100*(i%32) + 10000*(i/128) + 12800000) })
}

func dispatch(m Memory) {
	x := ints(m, "x")
	fill(ints(m, "areas"), func(i int) int32 {
		if i%3 == 0 {
			return x[i]*x[i]*10 + 4
		}
		return 30 * (x[i] + 1) * (x[i] + 1)
	})
	steps := []func(int32) int32{
		func(v int32) int32 { return 2 * v }, func(v int32) int32 { return v - 1 }, func(v int32) int32 { return v * v },
	}
	fill(ints(m, "table"), func(i int) int32 {
		v := x[i]
		for k := range 4 {
			v = steps[(i+k)%3](v)
		}
		return v
	})
	fill(ints(m, "members"), func(i int) int32 {
		row, column := x[i], int32(i)
		part, how := column, row+column
		if i%2 == 1 {
			part = row
		}
		if i%5 == 0 {
			how = row - column
		}
		return part*1000 + how
	})
	fill(ints(m, "depth"), func(i int) int32 {
		n := int32(i % 7)
		return []int32{n + 1, n + 2, 2*n + 3}[i%3]
	})
}

func control(m Memory) {
	x := ints(m, "x")
	fill(ints(m, "ran"), func(i int) int32 {
		v, steps := x[i]+9, int32(0)
		for again := true; again && steps < 100; {
			v = v*3 + 7
			again = v < 40
			steps += 7 // push, multiply, push, swap, add, compare, jump
		}
		return v*100 + steps + 1
	})
	fill(ints(m, "jumped"), func(i int) int32 {
		v, n := x[i], int32(0)
		for n < 9 {
			switch v & 3 {
			case 0:
				v = (v+5)*3 - 2
			case 1:
				v = v*3 - 2
			case 2:
				v -= 2
			default:
				v /= 2
			}
			n++
			if v >= 1000 {
				break
			}
		}
		return v*10 + n
	})
	copied := ints(m, "copied")
	for i := range copied {
		if i%16 <= i/16 {
			copied[i] = x[i] + 1
		}
	}
}

func scopes(m Memory) {
	x := ints(m, "x")
	fill(ints(m, "where"), func(i int) int32 {
		v := x[i]
		if i%3 == 0 {
			v = x[i^1]
		}
		return 100*(v+8) + 10000*4*int32(i%128)
	})
	votes, counts := view[uint16](m, "votes"), ints(m, "counts")
	most := view[int64](m, "most")
	for i, v := range x {
		at := int(v+8)%16 + 32*(i/128)
		votes[at]++
		counts[at] += 3
		counts[at+16] = max(counts[at+16], int32(i%128))
		wide := int64(v)*10000000000 + int64(i)
		most[0], most[1] = max(most[0], wide), min(most[1], wide)
	}
	fill(ints(m, "hinted"), func(i int) int32 {
		v := 11*x[i] + 4*x[i^1]
		if i%2 == 0 {
			v += x[i]
		}
		return v
	})
}
