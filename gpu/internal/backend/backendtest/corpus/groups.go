package corpus

import "slices"

// groups are kernels whose threads and blocks wait for one another.
var groups = map[string]func(Memory){
	"grid_sync": func(m Memory) {
		a, b := floats(m, "a"), floats(m, "b")
		for range 4 {
			fill(b, func(i int) float32 { return 0.5*a[i] + 0.25*a[(i+1)%256] + 0.25*a[(i+255)%256] })
			a, b = b, a
		}
		for i, v := range floats(m, "a") {
			floats(m, "part")[i/32] += v
			floats(m, "sum")[0] += v
		}
	},
	"group_kinds": func(m Memory) {
		x := ints(m, "x")
		sum := func(from, n int) (sum int32) {
			for _, v := range x[from : from+n] {
				sum += v
			}
			return sum
		}
		fill(ints(m, "kinds"), func(i int) int32 { return sum(i&^127, 128)*1000 + sum(i&^15, 16) })
		fill(ints(m, "large"), func(i int) int32 {
			tile := x[i&^63 : i&^63+64]
			out := sum(i&^63, 64)*1000 + tile[5]*10 + 1 + int32(i%128/64)*1000000
			if slices.Contains(tile, 7) {
				out += 2
			}
			return out
		})
		fill(ints(m, "wide"), func(i int) int32 {
			next, last := i&^31+(i+1)%32, i
			if i%32 < 29 {
				last = i + 3
			}
			return 11*x[next] + int32(next)*100 + 2*x[last]*100000
		})
	},
	"cooperative_groups": func(m Memory) {
		x, some := ints(m, "x"), ints(m, "some")
		fill(ints(m, "tiles"), func(i int) int32 {
			tile := x[i&^7 : i&^7+8]
			sum, most, any := int32(0), tile[0], int32(0)
			for _, v := range tile {
				sum += v
				most = max(most, v)
				if v == 7 {
					any = 1
				}
			}
			out := sum*1000 + most*100 + tile[(i+1)%8] + int32(i%128/8)*100000 + any
			if i%8 > 0 {
				out += x[i-1]
			}
			return out
		})
		for w := 0; w < len(x); w += 32 {
			size := int32(0)
			for i := w; i < w+32; i++ {
				ints(m, "blocks")[i/128] += x[i]
				if x[i] > 0 {
					some[i] = size
					size++
				}
				if x[i]%2 == 0 {
					ints(m, "count")[0]++
				}
			}
			for i := w; i < w+32; i++ {
				if x[i] > 0 {
					some[i] += size * 100
				}
			}
		}
	},
}
