package corpus

import (
	"math"
	"slices"
)

// algorithms are well-known algorithms of computer science.
var algorithms = map[string]func(Memory){
	"compaction": func(m Memory) {
		x, kept, n := ints(m, "x"), ints(m, "kept"), ints(m, "n")
		out := ints(m, "even_odd")[:0]
		for b := 0; b < len(x); b += 256 {
			var odd []int32
			for _, v := range x[b : b+256] {
				if v < 50 {
					kept[b+int(n[b/256])] = v
					n[b/256]++
				}
				if v%2 == 0 {
					out = append(out, v)
				} else {
					odd = append(odd, v)
				}
			}
			out = append(out, odd...)
		}
	},
	"radix_sort": func(m Memory) {
		x := uints(m, "x")
		slices.Sort(x[:256])
		slices.Sort(x[256:])
	},
	"graph": func(m Memory) {
		edges, level, d := ints(m, "edges"), ints(m, "level"), ints(m, "dist")
		queue := []int32{0}
		for len(queue) > 0 {
			v := queue[0]
			queue = queue[1:]
			for _, to := range edges[4*v : 4*v+4] {
				if level[to] < 0 {
					level[to] = level[v] + 1
					queue = append(queue, to)
				}
			}
		}
		for k := range 32 {
			for i := range 32 {
				for j := range 32 {
					d[i*32+j] = min(d[i*32+j], d[i*32+k]+d[k*32+j])
				}
			}
		}
	},
	"solvers": func(m Memory) {
		const n = 32
		a, b, x := doubles(m, "a"), doubles(m, "b"), doubles(m, "x")
		for k := range n - 1 {
			for row := k + 1; row < n; row++ {
				f := a[row*n+k] / a[k*n+k]
				for c := k; c < n; c++ {
					a[row*n+c] -= f * a[k*n+c]
				}
				b[row] -= f * b[k]
			}
		}
		for k := n - 1; k >= 0; k-- {
			x[k] = b[k] / a[k*n+k]
			for row := range k {
				b[row] -= a[row*n+k] * x[k]
			}
		}
		matrix, y := floats(m, "m"), floats(m, "y")
		from, to := make([]float64, 64), make([]float64, 64)
		for range 60 {
			for i := range to {
				sum := 0.0
				for k := range from {
					if k != i {
						sum += float64(matrix[i*64+k]) * from[k]
					}
				}
				to[i] = (float64(i+1) - sum) / float64(matrix[i*64+i])
			}
			from, to = to, from
		}
		fill(y, func(i int) float32 { return float32(from[i]) })
	},
	"wavefront": func(m Memory) {
		s, t, table := m["s"], m["t"], ints(m, "table")
		var edit [65][65]int32
		for i := range 65 {
			edit[i][0], edit[0][i] = int32(i), int32(i)
		}
		for i := range 64 {
			for j := range 64 {
				up, left, corner := table[i*65+j+1], table[(i+1)*65+j], table[i*65+j]
				change := edit[i][j]
				if s[i] == t[j] {
					table[(i+1)*65+j+1] = corner + 1
				} else {
					table[(i+1)*65+j+1] = max(up, left)
					change++
				}
				edit[i+1][j+1] = min(change, edit[i][j+1]+1, edit[i+1][j]+1)
			}
		}
		ints(m, "distance")[0] = edit[64][64]
	},
	"fourier": func(m Memory) {
		re, im := slices.Clone(floats(m, "re")), slices.Clone(floats(m, "im"))
		for k := range 256 {
			var sr, si float64
			for j := range re {
				sin, cos := math.Sincos(-2 * math.Pi * float64(j*k%256) / 256)
				sr += float64(re[j])*cos - float64(im[j])*sin
				si += float64(re[j])*sin + float64(im[j])*cos
			}
			floats(m, "re")[k], floats(m, "im")[k] = float32(sr), float32(si)
			floats(m, "outr")[k], floats(m, "outi")[k] = float32(sr), float32(si)
		}
	},
	"learning": func(m Memory) {
		x, soft, norm := floats(m, "x"), floats(m, "soft"), floats(m, "norm")
		for r := 0; r < len(x); r += 64 {
			sum, mean, variance := 0.0, 0.0, 0.0
			for _, v := range x[r : r+64] {
				sum += math.Exp(float64(v))
				mean += float64(v) / 64
			}
			for _, v := range x[r : r+64] {
				variance += (float64(v) - mean) * (float64(v) - mean) / 64
			}
			for i := r; i < r+64; i++ {
				soft[i] = float32(math.Exp(float64(x[i])) / sum)
				norm[i] = float32((float64(x[i]) - mean) / math.Sqrt(variance+1e-5))
			}
		}
		fill(floats(m, "act"), func(i int) float32 {
			v := 4*float64(x[i]) - 2
			return float32(0.5 * v * (1 + math.Erf(v/math.Sqrt2)))
		})
		centres := floats(m, "centres")
		fill(ints(m, "nearest"), func(i int) (best int32) {
			least := float32(1e30)
			for j := range int32(8) {
				dx, dy := x[2*i]-centres[2*j], x[2*i+1]-centres[2*j+1]
				if d := float32(dx*dx) + float32(dy*dy); d < least {
					best, least = j, d
				}
			}
			return best
		})
	},
	"primes": func(m Memory) {
		prime, steps, best := m["prime"], ints(m, "steps"), view[uint64](m, "best")
		fill(prime, func(i int) byte {
			for p := 2; p*p <= i; p++ {
				if i%p == 0 {
					return 0
				}
			}
			return byte(min(i/2, 1))
		})
		fill(steps, func(i int) (n int32) {
			for v := i + 1; v != 1; n++ {
				if v%2 == 1 {
					v = 3*v + 1
				} else {
					v /= 2
				}
			}
			best[0] = max(best[0], uint64(n)<<32|uint64(i))
			return n
		})
	},
	"images": func(m Memory) {
		in := m["in"]
		at := func(x, y int) int { return int(in[min(max(y, 0), 63)*64+min(max(x, 0), 63)]) }
		fill(m["edges"], func(i int) byte {
			x, y, gx, gy := i%64, i/64, 0, 0
			for d := -1; d <= 1; d++ {
				k := 2 - d*d
				gx += k * (at(x+1, y+d) - at(x-1, y+d))
				gy += k * (at(x+d, y+1) - at(x+d, y-1))
			}
			return byte(min((max(gx, -gx)+max(gy, -gy))/8, 255))
		})
		fill(m["median"], func(i int) byte {
			var v []int
			for d := range 9 {
				v = append(v, at(i%64+d%3-1, i/64+d/3-1))
			}
			slices.Sort(v)
			return byte(v[4])
		})
		var upTo [256]int
		for _, v := range in[:1024] {
			for k := int(v); k < 256; k++ {
				upTo[k]++
			}
		}
		fill(m["flat"], func(i int) byte { return byte(upTo[in[i]] * 255 / 1024) })
	},
}

// makeGraph gives each node four edges, and sets the distances between 32 towns.
func makeGraph(m Memory) {
	r := newRandom(67)
	fill(ints(m, "edges"), func(int) int32 { return int32(r.next() >> 20 % 128) })
	fill(ints(m, "level"), func(i int) int32 { return int32(min(i, 1) * -1) })
	fill(ints(m, "dist"), func(i int) int32 {
		if i/32 == i%32 {
			return 0
		}
		return int32(1 + r.next()>>20%1000)
	})
}

// makeSystems makes linear systems with diagonally dominant matrices.
func makeSystems(m Memory) {
	r := newRandom(68)
	fill(doubles(m, "a"), func(i int) float64 {
		if i/32 == i%32 {
			return 40
		}
		return float64(r.uniform())
	})
	fill(doubles(m, "b"), func(int) float64 { return float64(r.uniform()) })
	fill(floats(m, "m"), func(i int) float32 {
		if i/64 == i%64 {
			return 80
		}
		return r.uniform()
	})
}
