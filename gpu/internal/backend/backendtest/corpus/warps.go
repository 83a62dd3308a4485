package corpus

// warps are kernels whose lanes cooperate.
var warps = map[string]func(Memory){
	"warp_primitives": func(m Memory) {
		x := ints(m, "x")
		votes, shuffles, matches := uints(m, "votes"), ints(m, "shuffles"), uints(m, "matches")
		packed := ints(m, "packed")[:0]
		for w := 0; w < len(x); w += 32 {
			odd := uint32(0)
			for lane := range 32 {
				odd |= uint32(x[w+lane]&1) << lane
			}
			for lane := range 32 {
				v := x[w : w+32]
				votes[w+lane] = odd ^ 1<<31
				up, down := lane, lane
				if lane%16 >= 2 {
					up -= 2
				}
				if lane+5 < 32 {
					down += 5
				}
				shuffles[w+lane] = v[lane&^7+(lane+3)%8] + 10*v[up] + 100*v[down] + 1000*v[lane^9]
				for k := range v {
					if v[k] == v[lane] {
						matches[w+lane] |= 1 << k
					}
				}
				matches[w+lane]++
				if v[lane] >= 3 {
					packed = append(packed, v[lane])
				}
			}
		}
		ints(m, "count")[0] = int32(len(packed))
		fill(uints(m, "active"), func(int) uint32 { return 0x22222222 })
	},
	"warp_reduce": func(m Memory) {
		x, out, b := ints(m, "x"), ints(m, "out"), uints(m, "bits")
		for i := range x {
			w := x[i&^31 : i&^31+32]
			or := uint32(0)
			for _, v := range w {
				out[i] += v
				or |= uint32(v & 15)
			}
			b[i] = or + 64
		}
	},
}
