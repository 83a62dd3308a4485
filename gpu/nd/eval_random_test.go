package nd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestEvalRandom computes random expressions of one shape by one call, and compares them with the same ones, computed one by one.
func TestEvalRandom(t *testing.T) {
	if !nd.Described() {
		t.Skip("SKIPPED: each case would compile a kernel")
	}
	for seed := range uint64(400) {
		var want [][]float64
		for _, o := range randomOutputs(seed) {
			want = append(want, nd.AsType[float64](o).ToHost())
		}
		outs := randomOutputs(seed)
		nd.Eval(outs...)
		for i, o := range outs {
			for k, got := range nd.AsType[float64](o).ToHost() {
				if w := want[i][k]; got != w && (got == got || w == w) {
					t.Fatalf("seed %d, element %d of output %d is %v, want %v", seed, k, i, got, w)
				}
			}
		}
	}
}

// randomOutputs returns expressions of one shape, which are the same for a seed.
func randomOutputs(seed uint64) (outs []nd.Operand) {
	r := rand.New(rand.NewPCG(seed, 7))
	rows, columns := 1+r.IntN(70), 1+r.IntN(70)
	if r.IntN(8) == 0 {
		rows, columns = 3, 700+r.IntN(700) // rows as long as a block, or longer
	}
	base := nd.Sin(nd.Arange[float64](float64(4*rows*columns)).MulScalar(1+float64(seed%5))).Reshape(2*rows, 2*columns)
	if r.IntN(2) == 0 {
		base = base.Eval()
	}
	operands := []func() *nd.Array[float64]{
		func() *nd.Array[float64] { return base.Slice(nd.To(rows), nd.To(columns)) },
		func() *nd.Array[float64] { return base.Slice(nd.All.By(2), nd.All.By(2)) },
		func() *nd.Array[float64] {
			return base.T().Reshape(2*rows, 2*columns).Slice(nd.From(rows), nd.From(columns))
		},
		func() *nd.Array[float64] { return base.Slice(nd.At(0), nd.To(columns)).BroadcastTo(rows, columns) },
		func() *nd.Array[float64] { return nd.Full[float64](math.E, rows, columns) },
		func() *nd.Array[float64] {
			return nd.AsType[float64](base.Slice(nd.To(rows), nd.From(columns)).GreaterScalar(0.1))
		},
	}
	operations := []func(a, b *nd.Array[float64]) *nd.Array[float64]{
		(*nd.Array[float64]).Add,
		(*nd.Array[float64]).Mul,
		func(a, _ *nd.Array[float64]) *nd.Array[float64] { return nd.Sin(a) },
		func(a, b *nd.Array[float64]) *nd.Array[float64] { return a.Sub(b).Square() },
		func(a, b *nd.Array[float64]) *nd.Array[float64] {
			return nd.AsType[float64](nd.AsType[float32](a)).Sub(b).Square()
		},
		func(a, b *nd.Array[float64]) *nd.Array[float64] { return nd.Where(a.Greater(b), a, b) },
		func(a, b *nd.Array[float64]) *nd.Array[float64] {
			return nd.AsType[float64](nd.AsType[nd.Float16](a)).Add(b)
		},
	}
	dtypes := []func(a *nd.Array[float64]) nd.Operand{
		func(a *nd.Array[float64]) nd.Operand { return a },
		func(a *nd.Array[float64]) nd.Operand { return nd.AsType[nd.Float16](a) },
		func(a *nd.Array[float64]) nd.Operand { return nd.AsType[nd.BFloat16](a) },
		func(a *nd.Array[float64]) nd.Operand { return nd.AsType[float32](a) },
		func(a *nd.Array[float64]) nd.Operand { return nd.AsType[int8](a.MulScalar(5)) },
		func(a *nd.Array[float64]) nd.Operand { return a.GreaterScalar(0.1) },
	}
	var values []*nd.Array[float64]
	for range 3 {
		values = append(values, operands[r.IntN(len(operands))]())
	}
	value := func() *nd.Array[float64] { return values[r.IntN(len(values))] }
	for range r.IntN(9) {
		values = append(values, operations[r.IntN(len(operations))](value(), value()))
	}
	for range 2 + r.IntN(4) {
		outs = append(outs, dtypes[r.IntN(len(dtypes))](value()))
	}
	return outs
}
