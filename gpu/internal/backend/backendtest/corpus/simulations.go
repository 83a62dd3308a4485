package corpus

import (
	"math"
	"math/bits"
)

// simulations are kernels of physics, probability and finance.
var simulations = map[string]func(Memory){
	"monte_carlo": func(m Memory) {
		hits := uints(m, "hits")
		for id := range uint32(16 * 128) {
			for i := range uint32(32) {
				r := philox([4]uint32{i, id}, [2]uint32{7})
				x, y := uint64(r[0]>>8), uint64(r[1]>>8)
				if x*x+y*y < 1<<48 {
					hits[0]++
				}
			}
		}
		stream := uints(m, "stream")
		for i := range uint32(64) {
			r := philox([4]uint32{i}, [2]uint32{42})
			copy(stream[4*i:], r[:])
		}
	},
	"nbody": func(m Memory) {
		pos, acc := floats(m, "pos"), floats(m, "acc")
		for i := 0; i < len(pos); i += 4 {
			var sum [3]float64
			for k := 0; k < len(pos); k += 4 {
				var d [3]float64
				d2 := 0.01
				for c := range d {
					d[c] = float64(pos[k+c]) - float64(pos[i+c])
					d2 += d[c] * d[c]
				}
				s := float64(pos[k+3]) / (d2 * math.Sqrt(d2))
				for c := range d {
					sum[c] += d[c] * s
				}
			}
			for c, v := range sum {
				acc[i+c] = float32(v)
			}
		}
	},
	"black_scholes": func(m Memory) {
		call, put := floats(m, "call"), floats(m, "put")
		cdf := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
		for i, u := range floats(m, "spot") {
			s, root, discounted := 5+45*float64(u), math.Sqrt(2), 25*math.Exp(-0.04)
			d1 := (math.Log(s/25) + (0.02+0.045)*2) / (0.3 * root)
			d2 := d1 - 0.3*root
			call[i] = float32(s*cdf(d1) - discounted*cdf(d2))
			put[i] = float32(discounted*cdf(-d2) - s*cdf(-d1))
		}
	},
}

// philox is the counter-based generator Philox 4x32 with 10 rounds.
func philox(c [4]uint32, key [2]uint32) [4]uint32 {
	for range 10 {
		hi0, lo0 := bits.Mul32(0xD2511F53, c[0])
		hi1, lo1 := bits.Mul32(0xCD9E8D57, c[2])
		c = [4]uint32{hi1 ^ c[1] ^ key[0], lo1, hi0 ^ c[3] ^ key[1], lo0}
		key[0] += 0x9E3779B9
		key[1] += 0xBB67AE85
	}
	return c
}
