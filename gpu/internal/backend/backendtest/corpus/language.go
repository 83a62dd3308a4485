package corpus

import "math"

// language are kernels for features of CUDA C++.
var language = map[string]func(Memory){
	"struct_params": func(m Memory) {
		fill(floats(m, "out"), func(i int) float32 { return 4*float32(i) + 4*4 + 1*2 - 3 })
		fill(ints(m, "boxes"), func(i int) int32 {
			return 1 + 2*10 + 3*100 + []int32{10, 20, 30}[i%3]*int32(i) + 7000 - 8 + 100
		})
	},
	"block_votes": func(m Memory) {
		x, counts, flags, rounds := ints(m, "x"), ints(m, "counts"), ints(m, "flags"), ints(m, "rounds")
		for b := range 4 {
			block := x[64*b : 64*b+64]
			above, nine := int32(0), int32(0)
			for _, v := range block {
				if v > 4 {
					above++
				}
				if v == 9 {
					nine = 2
				}
				rounds[b] = max(rounds[b], v)
			}
			for i, v := range block {
				counts[64*b+i] = above*100 + v
				flags[64*b+i] = 1 + nine
			}
		}
	},
	"globals": func(m Memory) {
		table := []int32{5, 8, 13, 21, 34, 55, 89, 144, 1, 1, 2, 3, 5, 8, 13, 21}
		state := ints(m, "state")
		state[0] = 100
		for i, v := range ints(m, "x") {
			ints(m, "out")[i] = table[v] * 3
			state[0] += 2 * v
			state[1] += []int32{2000, 2}[v&1]
			state[2] = max(state[2], v)
		}
	},
	"large_shared": func(m Memory) {
		x := ints(m, "x")
		fill(ints(m, "reversed"), func(i int) int32 { return x[len(x)-1-i] })
		fill(doubles(m, "sums"), func(t int) (sum float64) {
			for i := t % 128; i < 5120; i += 128 {
				v := float64(x[5119-i])
				sum += 0.5 * v * v
			}
			return sum
		})
	},
	"modern": func(m Memory) {
		x := ints(m, "x")
		fill(ints(m, "a"), func(i int) int32 { return 2 * x[i] * x[i] })
		fill(floats(m, "b"), func(i int) float32 { return float32(x[i]) + 1 + 8 })
		fill(ints(m, "c"), func(i int) int32 { return min(x[i], 3)*100 + 10 + 2 })
	},
	"vectors": func(m Memory) {
		p, q, pixels, z := floats(m, "p"), floats(m, "q"), m["pixels"], doubles(m, "pairs")
		for i := 0; i < len(p); i += 4 {
			x, y, z, w := p[i], p[i+1], p[i+2], p[i+3]
			length := float32(math.Sqrt(float64(x*x + y*y + z*z)))
			q[i], q[i+1], q[i+2], q[i+3] = 0.5*x+y, 0.5*y+z, 0.5*z+w, 0.5*w+length
		}
		fill(m["gray"], func(i int) byte {
			return byte((int(pixels[4*i])*77 + int(pixels[4*i+1])*151 + int(pixels[4*i+2])*28) >> 8)
		})
		for i := range 32 {
			a, b := z[2*i:], z[2*((i+1)%32):]
			out := doubles(m, "products")[2*i:]
			out[0], out[1] = a[0]*b[0]-a[1]*b[1], a[0]*b[1]+a[1]*b[0]
		}
	},
	"shapes": func(m Memory) {
		x := ints(m, "x")
		for i, v := range x {
			ints(m, "sums")[i/93] += v
			ints(m, "single")[0] += v * int32(i)
		}
		fill(ints(m, "early"), func(i int) int32 {
			if i%77 == 0 {
				return x[i]
			}
			return x[i] - x[i-1]
		})
		fill(ints(m, "cube"), func(i int) int32 { return int32(i%10 + 100*(i/10%7) + 10000*(i/70) + 3000000) })
	},
	"locks": func(m Memory) {
		total := ints(m, "total")
		total[0], total[1], total[2], total[3] = 16, 120, 64, 1
		fill(ints(m, "order"), func(int) int32 { return 1 })
	},
}
