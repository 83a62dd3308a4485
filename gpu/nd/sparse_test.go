package nd_test

import (
	"fmt"
	"math"
	"slices"
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

type rowsCase struct {
	name    string
	kernel  bool // multiplies it on a GPU
	lengths []int
}

// rowLengths are matrices by the lengths of their rows.
func rowLengths(s *suite) []rowsCase {
	lengths := func(rows int, length func(row int) int) []int {
		list := make([]int, rows)
		for i := range list {
			list[i] = length(i)
		}
		return list
	}
	always := func(n int) func(int) int { return func(int) int { return n } }
	upTo := func(n int) func(int) int { return func(int) int { return s.IntN(n + 1) } }
	return []rowsCase{
		{"no rows", false, nil},
		{"no elements", false, lengths(5, always(0))},
		{"one element", true, []int{1}},
		{"one in 600 rows", true, lengths(600, func(row int) int { return boolInt(row == 599) })},
		{"fives", true, lengths(1000, always(5))},
		{"eights, whole", true, lengths(512, always(8))},
		{"eights, one more", true, lengths(513, always(8))},
		{"up to 3", true, lengths(257, upTo(3))},
		{"up to 16", true, lengths(1500, upTo(16))},
		{"up to 32", true, lengths(255, upTo(32))},
		{"up to 60", true, lengths(300, upTo(60))},
		{"up to 120", true, lengths(129, upTo(120))},
		{"up to 250", true, lengths(65, upTo(250))},
		{"thirties to 500", true, lengths(33, func(int) int { return 30 + s.IntN(470) })},
		{"thousands", true, lengths(19, func(int) int { return 1000 + s.IntN(300) })},
		{"some are long", true, lengths(700, func(row int) int { return 2 + 250*boolInt(row%16 == 5) })},
		{"empty at both ends", true, lengths(900, func(row int) int { return 7 * boolInt(row > 300 && row < 600) })},
		{"one is very long", false, lengths(700, func(row int) int { return 2 + 3000*boolInt(row == 400) })},
		{"a block is too long", false, lengths(5000, func(row int) int { return 1 + 100*boolInt(row >= 1024 && row < 1280) })},
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestNumPyCSR compares products of matrices and vectors with SciPy's, or with NumPy's sums.
func TestNumPyCSR(t *testing.T) {
	s := newSuite(t)
	for _, c := range rowLengths(s) {
		products[float32](s, c)
		products[float64](s, c)
	}
	s.run()
}

// products adds the products of a random matrix and views of vectors, whose elements that no row needs are not numbers.
func products[T float32 | float64](s *suite, rows rowsCase) {
	const cols = 1300
	start, column, values := []int32{0}, []int32{}, []T{}
	unused := s.IntN(cols)
	for _, n := range rows.lengths {
		for range n {
			c := s.IntN(cols)
			if c == unused {
				c = (c + 1) % cols
			}
			column, values = append(column, int32(c)), append(values, T(s.NormFloat64()))
		}
		start = append(start, int32(len(column)))
	}
	m := nd.NewCSR(len(rows.lengths), cols, nd.FromSlice(start), nd.FromSlice(column), nd.FromSlice(values))
	if lanes, block, turns := nd.FormOf(m); (lanes > 0) != rows.kernel {
		s.t.Errorf("%s: the kernel is for it %v, want %v: %d threads for a row, %d rows of a block, %d elements of a thread", rows.name, lanes > 0, rows.kernel, lanes, block, turns)
	}
	_, starts := given(start, len(start))
	_, columns := given(column, len(column))
	_, of := given(values, len(values))
	for view, index := range []string{":", "::2", "::-1"} {
		host := make([]T, cols*(1+view%2))
		for i := range host {
			host[i] = T(s.NormFloat64())
		}
		at := [...]int{unused, 2 * unused, cols - 1 - unused}[view]
		host[at] = T([...]float64{math.NaN(), math.Inf(1), math.Inf(-1)}[s.IntN(3)])
		if view == 2 && s.IntN(2) == 0 {
			host[s.IntN(cols)] = T(math.Inf(1)) // which some rows may need
		}
		_, x := given(host, len(host))
		x.Index = index
		got := func() *nd.Array[T] { return m.Dot(nd.FromSlice(host).Slice(nd.Idx(index)...)) }
		expectFrom(s, fmt.Sprintf("csr_product(x0, x1, x2, x3).astype(x2.dtype) # %s", rows.name), 2, got, starts, columns, of, x)
		c := s.cases[len(s.cases)-1]
		// Each of n sums may be off by half a unit of the sum of moduli.
		c.Slack = "csr_product(x0, x1, np.abs(x2), np.abs(x3)) * np.diff(x0) * np.finfo(x2.dtype).eps"
	}
}

// TestCSRTwice tests that products are the same each time, and close to those of the library.
func TestCSRTwice(t *testing.T) {
	const cols = 10_000 // cuSPARSE takes no matrix of more elements than it has places
	s := newSuite(t)
	for _, c := range rowLengths(s) {
		start, column := []int32{0}, []int32{}
		for _, n := range c.lengths {
			for range n {
				column = append(column, int32(s.IntN(cols)))
			}
			start = append(start, int32(len(column)))
		}
		values, _ := small[float32](s, len(column))
		x, _ := small[float32](s, cols)
		m := nd.NewCSR(len(c.lengths), cols, nd.FromSlice(start), nd.FromSlice(column), values)
		once := m.Dot(x)
		if !slices.Equal(once.ToHost(), m.Dot(x).ToHost()) {
			t.Errorf("%s: the second product is another one", c.name)
		}
		close(t, c.name, once, nd.ByLibrary(m).Dot(x))
		close(t, c.name+", a column", m.Dot(x.ExpandDims(1)).Ravel(), once)
	}
}

// TestFormOf tests how the kernel divides usual matrices.
func TestFormOf(t *testing.T) {
	s := newSuite(t)
	for _, c := range []struct {
		name               string
		rows               int
		length             func() int
		lanes, block, from int
		to                 int // turns, at most
	}{
		{"five", 10_000, func() int { return 5 }, 1, 256, 5, 5},
		{"eight", 10_000, func() int { return 8 }, 1, 256, 8, 8},
		{"up to 15", 10_000, func() int { return s.IntN(16) }, 1, 256, 8, 10},
		{"nine", 10_000, func() int { return 9 }, 2, 128, 5, 5},
		{"100", 1000, func() int { return 100 }, 16, 16, 7, 7},
		{"seldom any", 10_000, func() int { return boolInt(s.IntN(100) == 0) }, 1, 256, 1, 1},
	} {
		start := []int32{0}
		for i := range c.rows {
			start = append(start, start[i]+int32(c.length()))
		}
		m := nd.NewCSR(c.rows, 1, nd.FromSlice(start), nd.Zeros[int32](int(start[c.rows])), nd.Ones[float32](int(start[c.rows])))
		lanes, block, turns := nd.FormOf(m)
		if lanes != c.lanes || block != c.block || turns < c.from || turns > c.to {
			t.Errorf("%s: %d threads for a row, %d rows of a block, %d elements of a thread; want %d, %d and %d to %d", c.name, lanes, block, turns, c.lanes, c.block, c.from, c.to)
		}
	}
}
