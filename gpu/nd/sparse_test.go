package nd_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestCSR(t *testing.T) {
	s := newSuite(t)
	sparse[float32](t, s)
	sparse[float64](t, s)
	sparse[complex64](t, s)
	sparse[complex128](t, s)
	coo := nd.CSRFromCOO(2, 3, []int32{1, 0, 1, 1}, []int32{2, 1, 0, 2}, []float64{1, 2, 3, 4})
	equal(t, "of elements in any order", coo.ToDense(), 0, 2, 0, 3, 0, 5)
	if got := strings.ReplaceAll(coo.String(), "cuda:0", "sim"); got != "csr(shape=(2, 3), nnz=3, dtype=float64, device=sim)" {
		t.Errorf("it calls itself %s", got)
	}
}

// sparse compares products with those of dense matrices.
func sparse[T nd.Inexact](t *testing.T, s *suite) {
	for _, shape := range [][2]int{{5, 7}, {9, 4}, {1, 6}, {6, 1}, {3, 0}, {0, 3}} {
		rows, cols := shape[0], shape[1]
		list := make([]T, rows*cols)
		for i := range list {
			if s.IntN(3) == 0 && i/max(cols, 1) != 1 { // row 1 is empty
				list[i] = whole[T](s.IntN(9)-4, s.IntN(9)-4)
			}
		}
		dense := nd.FromSlice(list, rows, cols)
		m := nd.CSRFromDense(dense)
		close(t, "ToDense", m.ToDense(), dense)
		start, column, values := m.Parts()
		m = nd.NewCSR(rows, cols, start, column, values)
		for _, k := range []int{1, 3} {
			b, _ := small[T](s, k, cols)
			close(t, "Dot", m.Dot(b.T()), nd.MatMul(dense, b.T()))
			c, _ := small[T](s, rows, k)
			close(t, "TDot", m.TDot(c), nd.MatMul(dense.T(), c))
		}
		v, _ := small[T](s, cols)
		close(t, "Dot of a vector", m.Dot(v), nd.MatMul(dense, v))
		w, _ := small[T](s, rows)
		close(t, "TDot of a vector", m.TDot(w), nd.MatMul(dense.T(), w))
	}
}

func TestCSRErrors(t *testing.T) {
	ints := func(v ...int32) *nd.Array[int32] { return nd.FromSlice(v) }
	one := nd.Ones[float32](1)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"rowStart has shape (2,): a matrix of 2 rows needs 3 numbers", func() { nd.NewCSR(2, 2, ints(0, 1), ints(0), one) }},
		{"number 1 of rowStart is 2", func() { nd.NewCSR(1, 2, ints(0, 2), ints(0), one) }},
		{"number 0 of column is 5, the columns are 0 to 1", func() { nd.NewCSR(1, 2, ints(0, 1), ints(5), one) }},
		{"column has shape (2,) and values (1,)", func() { nd.NewCSR(1, 2, ints(0, 1), ints(0, 1), one) }},
		{"shapes (1, 2) and (3,) not aligned", func() { nd.NewCSR(1, 2, ints(0, 1), ints(0), one).Dot(nd.Ones[float32](3)) }},
		{"element 0 is in row 2 and column 0 of a matrix of shape (2, 2)", func() { nd.CSRFromCOO(2, 2, []int32{2}, []int32{0}, []float32{1}) }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
}
