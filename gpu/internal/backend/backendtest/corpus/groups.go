package corpus

// groups are kernels whose threads and blocks synchronize.
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
