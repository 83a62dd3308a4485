package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// arrayProgram has the files with the functions of arrays.
var arrayProgram = sync.OnceValues(func() (map[string]string, error) {
	texts := map[string]string{}
	for _, name := range []string{"arrays.go", "half.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
})

// onDevice returns f, which those files declare under that name, with its translation.
func onDevice[F any](t *testing.T, name string, f F) F {
	t.Helper()
	texts, err := arrayProgram()
	if err != nil {
		t.Fatal(err)
	}
	made, err := translateArray(t, texts, name)
	if err != nil {
		t.Fatal(err)
	}
	return nd.Translated(f, made.CName, made.CUDA)
}

func translateArray(t *testing.T, texts map[string]string, name string) (*gokernel.ArrayFunction, error) {
	t.Helper()
	p, err := load(t, texts)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == name {
				return p.TranslateFunction(d)
			}
		}
	}
	t.Fatalf("no function %s", name)
	return nil, nil
}

// launches reports how many kernels f launches.
func launches(f func()) int {
	before := nd.Stats().Launches
	f()
	return nd.Stats().Launches - before
}

// equal compares an array, which takes that many launches, with the elements that it should have.
func equal[T nd.Elem](t *testing.T, what string, number int, a *nd.Array[T], want []T) {
	t.Helper()
	var got []T
	if n := launches(func() { got = a.ToHost() }); n != number {
		t.Errorf("%s takes %d launches, want %d", what, n, number)
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// numbers returns n numbers that a type can hold, of all sizes.
func numbers[T int16 | int32 | int64 | uint8 | uint32 | float32 | float64](n int) []T {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	list := make([]T, n)
	for i := range list {
		switch p := any(&list[i]).(type) {
		case *float32:
			*p = float32(r.NormFloat64() * math.Exp(float64(r.IntN(20)-10)))
		case *float64:
			*p = r.NormFloat64() * math.Exp(float64(r.IntN(20)-10))
		default:
			list[i] = T(r.Uint64() >> r.IntN(64))
		}
	}
	return list
}

func each2[A, B, R any](a []A, b []B, f func(A, B) R) []R {
	out := make([]R, len(a))
	for i := range a {
		out[i] = f(a[i], b[i%len(b)])
	}
	return out
}

func each1[A, R any](a []A, f func(A) R) []R {
	return each2(a, []int{0}, func(x A, _ int) R { return f(x) })
}

func TestMap(t *testing.T) {
	const n = 1003
	x, y := numbers[float32](n), numbers[float32](17)
	a, b := nd.FromSlice(x), nd.FromSlice(y)
	whole, row := nd.FromSlice(x[:1003/17*17], 59, 17), b
	f := onDevice(t, "squarePlus", squarePlus)
	equal(t, "Map2", 1, nd.Map2(a, a.MulScalar(2), f), each1(x, func(v float32) float32 { return squarePlus(v, 2*v) }))
	equal(t, "Map2 of a row", 1, nd.Map2(whole, row, f), each2(x[:1003], y, squarePlus))
	equal(t, "Map2 of a scalar", 1, nd.Map2(a, nd.Scalar[float32](3), f), each1(x, func(v float32) float32 { return squarePlus(v, 3) }))
	equal(t, "Map2 of a column", 1, nd.Map2(whole.T(), row.Reshape(17, 1), f).T(), each2(x[:1003], y, squarePlus))
	equal(t, "an expression of it", 1, nd.Sqrt(nd.Abs(nd.Map2(whole.Add(row), row, f))).AddScalar(1), each2(x[:1003], y, func(v, w float32) float32 {
		return float32(math.Sqrt(math.Abs(float64(squarePlus(v+w, w))))) + 1
	}))
	equal(t, "a function of a function", 1, nd.Map2(nd.Map2(a, a, f), a, f), each1(x, func(v float32) float32 { return squarePlus(squarePlus(v, v), v) }))
	equal(t, "exp", 1, nd.Map(a, onDevice(t, "exp", exp)), each1(x, exp))

	z := numbers[float64](n)
	equal(t, "float64", 1, nd.Map(nd.FromSlice(z), onDevice(t, "logistic", logistic)), each1(z, logistic))
	i32, i64 := numbers[int32](n), numbers[int64](n)
	equal(t, "int32", 1, nd.Map(nd.FromSlice(i32), onDevice(t, "collatz", collatz)), each1(i32, collatz))
	equal(t, "int64", 1, nd.Map2(nd.FromSlice(i64), nd.FromSlice(i64[:1]), onDevice(t, "wrapping", wrapping)), each2(i64, i64[:1], wrapping))
	u8, i16 := numbers[uint8](n), numbers[int16](n)
	equal(t, "uint8 and int16", 1, nd.Map2(nd.FromSlice(u8), nd.FromSlice(i16), onDevice(t, "bytesMixed", bytesMixed)), each2(u8, i16, bytesMixed))

	between := nd.Map3(a, nd.Scalar[float32](-1), nd.Scalar[float32](1), onDevice(t, "isBetween", isBetween))
	inside := each1(x, func(v float32) bool { return isBetween(v, -1, 1) })
	equal(t, "bool", 1, between, inside)
	which := nd.Map3(between, nd.FromSlice(i32), nd.Scalar[int32](-5), onDevice(t, "choose", choose))
	equal(t, "of bools", 1, which, each2(inside, i32, func(first bool, v int32) int32 { return choose(first, v, -5) }))
	if text := nd.Explain(nd.Map2(a, a, f)); !strings.Contains(text, "squarePlus(float x, float y)") || !strings.Contains(text, "map_squarePlus") {
		t.Errorf("Explain returns %s", text)
	}
	list := []nd.Operand{nd.Map2(a, a, f).AddScalar(7).Neg(), nd.Map2(a, a.Neg(), f).MulScalar(3)}
	nd.Prepare(list...)
	equal(t, "prepared", 1, list[0].(*nd.Array[float32]), each1(x, func(v float32) float32 { return -(squarePlus(v, v) + 7) }))
	equal(t, "empty", 0, nd.Map2(nd.Empty[float32](0, 3), nd.Empty[float32](3), f), []float32{})
}

func TestReduceByFunction(t *testing.T) {
	for _, n := range []int{0, 1, 5, 1000, 100003} {
		x := numbers[float32](n)
		i64 := numbers[int64](n)
		most, all, odd := float32(-2), int64(3), true
		for i := range x {
			most, all, odd = max(most, x[i]+1), all*i64[i], odd != (x[i] > 0)
		}
		a := nd.FromSlice(x)
		what := fmt.Sprintf("%d elements: ", n)
		equal(t, what+"greatest", 0, nd.Reduce(a.AddScalar(1), onDevice(t, "greatest", greatest), -2), []float32{most})
		equal(t, what+"product", 0, nd.Reduce(nd.FromSlice(i64), onDevice(t, "product64", product64), 3), []int64{all})
		equal(t, what+"either", 0, nd.Reduce(a.GreaterScalar(0), onDevice(t, "either", either), true), []bool{odd})
	}
	for _, shape := range [][]int{{3, 4, 5}, {300, 7, 11}, {2, 3000, 40}} {
		x := numbers[int64](shape[0] * shape[1] * shape[2])
		a := nd.FromSlice(x, shape...)
		f := onDevice(t, "product64", product64)
		for _, axes := range [][]int{{0}, {1}, {2}, {0, 2}, {-1, -2}} {
			want := nd.Reduce(a, func(x, y int64) int64 { return x * y }, 5, axes...)
			equal(t, fmt.Sprintf("axes %v of %v", axes, shape), 0, nd.Reduce(a, f, 5, axes...), want.ToHost())
			if prod := a.Prod(axes...).MulScalar(5); !slices.Equal(prod.ToHost(), want.ToHost()) || !slices.Equal(prod.Shape(), want.Shape()) {
				t.Errorf("axes %v of %v: plain Go gives another result than Prod", axes, shape)
			}
		}
	}
}

func TestAccumulate(t *testing.T) {
	f := onDevice(t, "compose", compose)
	for _, n := range []int{1, 5, 31, 1000, 8192, 300007} {
		x := numbers[uint32](n)
		want := slices.Clone(x)
		for i := 1; i < n; i++ {
			want[i] = compose(want[i-1], x[i])
		}
		equal(t, fmt.Sprintf("%d elements", n), 0, nd.Accumulate(nd.FromSlice(x), f), want)
	}
	x := numbers[uint32](6 * 500 * 3)
	a := nd.FromSlice(x, 6, 500, 3)
	for axis := range 3 {
		want := nd.Accumulate(a, compose1, axis)
		equal(t, fmt.Sprintf("axis %d", axis), 1-axis/2, nd.Accumulate(a, f, axis), want.ToHost())
	}
	v := numbers[float64](3000)
	equal(t, "bools", 0, nd.Accumulate(nd.FromSlice(v).GreaterScalar(0), onDevice(t, "either", either)), func() []bool {
		out, last := make([]bool, len(v)), false
		for i := range v {
			last = last != (v[i] > 0)
			out[i] = last
		}
		return out
	}())
}

// compose1 has no translation.
func compose1(f, g uint32) uint32 { return compose(f, g) }

// A function without a translation is called as plain Go.
func TestUntranslated(t *testing.T) {
	k := float32(0)
	a := nd.Arange[float32](6).Reshape(2, 3)
	got := nd.Map2(a, nd.FromSlice([]float32{10, 20, 30}), func(x, y float32) float32 { k++; return x + y })
	equal(t, "Map2", 0, got, []float32{10, 21, 32, 13, 24, 35})
	if k != 6 {
		t.Errorf("the function was called %v times", k)
	}
	equal(t, "Map", 0, nd.Map(a.T(), func(x float32) int32 { return int32(x) }), []int32{0, 3, 1, 4, 2, 5})
	equal(t, "Map3", 0, nd.Map3(a, a, nd.Scalar[float32](1), func(x, y, z float32) bool { return x*y > z }), []bool{false, false, true, true, true, true})
	for what, f := range map[string]func(){
		"shapes":  func() { nd.Map2(a, nd.Ones[float32](4), squarePlus) },
		"nil":     func() { nd.Map(a, (func(float32) float32)(nil)) },
		"nothing": func() { nd.Map((*nd.Array[float32])(nil), func(x float32) float32 { return x }) },
		"axis":    func() { nd.Reduce(a, greatest, 0, 2) },
		"axes":    func() { nd.Accumulate(a, greatest, 0, 1) },
	} {
		if err := nd.Try(f); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestArrayFunctionPanics(t *testing.T) {
	f := onDevice(t, "partOf", partOf)
	for _, c := range []struct {
		a, b int32
		want string
	}{{4, 1, "index out of range [4] with length 4"}, {-1, 1, "index out of range [-1]"}, {1, 0, "integer divide by zero"}} {
		err := nd.Try(func() { nd.Map2(nd.Scalar(c.a).Copy(), nd.Scalar(c.b), f).ToHost() })
		if gpuIsReal() { // the driver prints the text
			c.want = "CUDA_ERROR_ASSERT"
		} else if err != nil && !strings.Contains(err.Error(), "arrays.go") {
			t.Errorf("error %v, want one with arrays.go", err)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestRefusedArrayFunctions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func f(x []float32) float32 { return x[0] }", "arrays.go:2:8: the elements of arrays are numbers and bools, and not []float32"},
		{"func f(x float32) (a struct{}) { return }", "not struct{}"},
		{"func f[T any](x T) T { return x }", "without type parameters"},
		{"func f(x string) string { return x }", "no strings"},
		{"func f(x complex64) complex64 { return x }", "complex numbers"},
		{"func f(x int) int {\n\tm := map[int]int{}\n\treturn m[x]\n}", "arrays.go:3"},
		{"func f(x int) int { return x + gpu.GlobalID() }", "knows no threads"},
		{"func f(x int) int { return x + g() }\nfunc g() int { gpu.SyncThreads(); return 1 }", "knows no threads"},
		{"func f(x int) int { return f(x - 1) }", "calls itself"},
		{"var v int\nfunc f(x int) int { return x + v }", "variable v of the host"},
	} {
		head := "package p; import \"github.com/gopherwarp/gopherwarp/gpu\"; var _ = gpu.Sync\n"
		_, err := translateArray(t, map[string]string{"arrays.go": head + c.text}, "f")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// randomArrays is the rest of a program with random functions: it compares the arrays that they are called for with loops.
const randomArrays = `package main

import (
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

var (
	all   []nd.Operand
	tests []func()
)

func check[R nd.Elem](name string, a *nd.Array[R], want func(i int) R) {
	all = append(all, a)
	tests = append(tests, func() {
		for i, v := range a.ToHost() {
			if w := want(i); v != w && (v == v || w == w) {
				fmt.Printf("%%s: case %%d is %%v, want %%v\n", name, i, v, w)
				os.Exit(1)
			}
		}
	})
}

func main() {
	device.Serve()
%s
	nd.Prepare(all...)
	for _, test := range tests {
		test()
	}
	fmt.Println(len(all), "functions,", nd.Stats().Launches, "launches")
}
`

// TestRandomArrays calls random functions for the elements of arrays, in a program whose translations "gopherwarp kernels" writes.
func TestRandomArrays(t *testing.T) {
	number, seed := randomCount(t)
	const inFile = 30
	for ; number > 0; number, seed = number-10*inFile, seed+1 {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 23))}
			g.b.WriteString(randomHead)
			for i := range inFile {
				g.function(i)
			}
			text := runArrays(t, g.b.String())
			functions, launched := 0, 0
			if _, err := fmt.Sscanf(text, "%d functions, %d launches", &functions, &launched); err != nil || functions == 0 || launched != functions {
				t.Fatalf("the program printed %s", text)
			}
			t.Log(text)
		})
	}
}

// runArrays runs the functions of a file for arrays and returns what the program prints.
func runArrays(t *testing.T, source string) string {
	t.Helper()
	d := newDifferential(t, source)
	var b strings.Builder
	for _, f := range d.funcs {
		params := f.Signature().Params()
		if params.Len() > 3 || params.Len() == 0 {
			continue
		}
		var args, at []string
		for j := range params.Len() {
			typ := types.TypeString(params.At(j).Type(), nil)
			fmt.Fprintf(&b, "\t%s_%d := []%s{", f.Name(), j, typ)
			for _, c := range cases(f) {
				b.WriteString(c[j] + ", ")
			}
			b.WriteString("}\n")
			args = append(args, fmt.Sprintf("nd.FromSlice(%s_%d)", f.Name(), j))
			at = append(at, fmt.Sprintf("%s_%d[i]", f.Name(), j))
		}
		name := map[int]string{1: "Map", 2: "Map2", 3: "Map3"}[len(args)]
		fmt.Fprintf(&b, "\tcheck(%[1]q, nd.%[2]s(%[3]s, %[1]s), func(i int) %[4]s { return %[1]s(%[5]s) })\n",
			f.Name(), name, strings.Join(args, ", "), types.TypeString(f.Signature().Results().At(0).Type(), nil), strings.Join(at, ", "))
	}
	dir, err := os.MkdirTemp("testdata", "random")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"source.go": source, "main.go": fmt.Sprintf(randomArrays, b.String())} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	written, err := gokernel.Generate(dir, ".")
	if err != nil || len(written) != 1 {
		t.Fatalf("Generate wrote %v, error %v", written, err)
	}
	program := filepath.Join(t.TempDir(), "program")
	if text, err := exec.Command("go", "build", "-o", program, "./"+dir).CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, text)
	}
	text, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if err != nil {
		t.Errorf("the program: %v\n%s\n%s", err, text, source)
	}
	return string(text)
}
