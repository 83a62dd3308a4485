package corpus

// elementwise are kernels with independent threads.
var elementwise = map[string]func(Memory){
	"vector_add": func(m Memory) {
		a, b := floats(m, "a"), floats(m, "b")
		fill(floats(m, "c"), func(i int) float32 { return a[i] + b[i] })
	},
	"saxpy": func(m Memory) {
		x, y := floats(m, "x"), floats(m, "y")
		for i := range y {
			for _, a := range []float32{2.5, -0.5, 4} {
				y[i] += a * x[i] // exact, so it does not matter whether it is fused
			}
		}
	},
	"strided_copy": func(m Memory) {
		x := floats(m, "x")
		fill(floats(m, "plain"), func(i int) float32 { return x[i] })
		fill(floats(m, "shifted"), func(i int) float32 { return x[i+3] })
		fill(floats(m, "strided"), func(i int) float32 { return x[32*i] })
		fill(floats(m, "vectors"), func(i int) float32 { return x[i] })
	},
	"aos_soa": func(m Memory) {
		p, x, vx := floats(m, "p"), floats(m, "x"), floats(m, "vx")
		for i := 0; i < len(p); i += 4 {
			p[i] += p[i+2] * 0.5
			p[i+1] += p[i+3] * 0.5
		}
		for i := range x {
			x[i] += vx[i] * 0.5
		}
	},
}
