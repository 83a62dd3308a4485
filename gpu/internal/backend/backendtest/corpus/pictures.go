package corpus

// pictures are kernels on grids of two and three dimensions.
var pictures = map[string]func(Memory){
	"stencil": func(m Memory) {
		in := ints(m, "in")
		fill(ints(m, "out1"), func(i int) (sum int32) {
			for k := i - 3; k <= i+3; k++ {
				if k >= 0 && k < len(in) {
					sum += in[k]
				}
			}
			return sum
		})
		u := floats(m, "grid")
		fill(floats(m, "out2"), func(i int) float32 {
			if x, y := i%64, i/64; x == 0 || y == 0 || x == 63 || y == 63 {
				return u[i]
			}
			return u[i] + 0.125*(u[i-1]+u[i+1]+u[i-64]+u[i+64]-4*u[i])
		})
		volume := ints(m, "volume")
		fill(ints(m, "out3"), func(i int) (sum int32) {
			x, y, z := i%16, i/16%16, i/256
			for c, v := range volume {
				if near(c%16, x) && near(c/16%16, y) && near(c/256, z) {
					sum += v
				}
			}
			return sum
		})
	},
	"mandelbrot": func(m Memory) {
		fill(m["out"], func(i int) byte {
			cx, cy := -2.0+3.0*float64(i%96)/96, -1.0+2.0*float64(i/96)/64
			x, y, n := 0.0, 0.0, 0
			for n < 60 && float64(x*x)+float64(y*y) <= 4 {
				x, y = float64(float64(x*x)-float64(y*y))+cx, float64(2*x*y)+cy
				n++
			}
			return byte(n)
		})
	},
	"life": func(m Memory) {
		copy(m["b"], generation(m["a"], 64))
		copy(m["a"], generation(m["b"], 64))
		for range 5 {
			copy(m["c"], generation(m["c"], 32))
		}
	},
	"convolution": func(m Memory) {
		row := floats(m, "row")
		fill(floats(m, "out"), func(i int) (sum float32) {
			for k, w := range []float32{1, -2, 4, -2, 1} {
				if j := i + k - 2; j >= 0 && j < len(row) {
					sum += w * row[j]
				}
			}
			return sum
		})
		image := floats(m, "image")
		fill(floats(m, "blurred"), func(i int) (sum float32) {
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					x, y := min(max(i%64+dx, 0), 63), min(max(i/64+dy, 0), 63)
					sum += float32((2-dx*dx)*(2-dy*dy)) * image[y*64+x]
				}
			}
			return sum / 16
		})
	},
}

func near(a, b int) bool { return a-b >= -1 && a-b <= 1 }

// generation returns the next generation of the game of life on a torus of n columns.
func generation(in []byte, n int) []byte {
	out := make([]byte, len(in))
	h := len(in) / n
	for i := range in {
		count := byte(0)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				count += in[(i/n+dy+h)%h*n+(i%n+dx+n)%n]
			}
		}
		count -= in[i]
		if count == 3 || count == 2 && in[i] == 1 {
			out[i] = 1
		}
	}
	return out
}
