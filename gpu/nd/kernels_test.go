package nd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

var updateKernels = flag.Bool("update-kernels", false, "write testdata/kernels anew")

// kernelCases are operations for each kind of generated kernel. They read no arrays, as nothing is computed. Those of file gpu have kernels that
// devices which compute descriptions do not need, and those of file described have kernels that only these have.
var kernelCases = []struct {
	file string // in testdata/kernels
	name string
	run  func()
}{
	{"map", "vectors", func() { ones[float32](1000).Add(ones[float32](1000)).MulScalar(2).Eval() }},
	{"map", "vectors of two types", func() { nd.Where(ones[bool](1000), ones[float64](1000), nd.Scalar(1.5)).Eval() }},
	{"map", "numbers of 16 bits", func() { nd.Sqrt(ones[nd.Float16](1000)).Add(ones[nd.Float16](1000)).Eval() }},
	{"map", "bfloat16", func() { nd.Exp(ones[nd.BFloat16](64)).Eval() }},
	{"map", "complex numbers", func() { nd.Sqrt(ones[complex64](64)).Div(ones[complex64](64)).AddScalar(2i).Eval() }},
	{"map", "integers", func() { ones[int32](64).FloorDiv(ones[int32](64)).Pow(ones[int32](64)).Eval() }},
	{"map", "not aligned", func() { ones[float32](1001).Slice(nd.From(1)).Neg().Eval() }},
	{"map", "strided", func() { ones[int16](64, 6).Slice(nd.All, nd.All.By(-2)).Neg().Eval() }},
	{"map", "broadcast", func() { ones[float32](3, 1, 64).Sub(ones[float32](5, 1)).Mul(ones[float32](64)).Eval() }},
	{"map", "index", func() { nd.Arange[float32](64).Mul(ones[float32](3, 64)).Eval() }},
	{"map", "into a view", func() { ones[float32](64, 6).Slice(nd.All, nd.At(1)).Assign(ones[float32](64)) }},
	{"tile", "transposed", func() { ones[float32](70, 90).T().Add(ones[float32](90, 70)).Eval() }},
	{"tile", "transposed bytes", func() { ones[int8](72, 96).T().Add(ones[int8](96, 72)).Eval() }},
	{"tile", "transposed, three axes", func() { ones[complex128](3, 70, 90).Transpose(0, 2, 1).Copy() }},
	{"stencil", "neighbours", func() { around(ones[float32](50, 60)).Eval() }},
	{"stencil", "neighbours in a cube, between others", func() {
		around(ones[nd.Float16](9, 20, 40)).Add(ones[nd.Float16](38)).Mul(ones[nd.Float16](18, 1)).Sub(ones[nd.Float16](18, 76).Slice(nd.All, nd.All.By(2))).Eval()
	}},
	{"stencil", "converted, by rows and from its end", func() {
		x := ones[int16](60, 50).Flip(0)
		ones[float32](60, 90).Slice(nd.All, nd.To(84).By(2)).Assign(nd.AsType[float32](x.Slice(nd.All, nd.To(42)).Add(x.Slice(nd.All, nd.R(1, 43))).Add(x.Slice(nd.All, nd.From(8)))))
	}},
	{"stencil", "filter", func() { filtered(ones[float32](40, 64), 5, func(i int) float32 { return float32(i) }).Eval() }},
	{"stencil", "filter into the inside, of which a row ends with parts of vectors", func() {
		ones[nd.Float16](40, 64).Slice(nd.R(1, 38), nd.R(2, 57)).Assign(filtered(ones[nd.Float16](41, 60).Slice(nd.All, nd.R(1, 60)), 5, func(i int) nd.Float16 { return nd.Float16(i) }))
	}},
	{"reduce", "all", func() { ones[float32](5000).Sum() }},
	{"reduce", "in two kernels", func() { ones[float32](1 << 20).Sum() }},
	{"reduce", "rows", func() { ones[int32](50, 70).Max(1) }},
	{"reduce", "short rows of vectors", func() { nd.Argmax(ones[float32](1<<14, 64), 1) }},
	{"reduce", "columns", func() { ones[nd.Float16](5000, 516).Max(0) }},
	{"reduce", "columns of vectors", func() { ones[float32](4099, 260).Add(ones[float32](260)).Sum(0) }},
	{"reduce", "rows of vectors, not aligned and repeated", func() {
		ones[float32](4, 4096).Mul(ones[float32](4, 1)).Add(ones[float32](4, 4097).Slice(nd.All, nd.From(1))).Prod(1)
	}},
	{"reduce", "middle axis", func() { nd.Argmin(ones[float64](6, 7, 8).Slice(nd.All, nd.All, nd.All.By(2)), 1) }},
	{"reduce", "two axes", func() { ones[uint16](6, 7, 8).Any(0, 2) }},
	{"reduce", "mean of complex numbers", func() { nd.Mean(ones[complex64](6, 7), 1) }},
	{"reduce", "index", func() { nd.Arange[int64](64).Mul(ones[int64](3, 64)).All(1) }},
	{"reduce", "index, rows of vectors", func() { nd.Argmax(nd.Arange[float32](4096).Mul(ones[float32](3, 4096)), 1) }},
	{"reduce", "index, columns of vectors", func() { nd.Arange[float32](512).Mul(ones[float32](4096, 512)).Min(0) }},
	{"rows", "kept by 32 threads", func() { centred(ones[float32](64, 600)).Eval() }},
	{"rows", "kept by 512 threads", func() { centred(ones[float32](64, 16384)).Eval() }},
	{"rows", "too long to be kept", func() { centred(ones[float64](64, 16384)).Eval() }},
	{"gpu", "scan of an expression, by 512 threads, and its maxima", func() { nd.Cumsum(nd.Exp(ones[float32](64, 16384)), 1).Max(1).Eval() }},
	{"gpu", "reduced product", func() {
		nd.Argmin(ones[float32](100).Sub(nd.MatMul(ones[float32](1<<15, 8), ones[float32](100, 8).T()).MulScalar(2)), 1).Eval()
	}},
	{"gpu", "scan of an expression, by 32 threads", func() { nd.Cummax(nd.Sqrt(ones[nd.Float16](64, 320)), 1).Neg().Eval() }},
	{"scan", "short rows", func() { nd.Cumsum(ones[float32](6, 7), 1) }},
	{"scan", "long rows", func() { nd.Cumprod(ones[complex64](2, 50_000), 1) }},
	{"scan", "greatest", func() { nd.Cummax(ones[nd.Float16](700)) }},
	{"sort", "keys", func() { nd.Sort(ones[float32](700)) }},
	{"sort", "rows", func() { nd.Sort(ones[int16](3, 700)) }},
	{"sort", "indices", func() { nd.Argsort(ones[float64](700)) }},
	{"sort", "values", func() { nd.SortBy(ones[float64](700), ones[float32](700)) }},
	{"sort", "complex numbers", func() { nd.Sort(ones[complex64](700)) }},
	{"sort", "quantiles of a short row", func() { nd.Quantile(ones[float32](2000), []float64{0.5}) }},
	{"described", "largest elements", func() { nd.TopK(ones[float32](700), 7, 0) }},
	{"gpu", "quantiles of a long row", func() { nd.Quantile(ones[float32](100_000), []float64{0.5}) }},
	{"gpu", "quantiles of a row of which a sample is taken", func() { nd.Quantile(ones[float32](1<<23), []float64{0.1, 0.5}) }},
	{"gpu", "median of a long row", func() { nd.Median(ones[nd.Float16](100_000)) }},
	{"gpu", "sparse rows, a thread for each", func() { filled[float32](300, 5).Dot(ones[float32](5)) }},
	{"gpu", "sparse rows, eight threads for each", func() { filled[float64](300, 60).Dot(ones[float64](60)) }},
	{"gpu", "inner product", func() { nd.Dot(ones[float32](70), ones[float32](70)) }},
	{"gpu", "mask of an expression", func() { nd.Mask(ones[float32](70), ones[float32](70).GreaterScalar(1)) }},
	{"search", "mask", func() { nd.Mask(ones[nd.Float16](70), ones[bool](70)) }},
	{"gpu", "indices of what is not zero", func() { nd.Flatnonzero(ones[complex128](70)) }},
	{"search", "searchsorted", func() { nd.Searchsorted(ones[float32](70), ones[float32](7), nd.Left) }},
	{"search", "bins in global memory", func() { nd.Histogram(ones[float32](7), 20_000, 0, 1) }},
	{"search", "columns of weights", func() {
		nd.HistogramWeights(ones[float32](7), ones[float64](7, 2).Slice(nd.All, nd.At(1)), 3, 0, 1)
	}},
	{"search", "histogram", func() { nd.HistogramWeights(ones[float32](7), ones[float64](7), 3, 0, 1) }},
}

func ones[T nd.Number | bool](shape ...int) *nd.Array[T] { return nd.Empty[T](shape...) }

// filled returns a sparse matrix without zeros.
func filled[T nd.Inexact](rows, cols int) *nd.CSR[T] {
	start, column := make([]int32, rows+1), make([]int32, rows*cols)
	for i := range start {
		start[i] = int32(i * cols)
	}
	for i := range column {
		column[i] = int32(i % cols)
	}
	return nd.NewCSR(rows, cols, nd.FromSlice(start), nd.FromSlice(column), ones[T](rows*cols))
}

// TestKernelSources compares the texts of generated kernels with those in testdata/kernels: they are the keys of the cache of compiled
// kernels, so a change of them should be deliberate.
func TestKernelSources(t *testing.T) {
	files := map[string]*strings.Builder{}
	usual := os.Getenv("GOPHERWARP_ARRAYS")
	for _, c := range kernelCases {
		t.Setenv("GOPHERWARP_ARRAYS", usual)
		switch c.file {
		case "gpu":
			t.Setenv("GOPHERWARP_ARRAYS", "cuda")
		case "described":
			if t.Setenv("GOPHERWARP_ARRAYS", ""); !nd.Described() {
				continue
			}
		}
		b := files[c.file]
		if b == nil {
			b = &strings.Builder{}
			files[c.file] = b
		}
		for _, text := range nd.Sources(c.run) {
			b.WriteString("// " + c.name + "\n" + text + "\n")
		}
	}
	files["map"].WriteString("// indices of 64 bits\n" + nd.Explain(ones[uint8](1, 1).BroadcastTo(1<<16, 1<<16).Neg()))
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	some := nd.Zeros[int32](64) // indices are read, to check them
	taken := some.Sub(nd.Take(some, some)).Mul(nd.Take(some.Slice(nd.To(7)), nd.Zeros[uint8](64)))
	files["gpu"].WriteString("// elements at indices\n" + nd.Explain(taken))
	for file, got := range files {
		path := filepath.Join("testdata", "kernels", file+".cu")
		if *updateKernels {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if line, g, w := difference(got.String(), string(want)); line > 0 {
			t.Errorf("%s:%d is %q, the kernel has %q: if it is meant to, run go test ./gpu/nd -run TestKernelSources -update-kernels", path, line, w, g)
		}
	}
}

// difference returns the first line in which two texts differ, or 0.
func difference(a, b string) (line int, x, y string) {
	if a == b {
		return 0, "", ""
	}
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return i + 1, as[i], bs[i]
		}
	}
	return min(len(as), len(bs)) + 1, "", ""
}

// centred returns rows less their means.
func centred[T nd.Float](x *nd.Array[T]) *nd.Array[T] { return x.Sub(nd.Mean(x, 1).ExpandDims(1)) }
