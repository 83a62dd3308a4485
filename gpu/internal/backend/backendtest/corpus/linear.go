package corpus

// linear are kernels of linear algebra.
var linear = map[string]func(Memory){
	"matmul": func(m Memory) {
		for _, name := range []string{"c0", "c1", "c2", "c3"} {
			product(floats(m, "a"), floats(m, "b"), floats(m, name), 64)
		}
		product(doubles(m, "a5"), doubles(m, "b5"), doubles(m, "c5"), 50)
	},
	"matrix_vector": func(m Memory) {
		a, x := floats(m, "a"), floats(m, "x")
		for _, name := range []string{"y0", "y1", "y2"} {
			y := floats(m, name)
			for i := range a {
				y[i/128] += a[i] * x[i%128]
			}
		}
	},
	"spmv": func(m Memory) {
		start, col, val, x := ints(m, "start"), ints(m, "col"), floats(m, "val"), floats(m, "x")
		for row := range 256 {
			sum := float32(0)
			for k := start[row]; k < start[row+1]; k++ {
				sum += val[k] * x[col[k]]
			}
			floats(m, "y0")[row], floats(m, "y1")[row] = sum, sum
		}
	},
}

func product[T float32 | float64](a, b, c []T, n int) {
	for y := range n {
		for x := range n {
			var sum T
			for k := range n {
				sum += a[y*n+k] * b[k*n+x]
			}
			c[y*n+x] = sum
		}
	}
}

// makeSparse makes a matrix whose row r has r%17*2 elements, until all elements are used.
func makeSparse(m Memory) {
	start, col := ints(m, "start"), ints(m, "col")
	at := 0
	for row := range 256 {
		start[row] = int32(at)
		for k := range row % 17 * 2 {
			if at < len(col) {
				col[at] = int32((row*7 + k*13) % 256)
				at++
			}
		}
	}
	start[256] = int32(at)
}
