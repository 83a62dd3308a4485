package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// TestProducts compares the products with vector instructions with gonum's.
func TestProducts(t *testing.T) {
	if !simd.Has {
		t.Skip("SKIPPED: the processor has no AVX2 or no FMA, so gonum multiplies all matrices")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		compareProducts(t, random, routine.Float32, 1e-5, func(c *routine.Gemm, parts [][]byte) bool {
			return multiplier32.multiply(c, parts, float32(real(c.Alpha)), float32(real(c.Beta)))
		}, func(c *routine.Gemm, parts [][]byte) {
			products(c, parts, b.Sgemm, float32(real(c.Alpha)), float32(real(c.Beta)))
		}, float32(0))
		compareProducts(t, random, routine.Float64, 1e-13, func(c *routine.Gemm, parts [][]byte) bool {
			return multiplier64.multiply(c, parts, real(c.Alpha), real(c.Beta))
		}, func(c *routine.Gemm, parts [][]byte) {
			products(c, parts, b.Dgemm, real(c.Alpha), real(c.Beta))
		}, float64(0))
	}
}

// The tiles of AVX2 and of AVX-512 compute the same bits.
func TestProductsByTiles(t *testing.T) {
	if !simd.Has512 {
		t.Skip("SKIPPED: the processor has no AVX-512")
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		compareTiles(t, random, tiles32)
		compareTiles(t, random, tiles64)
	}
}

func compareTiles[T float32 | float64](t *testing.T, random *rand.Rand, of [2]tiles[T]) {
	t.Helper()
	m, n, k := 2+random.IntN(600), 2+random.IntN(60), 1+random.IntN(600)
	lead := m + random.IntN(3)
	numbers := func(n int) []T {
		list := make([]T, n)
		for i := range list {
			list[i] = T(random.NormFloat64())
		}
		return list
	}
	a, b, c, alpha, add := numbers(m*k), numbers(k*n), numbers(lead*n), T(1+random.IntN(2)), random.IntN(2) == 0
	left, right := matrix[T]{a, 1, m}, matrix[T]{b, 1, k}
	if random.IntN(2) == 0 {
		left = matrix[T]{a, k, 1}
	}
	if random.IntN(2) == 0 {
		right = matrix[T]{b, n, 1}
	}
	var products [2][]T
	for i := range of {
		products[i] = slices.Clone(c)
		by := multiplier[T]{tiles: of[i]}
		by.matrices(&result[T]{products[i], lead, m, n}, k, left, right, alpha, add)
	}
	if slices.Equal(products[0], c) {
		t.Fatal("nothing is computed")
	}
	for i, v := range products[0] {
		if products[1][i] != v {
			t.Fatalf("product of %d × %d and %d × %d, alpha %v: element %d is %v by AVX-512, %v by AVX2", m, k, k, n, alpha, i, products[1][i], v)
		}
	}
}

// Products of all small sizes are right and store nothing outside of the result. Only the assembly of tiles could, since it knows no slices.
func TestEdgesOfProducts(t *testing.T) {
	if !simd.Has {
		t.Skip("SKIPPED: the processor has no AVX2 or no FMA")
	}
	for i := range tiles32 {
		if i == 1 && !simd.Has512 {
			t.Log("SKIPPED: tiles of AVX-512, which the processor does not have")
			continue
		}
		random := rand.New(rand.NewPCG(11, 12))
		for rows := 1; rows <= 40; rows++ {
			for columns := 1; columns <= 40; columns++ {
				testEdges(t, random, tiles32[i], rows, columns)
				testEdges(t, random, tiles64[i], rows, columns)
			}
		}
	}
}

// testEdges multiplies small integers, of which all sums are exact.
func testEdges[T float32 | float64](t *testing.T, random *rand.Rand, by tiles[T], rows, columns int) {
	t.Helper()
	const guards, guard = 64, 1000
	count, lead, add := 1+random.IntN(9), rows+random.IntN(3), random.IntN(2) == 0
	numbers := func(n int) []T {
		list := make([]T, n)
		for i := range list {
			list[i] = T(random.IntN(9) - 4)
		}
		return list
	}
	a, b := matrix[T]{numbers(rows * count), 1, rows}, matrix[T]{numbers(count * columns), 1, count}
	if random.IntN(2) == 0 {
		a.down, a.right = count, 1
	}
	if random.IntN(2) == 0 {
		b.down, b.right = columns, 1
	}
	got := slices.Repeat([]T{guard}, guards+lead*columns+guards)
	want := slices.Clone(got)
	for c := range columns {
		for r := range rows {
			at := guards + c*lead + r
			if !add {
				want[at] = 0
			}
			for k := range count {
				want[at] += a.at[r*a.down+k*a.right] * b.at[k*b.down+c*b.right]
			}
		}
	}
	m := multiplier[T]{tiles: by}
	m.matrices(&result[T]{got[guards : len(got)-guards], lead, rows, columns}, count, a, b, 1, add)
	for i, v := range want {
		if got[i] != v {
			t.Fatalf("%d × %d, %d terms, columns %d apart, %T, add %v, tiles of %d: number %d is %v, want %v",
				rows, columns, count, lead, v, add, by.tileRows, i-guards, got[i], v)
		}
	}
}

func TestBands(t *testing.T) {
	for _, c := range []struct {
		columns, width int
		want           bands
	}{
		{2, 6, bands{6, 0, 1}},
		{5, 6, bands{6, 1, 0}},
		{8, 6, bands{6, 0, 2}},
		{32, 6, bands{6, 4, 2}},
		{33, 6, bands{6, 5, 1}},
		{36, 6, bands{6, 6, 0}},
		{48, 8, bands{8, 6, 0}},
		{50, 8, bands{8, 6, 1}},
		{53, 8, bands{8, 7, 0}},
	} {
		if got := bandsOf(c.columns, c.width); got != c.want {
			t.Errorf("%d columns by tiles of %d: %+v, want %+v", c.columns, c.width, got, c.want)
		}
	}
}

func compareProducts[T float32 | float64](t *testing.T, random *rand.Rand, of routine.Type, limit float64,
	multiply func(*routine.Gemm, [][]byte) bool, reference func(*routine.Gemm, [][]byte), _ T,
) {
	t.Helper()
	length := func() int {
		if random.IntN(4) == 0 {
			return 1
		}
		return 1 + random.IntN(1<<(2+random.IntN(9)))
	}
	c := &routine.Gemm{Type: of, M: length(), N: length(), K: length(), Alpha: complex(random.NormFloat64(), 0), Beta: complex(float64(random.IntN(3)), 0), Count: 1 + random.IntN(2)}
	c.TransA, c.TransB = routine.Op(random.IntN(2)), routine.Op(random.IntN(2))
	rowsA, colsA, rowsB, colsB := c.M, c.K, c.K, c.N
	if c.TransA != routine.AsIs {
		rowsA, colsA = colsA, rowsA
	}
	if c.TransB != routine.AsIs {
		rowsB, colsB = colsB, rowsB
	}
	matrices := func(rows, cols int) routine.Matrices {
		lead := rows + random.IntN(3)
		return routine.Matrices{Lead: lead, Step: lead * cols}
	}
	c.A, c.B, c.C = matrices(rowsA, colsA), matrices(rowsB, colsB), matrices(c.M, c.N)
	parts, want := make([][]byte, 3), make([][]byte, 3)
	for i, m := range []routine.Matrices{c.A, c.B, c.C} {
		list := make([]T, m.Step*c.Count)
		for k := range list {
			list[k] = T(random.NormFloat64())
			if i == 2 && c.Beta == 0 {
				list[k] = T(math.NaN()) // is not read
			}
		}
		parts[i], want[i] = bytesOf(list), bytesOf(append([]T(nil), list...))
	}
	if !multiply(c, parts) {
		return
	}
	reference(c, want)
	far := limit * math.Sqrt(float64(c.K)) * 4
	got := view[T](parts[2], 0)
	for i, w := range view[T](want[2], 0) {
		if w != w && got[i] != got[i] {
			continue // between columns
		}
		if d := math.Abs(float64(got[i] - w)); !(d <= far*(1+math.Abs(float64(w)))) {
			t.Fatalf("%+v: element %d is %v, want %v", c, i, got[i], w)
		}
	}
}

// BenchmarkProduct multiplies matrices without zeros, which gonum skips.
func BenchmarkProduct(bench *testing.B) {
	for _, size := range [][3]int{{1024, 1024, 1024}, {4096, 32, 4096}, {4096, 256, 32}, {32, 32, 64}, {1, 4096, 64}, {64, 1, 4096}} {
		m, n, k := size[0], size[1], size[2]
		ones := func(n int) []byte { return bytesOf(slices.Repeat([]float32{1}, n)) }
		parts := [][]byte{ones(m * k), ones(k * n), ones(m * n)}
		c := &routine.Gemm{
			Type: routine.Float32, M: m, N: n, K: k, Alpha: 1, Count: 1,
			A: routine.Matrices{Lead: m, Step: m * k}, B: routine.Matrices{Lead: k, Step: k * n}, C: routine.Matrices{Lead: m, Step: m * n},
		}
		for name, multiply := range map[string]func(){
			"vectors": func() { singles(c, parts) },
			"gonum":   func() { products(c, parts, b.Sgemm, 1, 0) },
		} {
			bench.Run(fmt.Sprintf("%s/%d,%d,%d", name, m, n, k), func(bench *testing.B) {
				for bench.Loop() {
					multiply()
				}
				bench.ReportMetric(2*float64(m*n*k)*float64(bench.N)/bench.Elapsed().Seconds()/1e9, "Gflop/s")
			})
		}
	}
}

// A product with a vector that is shorter than the processor's does not depend on what was in its memory.
func TestShortVector(t *testing.T) {
	if !simd.Has {
		t.Skip("SKIPPED: the processor has no AVX2 or no FMA, so gonum multiplies all matrices")
	}
	const rows, count = 3000, 3
	a, x, out := make([]float32, rows*count), []float32{1, 2, 3}, make([]float32, rows)
	for i := range a {
		a[i] = float32(i)
	}
	out[5] = float32(math.NaN())
	// The factor is in row-major order, so transposed.
	c := &routine.Gemm{Type: routine.Float32, TransA: routine.Transposed, M: rows, N: 1, K: count, Alpha: 1, Count: 1}
	c.A.Lead, c.B.Lead, c.C.Lead = count, count, rows
	if !multiplier32.multiply(c, [][]byte{bytesOf(a), bytesOf(x), bytesOf(out)}, 1, 0) {
		t.Fatal("not computed")
	}
	for i, v := range out {
		if want := a[3*i] + 2*a[3*i+1] + 3*a[3*i+2]; v != want {
			t.Fatalf("row %d is %v, want %v", i, v, want)
		}
	}
}

// A product with a vector has the same bits whatever the number of threads.
func TestVectorOnThreads(t *testing.T) {
	if !simd.Has {
		t.Skip("SKIPPED: the processor has no AVX2 or no FMA, so gonum multiplies all matrices")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	random := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][2]int{{64, 20000}, {5000, 300}, {1030, 1000}, {7, 200000}} {
		rows, count := size[0], size[1]
		numbers := func(n int) []byte {
			list := make([]float32, n)
			for i := range list {
				list[i] = random.Float32() - 0.5
			}
			return bytesOf(list)
		}
		a, x := numbers(rows*count), numbers(count)
		c := &routine.Gemm{Type: routine.Float32, M: rows, N: 1, K: count, Alpha: 1, Count: 1}
		c.A.Lead, c.B.Lead, c.C.Lead = rows, count, rows
		var first []float32
		for threads := 1; threads <= 4; threads++ {
			runtime.GOMAXPROCS(threads)
			for range 5 {
				out := make([]float32, rows)
				if !multiplier32.multiply(c, [][]byte{a, x, bytesOf(out)}, 1, 0) {
					t.Fatal("not computed")
				}
				if first == nil {
					first = out
				}
				if !slices.Equal(out, first) {
					t.Fatalf("a matrix of %d × %d and a vector: the product by %d threads is another than that by one", rows, count, threads)
				}
			}
		}
	}
}
