package routine

import (
	"reflect"
	"strings"
	"testing"
)

// Parse is the inverse of Bytes for each routine, and Check finds invalid arguments.
func TestParse(t *testing.T) {
	for r := Routine(1); r < routineEnd; r++ {
		c := reflect.New(reflect.TypeOf(routines[r]).Elem()).Interface().(Call)
		for i := range Bytes(c) {
			Bytes(c)[i] = 1 // true is among the values
		}
		got, err := Parse(r, Bytes(c))
		if err != nil || !reflect.DeepEqual(got, c) || c.Routine() != r || strings.HasPrefix(FamilyOf(r).String(), "library") {
			t.Errorf("routine %d became %#v, %v", r, got, err)
		}
		if _, err := Parse(r, Bytes(c)[1:]); err == nil {
			t.Errorf("routine %d was made of too few bytes", r)
		}
	}
	if _, err := Parse(routineEnd, nil); err == nil {
		t.Error("a routine that is not there was made")
	}
}

func TestCheck(t *testing.T) {
	m := func(lead int) Matrices { return Matrices{Addr: 4096, Lead: lead, Step: 100} }
	good := Gemm{Type: Float32, M: 2, N: 3, K: 4, A: m(2), B: m(4), C: m(2), Count: 5}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		say  string
		call Call
	}{
		{"does not support this type", &Gemm{Type: Int32}},
		{"N is -1", &Gemm{Type: Float32, N: -1, A: m(1), B: m(1), C: m(1)}},
		{"A: columns of 2 rows that begin 1", &Gemm{Type: Float32, M: 2, A: m(1), B: m(4), C: m(2)}},
		{"A: columns of 9 rows", &Gemm{Type: Float32, TransA: Transposed, K: 9, A: m(2), B: m(9), C: m(2)}},
		{"complex factor", &Gemm{Type: Float16, Alpha: 1i, A: m(1), B: m(1), C: m(1)}},
		{"overlap", &Gemm{Type: Float32, M: 20, N: 20, A: m(20), B: m(20), C: m(20), Count: 2}},
		{"does not support this type", &Trsm{Type: Float16}},
		{"A: columns of 7 rows", &Trsm{Type: Float32, Side: Right, M: 2, N: 7, A: m(2), B: m(2)}},
		{"fewer rows than columns", &Gesvd{Type: Float32, M: 2, N: 3, A: m(2)}},
		{"without elements", &Gesvd{Type: Float32, M: 2, A: m(2)}},
		{"U: columns of 5 rows", &Gesvd{Type: Float32, Job: Thin, M: 5, N: 3, A: m(5), U: m(3), VT: m(3)}},
		{"M ≥ N ≥ K", &Orgqr{Type: Float32, M: 5, N: 3, K: 4, A: m(5)}},
		{"1 to 3 dimensions", &Transform{Rank: 4}},
		{"at least one element", &Transform{Rank: 2, Dims: [3]int{4}}},
		{"at most", &Transform{Rank: 3, Dims: [3]int{1 << 20, 1 << 20, 1 << 30}}},
		{"in place", &Transform{Rank: 1, Dims: [3]int{4}, Kind: RealToComplex, Count: 1}},
		{"C: columns of 3 rows", &CSRMul{Type: Float32, Rows: 9, Cols: 2, N: 3, ByRows: true, B: m(3), C: m(2)}},
	} {
		if err := c.call.Check(); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%T: got %v, want %q", c.call, err, c.say)
		}
	}
}

func TestOperands(t *testing.T) {
	g := Gemm{
		Type: Complex64, TransA: Adjoint, M: 2, N: 3, K: 4, Count: 2,
		A: Matrices{8, 5, 100}, B: Matrices{16, 4, 0}, C: Matrices{24, 2, 6},
	}
	want := []Operand{
		{"A", 8, (100 + 5 + 4) * 8, 8, false},
		{"B", 16, 12 * 8, 8, false},
		{"C", 24, 12 * 8, 8, true},
	}
	if got := g.Operands(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if in, out := (&Transform{Kind: ComplexToReal, Rank: 2, Dims: [3]int{3, 5}}).Sizes(); in != 9 || out != 15 {
		t.Errorf("a transform from %d to %d elements", in, out)
	}
}
