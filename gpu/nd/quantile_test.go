package nd_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// quantilesOf is NumPy's expression for quantiles in float64. It has NaN also for infinite neighbours that are equal or without weight, which
// are the lower ones here.
const quantilesOf = "(lambda x, q: (lambda lo, hi, r: np.where(lo == hi, lo, r).astype(x0.dtype))(np.quantile(x, q, AXIS, method='lower'), " +
	"np.quantile(x, q, AXIS, method='higher'), np.quantile(x, q, AXIS)))(x0.astype(np.float64), x1)"

func quantileCase[T nd.Float](s *suite, a *nd.Array[T], x input, q []float64, axes ...int) {
	axis := "None"
	if len(axes) > 0 {
		axis = "(" + strings.Trim(fmt.Sprint(axes), "[]") + ",)"
		axis = strings.ReplaceAll(axis, " ", ",")
	}
	_, y := given(q, len(q))
	expectFrom(s, strings.ReplaceAll(quantilesOf, "AXIS", axis), 1, func() *nd.Array[T] { return nd.Quantile(a, q, axes...) }, x, y)
	expectFrom(s, "np.median(x0.astype(np.float64), "+axis+").astype(x0.dtype)", 1, func() *nd.Array[T] { return nd.Median(a, axes...) }, x)
}

func quantileCases[T nd.Float](s *suite) {
	for range 6 {
		a, x := view[T](s, []int{1 + s.IntN(4), 1 + s.IntN(5), 1 + s.IntN(6)})
		if a.Size() == 0 {
			continue
		}
		quantileCase(s, a, x, []float64{0.5, 0, 1, s.Float64()})
		if rank := len(a.Shape()); rank > 0 {
			quantileCase(s, a, x, []float64{s.Float64(), s.Float64()}, s.IntN(rank))
		}
	}
	a, x := array[T](s, 3, 4, 5)
	quantileCase(s, a, x, []float64{0.3}, 0, 2)
	quantileCase(s, a, x, []float64{0.3}, -1, 0)
}

func TestNumPyQuantiles(t *testing.T) {
	s := newSuite(t)
	quantileCases[float32](s)
	quantileCases[float64](s)
	quantileCases[nd.Float16](s)
	// Long rows, which are not sorted: around a block's tile, and not aligned.
	for _, n := range []int{1 << 15, 1<<15 + 1, 1<<16 - 1, 100_003} {
		longQuantiles(s, "numbers", n, func(int) float64 { return s.NormFloat64() })
		longQuantiles(s, "few", n, func(int) float64 { return float64(s.IntN(7)) - 3 })
	}
	const n = 50_000
	longQuantiles(s, "equal", n, func(int) float64 { return 1.5 })
	longQuantiles(s, "one is no number", n, func(i int) float64 { return []float64{math.NaN(), 1}[min(i, 1)] })
	longQuantiles(s, "zeros", n, func(int) float64 { return math.Copysign(0, s.NormFloat64()) })
	longQuantiles(s, "infinite", n, func(int) float64 { return []float64{math.Inf(1), math.Inf(-1), 1}[s.IntN(3)] })
	longQuantiles(s, "large and small", n, func(int) float64 { return s.NormFloat64() * math.Pow(2, float64(s.IntN(30)-15)) })
	longQuantiles(s, "ascending", n, func(i int) float64 { return float64(i) })
	s.run()
}

func longQuantiles(s *suite, _ string, n int, f func(i int) float64) {
	host := make([]float64, n)
	for i := range host {
		host[i] = f(i)
	}
	longQuantile[float32](s, host)
	longQuantile[float64](s, host)
	longQuantile[nd.Float16](s, host)
}

func longQuantile[T nd.Float](s *suite, host []float64) {
	list := nd.AsType[T](nd.FromSlice(host)).ToHost()
	a, x := given(list, len(list))
	quantileCase(s, a, x, []float64{0.1, 0.9, 0.5})
	eight := []float64{0, 1, 1e-4, 0.9999}
	for range 4 {
		eight = append(eight, s.Float64())
	}
	quantileCase(s, a, x, eight)
	quantileCase(s, a, x, append(eight, 0.77)) // by a sort
	x.Index = "3:"
	quantileCase(s, a.Slice(nd.From(3)), x, []float64{0.25, 0.75}, 0)
}

// Statistics of rows of all types are the elements that a sort puts at their places.
func TestStatistics(t *testing.T) {
	statisticsOf[int8](t)
	statisticsOf[uint8](t)
	statisticsOf[int16](t)
	statisticsOf[uint16](t)
	statisticsOf[int32](t)
	statisticsOf[uint32](t)
	statisticsOf[int64](t)
	statisticsOf[uint64](t)
	statisticsOf[nd.BFloat16](t)
	statisticsOf[nd.Float16](t)
	statisticsOf[float32](t)
	statisticsOf[float64](t)
}

func statisticsOf[T nd.Real](t *testing.T) {
	s := newSuite(t)
	for _, n := range []int{70, 1500, 9000, 40_001} {
		for _, rows := range []int{1, 3} {
			a, _ := given(values[T](s, rows*n), rows, n)
			ranks := []int{n - 1, 0, n / 2, n/2 + 1, 17, n / 3, 0}
			got := nd.Statistics(a, ranks).ToHost()
			sorted := nd.Sort(a).ToHost()
			for i, v := range got {
				if want := sorted[i/len(ranks)*n+ranks[i%len(ranks)]]; v != want && (v == v || want == want) {
					t.Errorf("%v: element %d of row %d of %d is %v, want %v", nd.DTypeOf[T](), ranks[i%len(ranks)], i/len(ranks), n, v, want)
				}
			}
		}
	}
}

func TestQuantileErrors(t *testing.T) {
	a := nd.Zeros[float32](2, 0)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nd.Quantile: 1.5 is not from 0 to 1", func() { nd.Quantile(a, []float64{0.5, 1.5}) }},
		{"nd.Quantile: NaN is not from 0 to 1", func() { nd.Quantile(a, []float64{math.NaN()}) }},
		{"nd.Percentile: -1 is not from 0 to 100", func() { nd.Percentile(a, []float64{-1}) }},
		{"nd.Quantile: an array of shape (2, 0) has nothing along the axes [1], of which there could be a result", func() { nd.Quantile(a, []float64{0.5}, 1) }},
		{"nd.Median: axis 2 is out of bounds", func() { nd.Median(a, 2) }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
	if got := nd.Median(a, 1).ToHost(); len(got) != 2 || got[0] == got[0] {
		t.Errorf("medians of nothing are %v", got)
	}
	if got := nd.Quantile(a, []float64{0.5}, 0); !slices.Equal(got.Shape(), []int{1, 0}) {
		t.Errorf("no quantiles have the shape %v", got.Shape())
	}
	if got := nd.Quantile(nd.Ones[float32](3), nil); !slices.Equal(got.Shape(), []int{0}) {
		t.Errorf("no quantiles have the shape %v", got.Shape())
	}
}

// Lazy, transposed and split operands have the same quantiles.
func TestQuantileOperands(t *testing.T) {
	on(t, "sim:x3")
	x := numbers(300, 200)
	want := nd.Quantile(x.Copy(), []float64{0.2, 0.7}).ToHost()
	for name, got := range map[string]doubles{
		"lazy":       nd.Quantile(x.AddScalar(0), []float64{0.2, 0.7}),
		"transposed": nd.Quantile(x.T(), []float64{0.2, 0.7}),
		"split":      nd.Quantile(nd.Shard(x, 0), []float64{0.2, 0.7}),
		"percentile": nd.Percentile(x, []float64{20, 70}),
	} {
		if !slices.Equal(got.ToHost(), want) {
			t.Errorf("%s: the quantiles are %v, want %v", name, got, want)
		}
	}
	rows := nd.Median(nd.Shard(x, 1), 1).ToHost()
	if want := nd.Median(x, 1).ToHost(); !slices.Equal(rows, want) {
		t.Error("the medians of split rows are other ones")
	}
	if got := panics(t, func() { nd.Grad(func(p doubles) doubles { return nd.Median(p) })(x) }); !strings.Contains(got, "nd.Median: it has no gradient here") {
		t.Errorf("a gradient gives %q", got)
	}
}
