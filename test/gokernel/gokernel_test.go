package gokernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

func TestMain(m *testing.M) {
	device.Serve()
	os.Exit(m.Run())
}

// exports lists the files with the types of the packages that kernels import.
var exports = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "math", "math/bits", "fmt", "cmp", "slices", "sort", "unicode/utf8", "image/color", gokernel.GPUPath).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			return files, nil
		} else if err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
})

// load checks Go files, by name.
func load(t *testing.T, texts map[string]string) (*gokernel.Program, error) {
	t.Helper()
	files, err := exports()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for name, text := range texts {
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	types := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	p, err := gokernel.Load(fset, parsed, types)
	if err == nil {
		p.CUDA = gokernel.CUDAFiles(".")
		p.Import = func(path string) (*gokernel.Program, error) {
			return gokernel.LoadImport(fset, path, filepath.Join(build.Default.GOROOT, "src", path), types)
		}
	}
	return p, err
}

// translate translates all kernels of Go files.
func translate(t *testing.T, texts map[string]string) (*gokernel.Unit, error) {
	t.Helper()
	p, err := load(t, texts)
	if err != nil {
		return nil, err
	}
	var kernels []*ast.FuncDecl
	for _, f := range p.Files {
		kernels = append(kernels, gokernel.Kernels(f)...)
	}
	return p.Translate(kernels)
}

// own are the kernels of this package, compiled.
var own = sync.OnceValue(func() map[string]*compiled { return map[string]*compiled{} })

type compiled struct {
	*gpu.Kernel
	together bool
}

func compile(t *testing.T) map[string]*compiled {
	t.Helper()
	all := own()
	if len(all) > 0 {
		return all
	}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	unit, err := translate(t, texts)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpu.Compile(unit.CUDA, gpu.WithName("gokernel.cu"))
	if err != nil {
		t.Fatalf("%v\n%s", err, unit.CUDA)
	}
	for _, k := range unit.Kernels {
		made, err := m.Kernel(k.CName)
		if err != nil {
			t.Fatal(err)
		}
		all[k.Name] = &compiled{made, k.Together}
	}
	return all
}

// compare runs a kernel on the device and as plain Go, on copies of the arguments, which must be equal afterwards, or floats near.
func compare(t *testing.T, name string, kernel any, cfg gpu.Launch, near float64, args ...any) {
	t.Helper()
	k := compile(t)[name]
	if k == nil {
		t.Fatalf("no kernel %s", name)
	}
	host, dev := copies(args), copies(args)
	call := k.Begin(cfg)
	for _, a := range dev {
		passArgument(t, call, a)
	}
	if err := call.Do(); err != nil {
		t.Fatal(err)
	}
	in := make([]reflect.Value, len(host))
	for i, a := range host {
		in[i] = reflect.ValueOf(a)
	}
	if err := cfg.Run(k.together, func() { reflect.ValueOf(kernel).Call(in) }); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		if i2 := differs(host[i], dev[i], near); i2 >= 0 {
			t.Errorf("argument %d, element %d: plain Go has %v, the device %v", i, i2, reflect.ValueOf(host[i]).Index(i2), reflect.ValueOf(dev[i]).Index(i2))
		}
	}
}

func copies(args []any) []any {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
		if v := reflect.ValueOf(a); v.Kind() == reflect.Slice {
			list[i] = reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v).Interface()
		}
	}
	return list
}

func passArgument(t *testing.T, c *gpu.Call, a any) {
	t.Helper()
	switch a := a.(type) {
	case int:
		c.Int(a)
	case float32:
		c.Float32(a)
	case gpu.Float16:
		c.Uint(uint(a))
	case []gpu.Float16:
		gpu.PassSlice(c, gpu.InOut(a))
	case []gpu.BFloat16:
		gpu.PassSlice(c, gpu.InOut(a))
	case []int8:
		gpu.PassSlice(c, gpu.InOut(a))
	case []uint8:
		gpu.PassSlice(c, gpu.InOut(a))
	case []int16:
		gpu.PassSlice(c, gpu.InOut(a))
	case []uint16:
		gpu.PassSlice(c, gpu.InOut(a))
	case []int32:
		gpu.PassSlice(c, gpu.InOut(a))
	case []uint32:
		gpu.PassSlice(c, gpu.InOut(a))
	case []int64:
		gpu.PassSlice(c, gpu.InOut(a))
	case []uint64:
		gpu.PassSlice(c, gpu.InOut(a))
	case []int:
		gpu.PassSlice(c, gpu.InOut(a))
	case []uint:
		gpu.PassSlice(c, gpu.InOut(a))
	case []float32:
		gpu.PassSlice(c, gpu.InOut(a))
	case []float64:
		gpu.PassSlice(c, gpu.InOut(a))
	case []particle:
		gpu.PassSlice(c, gpu.InOut(a))
	case [][3]int32:
		gpu.PassSlice(c, gpu.InOut(a))
	case settings:
		gpu.PassBlock(c, a)
	case [5]float64:
		gpu.PassBlock(c, a)
	case [2]vector3:
		gpu.PassBlock(c, a)
	default:
		t.Fatalf("no way to pass a %T", a)
	}
}

// differs returns the index of an element that differs, or -1.
func differs(a, b any, near float64) int {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() != reflect.Slice {
		return -1
	}
	for i := range x.Len() {
		if x.Index(i).CanFloat() {
			f, g := x.Index(i).Float(), y.Index(i).Float()
			if f != g && !(math.IsNaN(f) && math.IsNaN(g)) && !(math.Abs(f-g) <= near*math.Max(math.Abs(f), 1e-3)) {
				return i
			}
			continue
		}
		if !x.Index(i).Equal(y.Index(i)) {
			return i
		}
	}
	return -1
}

// pairs returns all pairs of the numbers that matter for a type of integers.
func pairs[T integer]() (a, b []T) {
	least := T(0)
	for v := T(1); v != 0; v <<= 1 {
		least = v
	}
	all := []T{0, 1, 2, 3, 5, 7, 100, 127, least, least - 1, least + 1, ^T(0), ^T(0) - 1, ^T(0) / 2, ^T(0)/3 + 9}
	for _, x := range all {
		for _, y := range all {
			a, b = append(a, x), append(b, y)
		}
	}
	return a, b
}

func integers[T integer](t *testing.T, name string, kernel func(a, b []T, out []uint64)) {
	a, b := pairs[T]()
	compare(t, name, kernel, gpu.For(len(a), 64), 0, a, b, make([]uint64, len(a)))
}

func TestIntegers(t *testing.T) {
	integers(t, "integers8", integers8)
	integers(t, "integersU8", integersU8)
	integers(t, "integers16", integers16)
	integers(t, "integersU16", integersU16)
	integers(t, "integers32", integers32)
	integers(t, "integersU32", integersU32)
	integers(t, "integers64", integers64)
	integers(t, "integersU64", integersU64)
	integers(t, "integersInt", integersInt)
	integers(t, "integersUint", integersUint)
	a, _ := pairs[uint32]()
	b, _ := pairs[uint64]()
	compare(t, "bitFunctions", bitFunctions, gpu.For(len(a), 64), 0, a, b, make([]int, len(a)))
}

func TestMath(t *testing.T) {
	numbers := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e-320, 1e300, -1e300, math.Pi, math.Inf(1), math.Inf(-1), math.NaN(),
		4503599627370497.5, 1.0 / 3, 123456.789,
	}
	var x, y []float64
	for _, a := range numbers {
		for _, b := range numbers {
			x, y = append(x, a), append(y, b)
		}
	}
	compare(t, "exactMath", exactMath, gpu.For(len(x), 64), 0, x, y, make([]uint64, len(x)))
	var small []float64
	var single []float32
	for v := -10.0; v < 10; v += 0.37 {
		small, single = append(small, v), append(single, float32(v))
	}
	compare(t, "nearMath", nearMath, gpu.For(len(small), 64), 1e-14, small, make([]float64, 16*len(small)))
	compare(t, "singleMath", singleMath, gpu.For(len(single), 64), 2e-6, single, make([]float32, 8*len(single)))
}

func TestStatements(t *testing.T) {
	var in []int32
	for i := range int32(100) {
		in = append(in, i*i%101)
	}
	compare(t, "loops", loops, gpu.For(len(in), 32), 0, in, make([]int, len(in)))
	compare(t, "moreLoops", moreLoops, gpu.For(len(in), 32), 0, in, make([]int, len(in)))
	compare(t, "switches", switches, gpu.For(len(in), 32), 0, in, make([]int, len(in)))
	compare(t, "values", values, gpu.For(len(in), 32), 1e-6, in, make([]float32, len(in)))
	compare(t, "order", order, gpu.For(len(in), 32), 0, make([]int, 2*len(in)))
}

func TestImported(t *testing.T) {
	list := []int32{3, 1, 7, 5, 10, 20, 30, 60, 90}
	compare(t, "imported", imported, gpu.For(1, 32), 1e-12, make([]float64, 20), list, 4)
}

func TestStructs(t *testing.T) {
	var list []particle
	rows := make([][3]int32, 70)
	for i := range 70 {
		f := float32(i)
		list = append(list, particle{
			Alive: i%7 != 3, Mass: float64(i) / 3, Kind: int8(i), Position: vector3{f, 2 * f, 3 * f}, Speed: [2]vector3{{f, 1, 2}, {3, f, 4}}, Last: int16(-i),
		})
		rows[i] = [3]int32{int32(i), 2, 3}
	}
	set := settings{0.25, [4]int16{9, -8, 7, -6}, vector3{1, -2, 0.5}}
	compare(t, "particles", particles, gpu.For(len(list), 32), 0, list, set, [5]float64{1, 2.5, -3, 4, 1e9}, rows, [2]vector3{{1, 2, 3}, {4, 5, 6}})
}

// TestCUDA calls functions of CUDA C++.
func TestCUDA(t *testing.T) {
	x, w, y := make([]float32, 64), make([]float64, 64), make([]uint32, 64)
	for i := range x {
		x[i] = float32(i)
	}
	compare(t, "mixed", mixed, gpu.For(64, 64), 0, x, w, y)
}

func TestViews(t *testing.T) {
	in, out, solid, sums := make([]int32, 5*9), make([]int32, 9*5), make([]float64, 2*5*4), make([]int32, 5)
	for i := range in {
		in[i] = int32(i * i)
	}
	for i := range solid {
		solid[i] = float64(i) / 4
	}
	k := compile(t)["transposed"]
	cfg := gpu.For2D(9, 5, 4, 4)
	hostOut, hostSolid, hostSums := slices.Clone(out), slices.Clone(solid), slices.Clone(sums)
	if err := cfg.Run(k.together, func() {
		transposed(gpu.View2DOf(hostOut, 9, 5), gpu.View2DOf(in, 5, 9), gpu.View3DOf(hostSolid, 2, 5, 4), hostSums)
	}); err != nil {
		t.Fatal(err)
	}
	call := k.Begin(cfg)
	gpu.PassView2D(call, gpu.As2D(gpu.InOut(out), 9, 5))
	gpu.PassView2D(call, gpu.As2D(gpu.In(in), 5, 9))
	gpu.PassView3D(call, gpu.As3D(gpu.InOut(solid), 2, 5, 4))
	gpu.PassSlice(call, gpu.InOut(sums))
	if err := call.Do(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out, hostOut) || !slices.Equal(solid, hostSolid) || !slices.Equal(sums, hostSums) {
		t.Errorf("the device gives %v, %v, %v; plain Go %v, %v, %v", out, solid, sums, hostOut, hostSolid, hostSums)
	}
	// A table has gaps after its rows.
	table := gpu.Pitched[int32](9, 5)
	must(t, table.CopyFrom(in))
	call = k.Begin(cfg)
	gpu.PassView2D(call, gpu.As2D(gpu.InOut(out), 9, 5))
	gpu.PassView2D[int32](call, table)
	gpu.PassView3D(call, gpu.As3D(gpu.InOut(solid), 2, 5, 4))
	gpu.PassSlice(call, gpu.InOut(sums))
	must(t, call.Do())
	if want := in[0] + int32(table.PitchElements()) + 1; out[0] != want || out[5] != in[1]+int32(table.PitchElements())+1 {
		t.Errorf("a table gives %v, want %d first", out, want)
	}
	// Wrong sizes are errors.
	call = k.Begin(cfg)
	gpu.PassView2D(call, gpu.As2D(gpu.InOut(out), 10, 5))
	if err := call.Do(); err == nil || !strings.Contains(err.Error(), "there are 45 elements, and a view of 10 × 5 needs 50") {
		t.Errorf("error %v", err)
	}
}

func TestDynamicShared(t *testing.T) {
	x, words := make([]float32, 128), make([]int32, 128)
	for i := range x {
		x[i], words[i] = float32(i*7%65)+0.1, int32(i*i-4000)
	}
	cfg := gpu.For(128, 64)
	cfg.SharedBytes = 64 * 4
	compare(t, "dynamic", dynamic, cfg, 0, x, make([]float32, 128), words)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBlocks(t *testing.T) {
	x := make([]float32, 1000)
	in := make([]int32, 32*32)
	words := make([]uint32, 5000)
	for i := range words {
		words[i] = uint32(i*i*7919 + 13)
		x[i%1000], in[i%1024] = float32(i%17), int32(i*i%1009)
	}
	compare(t, "blockSums", blockSums, gpu.For(len(x), 128), 0, x, make([]float32, 8))
	compare(t, "transpose", transpose, gpu.For2D(30, 30, 16, 16), 0, in, make([]int32, len(in)), 30)
	compare(t, "warps", warps, gpu.For(len(in), 64), 0, in, make([]int32, len(in)))
	compare(t, "histogram", histogram, gpu.Launch{Grid: gpu.Dim(7), Block: gpu.Dim(64)}, 0,
		words, make([]uint32, 32), make([]int32, 1), make([]int32, 1), make([]int64, 1), make([]float64, 1))
	compare(t, "lock", lock, gpu.For(256, 64), 0, make([]int32, 1), make([]int64, 1))
}
