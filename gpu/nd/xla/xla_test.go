package xla

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/go-xla/pkg/stablehlo"
	"github.com/gomlx/go-xla/pkg/types/dtypes"
	"github.com/gomlx/go-xla/pkg/types/shapes"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// opened is the client of all tests: XLA takes a while to start on a GPU.
var opened = sync.OnceValues(Open)

// client skips the test without a plugin.
func client(t testing.TB) *Client {
	t.Helper()
	if _, err := Find(!must(gpu.Current()).Properties().Simulated); err != nil {
		t.Skip("SKIPPED: ", err)
	}
	c, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// affine is w·x + b, built with go-xla.
func affine(t testing.TB) []byte {
	t.Helper()
	b := stablehlo.New("affine")
	f := b.Main()
	w := must(f.NamedInput("w", shapes.Make(dtypes.Float32, 2, 3)))
	x := must(f.NamedInput("x", shapes.Make(dtypes.Float32, 3)))
	c := must(f.NamedInput("b", shapes.Make(dtypes.Float32, 2)))
	product := must(stablehlo.DotGeneral(w, []int{1}, nil, x, []int{0}, nil).Done())
	if err := f.Return(must(stablehlo.Add(product, c))); err != nil {
		t.Fatal(err)
	}
	return must(b.Build())
}

func TestProgramOfGoXLA(t *testing.T) {
	p, err := client(t).Compile(affine(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got := fmt.Sprint(p.Inputs(), p.Outputs()); got != "[w: tensor<2x3xf32> x: tensor<3xf32> b: tensor<2xf32>] [tensor<2xf32>]" {
		t.Errorf("signature %s", got)
	}
	w := nd.Arange[float32](6).Reshape(3, 2).T()                // not contiguous
	x := nd.Ones[float32](3).Add(nd.Arange[float32](3))         // an expression
	b := nd.Arange[float32](10).Slice(nd.R(3, 5))               // not aligned
	want := []float32{0*1 + 2*2 + 4*3 + 3, 1*1 + 3*2 + 5*3 + 4} // by hand
	for _, p.client.byHost = range []bool{false, true} {
		for range 2 {
			out, err := p.Run(w, x, b)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := out[0].(*nd.Array[float32]); len(out) != 1 || !ok || !slices.Equal(got.ToHost(), want) {
				t.Errorf("by the host %v: got %v, want %v", p.client.byHost, out, want)
			}
			// Results are arrays like others.
			if got := out[0].(*nd.Array[float32]).Add(b).ToHost(); !slices.Equal(got, []float32{want[0] + 3, want[1] + 4}) {
				t.Errorf("computing with a result: %v", got)
			}
			if err := out[0].(*nd.Array[float32]).Free(); err != nil {
				t.Errorf("freeing a result: %v", err)
			}
		}
	}
	p.client.byHost = false
}

func TestArgumentsAreNamed(t *testing.T) {
	c := client(t)
	p, err := c.Compile(affine(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	w, x, b := nd.Zeros[float32](2, 3), nd.Zeros[float32](3), nd.Zeros[float32](2)
	for want, args := range map[string][]nd.Operand{
		"main(w: tensor<2x3xf32>, x: tensor<3xf32>, b: tensor<2xf32>) takes 3 arguments, 2 were given":         {w, x},
		"argument x of main is to be float32 (tensor<3xf32>), not float64: nd.AsType converts it":              {w, nd.Zeros[float64](3), b},
		"argument w of main is to have the shape (2, 3) (tensor<2x3xf32>), not (3, 2)":                         {w.T(), x, b},
		"argument b of main is to have the shape (2,) (tensor<2xf32>), not ()":                                 {w, x, nd.Scalar[float32](1)},
		"argument b of main: nd.Describe: the array is nil":                                                    {w, x, (*nd.Array[float32])(nil)},
		"argument x of main: nd.Describe: the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice": {w, nil, b},
	} {
		if _, err := p.Run(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
	for want, program := range map[string]string{
		"it is empty":      "",
		"no function main": "module { func.func @other() { return } }",
		"argument %x of main: there are no arrays of tensor<4xf8E4M3FN>":         "func.func @main(%x: tensor<4xf8E4M3FN>) -> tensor<4xf32> {",
		"argument %t of main: it is a !stablehlo.token, and only tensors can be": "func.func @main(%t: !stablehlo.token {a = \"(\"}) {",
		"compiling a program of XLA":                                             "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { nonsense }",
	} {
		if _, err := c.Compile([]byte(program)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q in it", program, err, want)
		}
	}
	if _, err := c.Load("/nowhere/model.mlir"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestEveryType passes each type through a program that returns what it gets, an empty array and one without axes among them.
func TestEveryType(t *testing.T) {
	c := client(t)
	half := nd.AsType[nd.Float16](nd.Arange[float32](3))
	for name, a := range map[string]nd.Operand{
		"3xi1": nd.FromSlice([]bool{true, false, true}), "3xi8": nd.FromSlice([]int8{-1, 0, 1}), "3xi16": nd.FromSlice([]int16{-300, 0, 1}),
		"3xi32": nd.FromSlice([]int32{-70000, 0, 1}), "3xi64": nd.FromSlice([]int64{-1 << 40, 0, 1}),
		"3xui8": nd.FromSlice([]uint8{255, 0, 1}), "3xui16": nd.FromSlice([]uint16{65535, 0, 1}), "3xui32": nd.FromSlice([]uint32{1 << 31, 0, 1}),
		"3xui64": nd.FromSlice([]uint64{1 << 63, 0, 1}), "3xf16": half, "3xbf16": nd.AsType[nd.BFloat16](half),
		"3xf32": nd.FromSlice([]float32{-0.5, 0, 1}), "3xf64": nd.FromSlice([]float64{-0.5, 0, 1e-300}),
		"3xcomplex<f32>": nd.FromSlice([]complex64{1 - 2i, 0, 1}), "3xcomplex<f64>": nd.FromSlice([]complex128{1 - 2i, 0, 1e-300}),
		"f32": nd.Scalar[float32](1.5), "0x3xf32": nd.Zeros[float32](0, 3),
	} {
		program := strings.ReplaceAll("module {\n func.func public @main(%arg0: tensor<T> {jax.arg_info = \"a(,>\"}) -> (tensor<T> {jax.result_info = \"\"}) {\n return %arg0 : tensor<T>\n }\n}", "T", name)
		p, err := c.Compile([]byte(program))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out, err := p.Run(a)
		if err != nil || len(out) != 1 {
			t.Fatalf("%s: %v %v", name, out, err)
		}
		if got, want := fmt.Sprintf("%T %v", out[0], out[0]), fmt.Sprintf("%T %v", a, a); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNothing runs a program without results, and one whose only result has no elements.
func TestNothing(t *testing.T) {
	c := client(t)
	for _, program := range []string{
		"func.func @main(%x: tensor<3xf32>) { return }",
		"func.func @main(%x: tensor<3xf32>) -> tensor<0xf32> { %y = stablehlo.slice %x [0:0] : (tensor<3xf32>) -> tensor<0xf32> return %y : tensor<0xf32> }",
	} {
		p, err := c.Compile([]byte(program))
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		for range 3 {
			x := nd.Ones[float32](3)
			out, err := p.Run(x)
			if err != nil || len(out) != len(p.Outputs()) {
				t.Errorf("%s: %v, %v", program, out, err)
			}
			if err := x.Free(); err != nil {
				t.Error(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestProgramOfJAX runs a layer of a network, with several functions, that JAX exported as text.
func TestProgramOfJAX(t *testing.T) {
	p, err := client(t).Load(filepath.Join("testdata", "model.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got, want := fmt.Sprint(p.Inputs(), p.Outputs()), "[arg0: tensor<3x4xf32> arg1: tensor<4xf32> arg2: tensor<2x3xf32>] [tensor<2x4xf32> tensor<2xi32>]"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
	w, b, x := nd.Arange[float32](12).Reshape(3, 4).MulScalar(0.25), nd.FromSlice([]float32{1, -3, 0.5, -20}), nd.FromSlice([]float32{1, 0, 1, 0, -1, 0}, 2, 3)
	out, err := p.Run(w, b, x)
	if err != nil {
		t.Fatal(err)
	}
	h := nd.MatMul(x, w).Add(b).MaximumScalar(0)
	e := nd.Exp(h)
	want := e.Div(e.Sum(1).Reshape(2, 1)).ToHost()
	for i, got := range out[0].(*nd.Array[float32]).ToHost() {
		if math.Abs(float64(got-want[i])) > 1e-6 {
			t.Errorf("element %d is %v, want %v", i, got, want[i])
		}
	}
	if got := out[1].(*nd.Array[int32]).ToHost(); !slices.Equal(got, []int32{2, 0}) {
		t.Errorf("the largest are at %v", got)
	}
}

// TestProgramInBinaryForm runs a program that JAX exported, whose signature only XLA can read.
func TestProgramInBinaryForm(t *testing.T) {
	p, err := client(t).Load(filepath.Join("testdata", "poly.mlirbc"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Inputs() != nil {
		t.Errorf("inputs %v", p.Inputs())
	}
	x := nd.Arange[float32](4)
	out, err := p.Run(x, nd.Scalar[int32](3))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out[0].(*nd.Array[float32]).ToHost(), []float32{3, 4, 7, 12}; !slices.Equal(got, want) {
		t.Errorf("x² + n is %v, want %v", got, want)
	}
	if got := out[1].(*nd.Array[float32]).Item(); got != 6 {
		t.Errorf("the sum of x is %v, want 6", got)
	}
	for _, args := range [][]nd.Operand{{x}, {x, nd.Scalar[int32](1), x}, {nd.Arange[float32](5), nd.Scalar[int32](3)}} {
		if out, err := p.Run(args...); err == nil || !strings.HasPrefix(err.Error(), "running a program of XLA: ") {
			t.Errorf("%d wrong arguments: %v, error %v", len(args), out, err)
		} else {
			t.Log(err)
		}
	}
	// If the types are given, arguments are compared with them.
	declared, err := client(t).Load(filepath.Join("testdata", "poly.mlirbc"), "(%x: tensor<4xf32>, %n: tensor<i32>)")
	if err != nil {
		t.Fatal(err)
	}
	defer declared.Close()
	if _, err := declared.Run(x, nd.Scalar[float32](3)); err == nil || !strings.Contains(err.Error(), "argument n of main is to be int32 (tensor<i32>), not float32") {
		t.Errorf("a float32 for an int32: %v", err)
	}
	if out, err := declared.Run(x, nd.Scalar[int32](3)); err != nil || out[1].(*nd.Array[float32]).Item() != 6 {
		t.Errorf("with its types: %v, %v", out, err)
	}
	for want, types := range map[string]string{
		"no function main":                  "tensor<4xf32>",
		"cannot read the argument \"tensor": "(tensor<4xf32>)",
	} {
		if _, err := client(t).Load(filepath.Join("testdata", "poly.mlirbc"), types); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q in it", types, err, want)
		}
	}
}

// TestTooLarge runs a program that needs more memory than a GPU has, and then one that does not.
func TestTooLarge(t *testing.T) {
	c := client(t)
	if must(gpu.Current()).Properties().Simulated {
		t.Skip("SKIPPED: it needs a GPU, as a processor would use the disk")
	}
	p, err := c.Compile([]byte(`func.func @main(%x: tensor<f32>) -> tensor<f32> {
		%i = stablehlo.iota dim = 0 : tensor<137438953472xf32>
		%b = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<137438953472xf32>
		%s = stablehlo.multiply %i, %b : tensor<137438953472xf32>
		%r = "stablehlo.sort"(%s) ({
		^bb0(%l: tensor<f32>, %m: tensor<f32>):
			%c = stablehlo.compare LT, %l, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
			stablehlo.return %c : tensor<i1>
		}) {dimension = 0 : i64} : (tensor<137438953472xf32>) -> tensor<137438953472xf32>
		%f = stablehlo.slice %r [0:1] : (tensor<137438953472xf32>) -> tensor<1xf32>
		%z = stablehlo.reshape %f : (tensor<1xf32>) -> tensor<f32>
		return %z : tensor<f32>
	}`))
	if err == nil {
		defer p.Close()
		_, err = p.Run(nd.Scalar[float32](-1))
	}
	if err == nil {
		t.Error("a program of 512 GiB ran")
	}
	t.Log(err)
	p, err = c.Compile(affine(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if out, err := p.Run(nd.Ones[float32](2, 3), nd.Ones[float32](3), nd.Zeros[float32](2)); err != nil || out[0].(*nd.Array[float32]).At(0).Item() != 3 {
		t.Errorf("a small program afterwards: %v, %v", out, err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("VIRTUAL_ENV", dir)
	file := filepath.Join(dir, "lib/python3.13/site-packages/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(false); err != nil || got != file {
		t.Errorf("found %s, %v, want %s", got, err, file)
	}
	folder := t.TempDir()
	t.Setenv(pluginsVariable, folder)
	named := filepath.Join(folder, "pjrt_c_api_cpu_v0.83.3_plugin.so")
	if err := os.WriteFile(named, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(false); err != nil || got != named {
		t.Errorf("found %s, %v, want %s", got, err, named)
	}
	for path, want := range map[string]string{file: "opening the XLA plugin", "/nowhere.so": "no such file", dir: "no shared library"} {
		if _, err := OpenPlugin(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q in it", path, err, want)
		}
	}
}

func TestSettings(t *testing.T) {
	packages := t.TempDir()
	plugin := filepath.Join(packages, "jax_plugins/xla_cuda13/xla_cuda_plugin.so")
	const messages = "TF_CPP_MIN_LOG_LEVEL"
	t.Setenv(messages, "")
	os.Unsetenv(messages)
	for _, c := range []struct {
		flags, data, want string
	}{
		{"", "", ""},
		{"--a=1", "", "--a=1"},
		{"--a=1", "nvidia/cu13", "--a=1 --xla_gpu_cuda_data_dir=" + packages + "/nvidia/cu13"},
		{"--xla_gpu_cuda_data_dir=/x", "nvidia/cu13", "--xla_gpu_cuda_data_dir=/x"},
	} {
		if c.data != "" {
			if err := os.MkdirAll(filepath.Join(packages, c.data, "nvvm/libdevice"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("XLA_FLAGS", c.flags)
		undo := settings(plugin)
		if got := os.Getenv("XLA_FLAGS"); got != c.want {
			t.Errorf("XLA_FLAGS %q became %q, want %q", c.flags, got, c.want)
		}
		if os.Getenv(messages) != "1" {
			t.Error("XLA would print messages")
		}
		undo()
		if got := os.Getenv("XLA_FLAGS"); got != c.flags {
			t.Errorf("XLA_FLAGS %q was left as %q", c.flags, got)
		}
		if _, set := os.LookupEnv(messages); set {
			t.Error("a setting was left")
		}
	}
}

func BenchmarkRun(b *testing.B) {
	c := client(b)
	for _, n := range []int{1000, 1 << 24} {
		p, err := c.Compile(fmt.Appendf(nil, "func.func @main(%%x: tensor<%dxf32>, %%y: tensor<%[1]dxf32>) -> tensor<%[1]dxf32> { %%z = stablehlo.add %%x, %%y : tensor<%[1]dxf32> return %%z : tensor<%[1]dxf32> }", n))
		if err != nil {
			b.Fatal(err)
		}
		x, y := nd.Ones[float32](n).Eval(), nd.Arange(float32(n)).Eval()
		for _, p.client.byHost = range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/byHost=%v", n, p.client.byHost), func(b *testing.B) {
				for b.Loop() {
					out, err := p.Run(x, y)
					if err == nil {
						err = out[0].(*nd.Array[float32]).Free()
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		p.client.byHost = false
	}
}
