package corpus

// sums are reductions, scans and histograms.
var sums = map[string]func(Memory){
	"reduction": func(m Memory) {
		x := floats(m, "x")
		for _, name := range []string{"r0", "r1", "r2", "r3", "r4", "r5"} {
			out := floats(m, name)
			for i, v := range x {
				out[i*len(out)/len(x)] += v
			}
		}
		r6, r7 := floats(m, "r6"), floats(m, "r7")
		for i, v := range x {
			r6[i/256%16] += v
			r7[0] += v
		}
	},
	"scan": func(m Memory) {
		x := ints(m, "x")
		inclusive, exclusive, warps := ints(m, "inclusive"), ints(m, "exclusive"), ints(m, "warps")
		sum := int32(0)
		for i, v := range x {
			if i%512 == 0 {
				sum = 0
			}
			exclusive[i] = sum
			sum += v
			inclusive[i], warps[i] = sum, sum
		}
	},
	"scan_large": func(m Memory) {
		sum := int32(0)
		out, totals := ints(m, "out"), ints(m, "sums")
		for i, v := range ints(m, "x") {
			sum += v
			out[i], totals[i/512] = sum, sum
		}
	},
	"histogram": func(m Memory) {
		global, shared, wide := uints(m, "global"), uints(m, "shared"), view[uint64](m, "wide")
		for _, v := range m["x"] {
			global[v]++
			shared[v]++
			wide[v>>4]++
		}
	},
	"dot_product": func(m Memory) {
		a, b := floats(m, "a"), floats(m, "b")
		for i := range a {
			for _, part := range []string{"part", "part1"} {
				floats(m, part)[i/128%32] += a[i] * b[i]
			}
			floats(m, "one")[0] += a[i] * b[i]
			floats(m, "two")[0] += a[i] * b[i]
		}
		uints(m, "done")[0] = 32
	},
	"atomics": func(m Memory) {
		i, u, l := ints(m, "i"), uints(m, "u"), view[uint64](m, "l")
		f, d := floats(m, "f"), doubles(m, "d")
		for _, v := range ints(m, "x") {
			i[0] += v
			i[1] -= v
			i[2] = max(i[2], v)
			i[3] = min(i[3], -v)
			i[5] |= v
			i[6] ^= v
			u[3] = max(u[3], uint32(v))
			w := uint64(v) << 32
			l[0] += w
			l[1] = max(l[1], w)
			l[2] |= w
			l[3] ^= w
			f[0] += float32(v % 16)
			d[0] += float64(v)
			d[1] += 0.5
			ints(m, "cas")[0] += v
			floats(m, "max")[0] = max(floats(m, "max")[0], float32(v))
		}
		i[7], i[9] = 77, 5
		u[0], u[1], u[2] = 1024%1000, 10, 3*1024
		l[4], l[5] = 1<<40, 9
		f[1] = 2.5
	},
}
