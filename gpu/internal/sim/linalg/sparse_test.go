package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// TestSparseRows compares the products of sparse matrices and vectors with the general loop's.
func TestSparseRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		compareSparse[float32](t, random, routine.Float32, 1e-5)
		compareSparse[float64](t, random, routine.Float64, 1e-14)
	}
}

func compareSparse[T float32 | float64](t *testing.T, random *rand.Rand, of routine.Type, limit float64) {
	t.Helper()
	most := 1 + random.IntN(1<<random.IntN(7))
	m := randomSparse[T](random, 1+random.IntN(1000), 1+random.IntN(1000), func() int { return random.IntN(most) })
	c, parts := m.call(of)
	c.Alpha, c.Beta = complex(random.NormFloat64(), 0), complex(float64(random.IntN(2)), 0)
	if random.IntN(2) == 0 {
		c.Alpha = 1
	}
	if c.Beta == 0 {
		m.out[0] = T(math.NaN())
	}
	want := m
	want.out = append([]T(nil), m.out...)
	_, theirs := want.call(of)
	if !rows[T](c, parts) {
		t.Fatal("not computed")
	}
	csr(c, theirs, accessAs(func(v T) float64 { return float64(v) }, func(v float64) T { return T(v) }), func(v float64) float64 { return v }, real(c.Alpha), real(c.Beta))
	for i, v := range want.out {
		if diff := math.Abs(float64(m.out[i] - v)); !(diff <= limit*max(1, math.Abs(float64(v)))) {
			t.Fatalf("row %d of %d is %v, want %v", i, c.Rows, m.out[i], v)
		}
	}
}

// A wrong column is an error, not memory of others.
func TestSparseRowsOutside(t *testing.T) {
	for _, column := range []int32{-1, 10} {
		m := randomSparse[float32](rand.New(rand.NewPCG(1, 2)), 10, 10, func() int { return 3 })
		m.columns[7] = column
		c, parts := m.call(routine.Float32)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("column %d: no panic", column)
				}
			}()
			rows[float32](c, parts)
		}()
	}
}

// sparse is a matrix, a vector and their product.
type sparse[T any] struct {
	starts, columns []int32
	values, x, out  []T
}

func randomSparse[T float32 | float64](random *rand.Rand, rows, cols int, length func() int) sparse[T] {
	m := sparse[T]{starts: []int32{0}, x: make([]T, cols), out: make([]T, rows)}
	for range rows {
		for range length() {
			m.columns, m.values = append(m.columns, int32(random.IntN(cols))), append(m.values, T(random.NormFloat64()))
		}
		m.starts = append(m.starts, int32(len(m.columns)))
	}
	for _, list := range [][]T{m.x, m.out} {
		for i := range list {
			list[i] = T(random.NormFloat64())
		}
	}
	return m
}

func (m *sparse[T]) call(of routine.Type) (*routine.CSRMul, [][]byte) {
	c := &routine.CSRMul{Type: of, Rows: len(m.out), Cols: len(m.x), NonZeros: len(m.values), N: 1, Alpha: 1}
	parts := [][]byte{bytesOf(m.starts), nil, nil, bytesOf(m.x), bytesOf(m.out)}
	if len(m.values) > 0 {
		parts[1], parts[2] = bytesOf(m.columns), bytesOf(m.values)
	}
	return c, parts
}

func BenchmarkSparseRows(b *testing.B) {
	for _, length := range []int{5, 8, 50} {
		b.Run(fmt.Sprintf("rows of %d", length), func(b *testing.B) {
			m := randomSparse[float32](rand.New(rand.NewPCG(1, 2)), 4096, 4096, func() int { return length })
			c, parts := m.call(routine.Float32)
			for b.Loop() {
				rows[float32](c, parts)
			}
		})
	}
}
