package gokernel

import (
	"errors"
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// Each line is the body of a kernel with the parameters x []float32 and n int, in line 7 of the file, and a part of the message.
var refused = []struct{ body, want string }{
	{"go func() {}()", "cannot start goroutines"},
	{"defer func() {}()", "cannot defer"},
	{"c := make(chan int); c <- 1", "cannot allocate"},
	{"var c chan int; c <- 1", "no channels"},
	{"var c chan int; <-c", "no channels"},
	{"select {}", "no channels"},
	{"m := map[int]int{}; m[1] = 2", "no maps"},
	{"var m map[int]int; for range m {}", "no maps"},
	{"delete(map[int]int{}, 1)", "no maps"},
	{"var e any; _ = e", "no interfaces"},
	{"var e any = n; switch e.(type) {}", "no interfaces"},
	{"s := \"text\"; _ = s", "no strings"},
	{"x = append(x, 1)", "cannot append"},
	{"y := make([]float32, 3); x[0] = y[0]", "cannot allocate"},
	{"p := new(int); *p = 1", "cannot allocate"},
	{"y := []float32{1}; x[0] = y[0]", "use an array"},
	{"p := &pair{}; p.a = 1", "cannot allocate"},
	{"_ = cap(x)", "no capacity"},
	{"x = x[1:2:3]", "no capacity"},
	{"println(n)", "gpu.Printf"},
	{"recover()", "cannot recover"},
	{"panic(n)", "constant text"},
	{"var z complex64; _ = z", "complex"},
	{"for i := range seq { x[i] = 0 }", "cannot range over a function"},
	{"x[0] = float32(recursive(n))", "calls itself"},
	{"x[0] = float32(global)", "variable global of the host"},
	{"fmt.Println(n)", "a kernel prints with gpu.Printf"},
	{"other(x)", "other is a kernel"},
	{"f := recursive; x[0] = float32(f(1))", "no function values"},
	{"f := func(a float32) float32 { return a }; f = nil; x[0] = f(1)", "no function values"},
	{"var f func(); takesFunc(f)", "no function values"},
	{"slices.Sort(x)", "slices.Sort cannot be translated, because of slices/zsortordered.go:"},
	{"x[0] = float32(changed[1])", "variable changed of the host: pass it as an argument"},
	{"x[0] = float32(variadic(1, 2))", "fixed number of parameters"},
	{"p := &x[0]; p = &x[1]; *p = 1", "cannot change a pointer variable"},
	{"_ = returnsPointer(x)", "returns no *float32"},
	{"if n > 1 { t := gpu.Shared[[4]float32](); t[0] = 1 }", "in a declaration of the kernel itself"},
	{"x[0] = gpu.Shared[[4]float32]()[1]", "in a declaration of the kernel itself"},
	{"gpu.Printf(\"%s\", n)", "cannot print a int with %s"},
	{"gpu.Printf(\"%+d\", uint64(n))", "cannot print a uint64 with %+d"},
	{"gpu.Printf(\"%d\")", "more verbs than values"},
	{"gpu.Printf(\"\", n)", "more values than verbs"},
	{"_ = math.Lgamma", "no function values"},
	{"y := gpu.Zeros[float32](3); _ = y", "gpu.Zeros is not for kernels"},
	{"if x == nil { return }", "no nil"},
	{"var h gpu.Float16; h = h + h", "+ is not that of numbers for a gpu.Float16"},
	{"var h gpu.Float16; h++", "++ is not that of numbers"},
	{"var h gpu.BFloat16; h -= 1", "- is not that of numbers for a gpu.BFloat16"},
	{"var h gpu.Float16; h = -h", "- is not that of numbers"},
	{"var h gpu.Float16; if h < 1 { return }", "< is not that of numbers"},
	{"var h gpu.Float16; h = max(h, 1)", "max is not that of numbers"},
	{"var h gpu.Float16; h <<= 1", "<< is not that of numbers"},
	{"var h gpu.Float16; x[0] = float32(h)", "converts the bits of the gpu.Float16: use its method Float32"},
	{"x[0] = gpu.Float16(x[0]).Float32()", "converts the number to the bits of a gpu.Float16: use gpu.ToFloat16"},
	{"var p *int; _ = p", "needs a value"},
	{"var h holder; h.f()", "no function values"},
	{"_ = valued.value(number(n))", "a kernel cannot call valued.value: call the method value of a variable"},
	{"gpu.Printf(text, n)", "the format of gpu.Printf must be a constant"},
	{"gpu.Printf(\"a %\")", "the format of gpu.Printf ends after %"},
	{"gpu.Printf(\"a %5\", n)", "the format of gpu.Printf ends after %"},
	{"var fs [1]func(); fs[0]()", "no function values"},
	{"x[0] = float32(makesFunc(n)())", "no function values"},
	{"held.value()", "no interfaces"},
	{"_ = numbered.value(numbered{})", "a kernel cannot call numbered.value: call the method value of a variable"},
	{"f := func() int { return 1 }; f, g := func() int { return 2 }, 3; x[0] = float32(f() + g)", "no function values"},
	{"_ = func() {}", "a closure must be declared with := and called by its name"},
	{"f := number(n).value; x[0] = float32(f())", "no function values"},
	{"var e any = n; x[0] = e.(float32)", "no interfaces"},
	{"var e any; x[0] = e.(float32)", "no interfaces"},
	{"v, ok := outside.(int); _, _ = v, ok", "no interfaces"},
	{"x[0] = float32(outside.(int))", "no interfaces"},
	{"x[0] = float32(value(number(n)))", "no interfaces"},
	{"_ = valued(number(n))", "no interfaces"},
	{"_ = any(n)", "no interfaces"},
	{"_ = error(nil)", "no interfaces"},
	{"a, ok := table[1]; _, _ = a, ok", "no maps"},
	{"x[0] = float32(len(table))", "no maps"},
	{"clear(table)", "no maps"},
	{"a, ok := <-messages; _, _ = a, ok", "no channels"},
	{"x[0] = float32(<-messages)", "no channels"},
	{"x[0] = float32(len(messages))", "no channels"},
	{"for range messages {}", "no channels"},
	{"b := []byte(word); x[0] = float32(b[0])", "no strings"},
	{"w := string(rune(n)); _ = w", "no strings"},
	{"w := word[1:]; _ = w", "no strings"},
	{"for range word {}", "no strings"},
	{"_ = word + text", "no strings"},
	{"_ = complex(x[0], x[0])", "complex numbers are not there"},
	{"_ = (*pair)(nil)", "cannot convert untyped nil to *p.pair"},
	{"x[0] = float32(fromOutside(n))", "the Go source of p.fromOutside is not at hand"},
	{"_ = time.Now()", "a GPU cannot run time.Now: time the launch from the host"},
	{"_ = atomic.AddInt32(nil, 1)", "a GPU cannot run sync/atomic.AddInt32: use gpu.AtomicAdd"},
	{"var mu sync.Mutex; mu.Lock()", "a GPU cannot run (*sync.Mutex).Lock: threads wait for each other with gpu.SyncThreads"},
	{"_ = errors.New(word)", "errors.New cannot be translated, because of errors/errors.go:"},
	{"var l list; _ = l", "no type that refers to itself, as p.list does"},
	{"var l nested; _ = l", "no type that refers to itself, as p.nested does"},
}

const refusedFile = `package p
import ("errors"; "fmt"; "math"; "slices"; "sync"; "sync/atomic"; "time"; "github.com/gopherwarp/gopherwarp/gpu")
var _, _, _, _, _, _, _, _ = fmt.Sprint, math.Pi, slices.Sort[[]int], gpu.Sync, errors.New, atomic.AddInt32, time.Now, sync.Mutex{}
type pair struct{ a, b int }
type list struct{ next *list; v int }
type nested []nested
type holder struct{ f func() }
type valued interface{ value() int }
type number int
func (n number) value() int { return int(n) }
//gpu:kernel
func k(x []float32, n int) {
%s
}
var global int
var changed = []int{1, 2}
func init() { changed[0] = 3 }
func recursive(n int) int { if n > 0 { return recursive(n-1) }; return 0 }
func variadic(n ...int) int { return len(n) }
var text = "%%d"
const word = "word"
var messages chan int
var table map[int]int
var outside any
var held valued
type numbered struct{ number }
func makesFunc(n int) func() int { return nil }
func value(v valued) int { return v.value() }
func fromOutside(n int) int
func takesFunc(f func()) { f() }
func returnsPointer(x []float32) *float32 { return &x[0] }
func seq(yield func(int) bool) { yield(1) }
//gpu:kernel
func other(x []float32) {}
`

func TestRefused(t *testing.T) {
	for _, c := range refused {
		_, err := translate(t, map[string]string{"cell[1]": fmt.Sprintf(refusedFile, c.body)})
		var list gokernel.Error
		if !errors.As(err, &list) {
			t.Errorf("%s: error %v, want one with %q", c.body, err, c.want)
			continue
		}
		found := false
		for _, p := range list {
			found = found || strings.Contains(p.Message, c.want)
		}
		if !found {
			t.Errorf("%s: %v, want a message with %q", c.body, err, c.want)
		}
	}
}

// What is wrong with the kernel itself.
func TestRefusedKernels(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"//gpu:kernel\nfunc (p pair) k() {}\ntype pair struct{}", "cell[1]:3:6: a kernel is no method"},
		{"//gpu:kernel\nfunc k[T any](x []T) {}", "cell[1]:3:7: a kernel has no type parameters"},
		{"//gpu:kernel\nfunc k() int { return 1 }", "cell[1]:3:10: a kernel returns nothing"},
		{"//gpu:kernel\nfunc k(x []int)", "the kernel has no body"},
		{"//gpu:kernel\nfunc k(x map[int]int) {}", "and not map[int]int"},
		{"//gpu:kernel\nfunc k(f func()) {}", "and not func()"},
		{"//gpu:kernel fast\nfunc k() {}", "cell[1]:2:1: the word fast"},
		{"//gpu:kernel\nfunc k(s string) {}", "no strings"},
		{"//gpu:kernel\nfunc k(x [][]int) {}", "and not []int, which holds addresses of the host: pass a slice for each"},
		{"//gpu:kernel\nfunc k(x []pair) {}\ntype pair struct{ a *int }", "and not *int, which holds addresses"},
		{"//gpu:kernel\nfunc k(x pair) {}\ntype pair struct{ a []int }", "and not []int, which holds addresses"},
		{"//gpu:kernel\nfunc k(x []struct{}) {}", "which has no size"},
		{"//gpu:kernel\nfunc k(x [1000]int) {}", "at most 3072 bytes by value, and [1000]int has 8000: pass a slice"},
		{"//gpu:kernel\nfunc k(x ...int32) {}", "fixed number of parameters"},
		{"//gpu:kernel\nfunc k(x []int) { x[0] = \"a\" }", "cannot use \"a\""},
		{"//gpu:kernel\nfunc k(x []int) { x[0] = nothing }", "undefined: nothing"},
		{"//gpu:cuda\n//gpu:kernel\nfunc k(x []int) {}", "a kernel in CUDA C++ needs no Go: write it in a %%cuda cell"},
		{"//gpu:kernel\nfunc k(x []int) { f() }\n//gpu:cuda\nfunc f() {}", "so say the file: //gpu:cuda f.cuh"},
		{"//gpu:kernel\nfunc k(x []int) { f() }\n//gpu:cuda none.cuh\nfunc f() {}", "no such file"},
		{"//gpu:kernel\nfunc k(x []int) { f() }\n//gpu:cuda testdata/noise.cuh\nfunc f() {}", "testdata/noise.cuh has no function f: write __device__"},
		{"//gpu:kernel\nfunc k(x []int) { noise(x) }\n//gpu:cuda testdata/noise.cuh\nfunc noise(x []int) {}", "and not []int: pass &x[0] and the length"},
		{"//gpu:kernel\nfunc k(x []int) { noise(1) }\n//gpu:cuda testdata/noise.cuh\nfunc noise[T any](x T) {}", "write one for each type"},
		{"//gpu:kernel\nfunc k(x []int) { t(1).noise() }\n//gpu:cuda testdata/noise.cuh\nfunc (t) noise() {}\ntype t int", "make noise a function"},
		{"//gpu:kernel\nfunc k(x []int) { noise(1) }\n//gpu:cuda testdata/noise.cuh\nfunc noise(x int) (a, b int) { return }", "one result at most"},
	} {
		_, err := translate(t, map[string]string{"cell[1]": "package p\n" + c.text + "\n"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// What CUDA C++ cannot call, and what package nd cannot.
func TestRefusedFunctions(t *testing.T) {
	const other = "\n//gpu:cuda testdata/noise.cuh\nfunc noise(x uint32) uint32 { return x }\ntype t int\n"
	for _, c := range []struct{ text, want, array string }{
		{"//gpu:kernel\nfunc f(x []int) {}", "f is a kernel, and CUDA C++ cannot call it", ""},
		{"func (v t) f() int { return 1 }", "CUDA C++ cannot call methods and generic functions of Go: write a function that calls f", "package nd calls functions and no methods"},
		{"func f[T any](v T) T { return v }", "CUDA C++ cannot call methods and generic functions", "package nd calls functions without type parameters"},
		{"func float(v int) int { return v }", "float means something else in CUDA C++: rename the function", ""},
		{"func f(g func() int) int { return g() }", "CUDA C++ cannot pass functions to functions of Go: write a function that calls f", "and not func() int"},
		{"func f(v uint32) uint32 { return noise(v) }", "", "a function of elements calls no CUDA C++: write a kernel"},
	} {
		p, err := load(t, map[string]string{"cell[1]": "package p\n" + c.text + other})
		if err != nil {
			t.Fatal(err)
		}
		d := p.Files[0].Decls[0].(*ast.FuncDecl)
		if _, err := p.TranslateFunctions([]*ast.FuncDecl{d}); !says(err, c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
		if c.array == "" {
			continue
		}
		if _, err := p.TranslateFunction(d); !says(err, c.array) {
			t.Errorf("%s: error for an array %v, want %q", c.text, err, c.array)
		}
	}
}

// says reports whether an error has a text, or is nil if the text is empty.
func says(err error, want string) bool {
	if want == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), want)
}

// What ends a kernel says so on the device and in plain Go, with the thread.
func TestPanics(t *testing.T) {
	for _, c := range []struct {
		body, want string
		run        func(x []int32, n int)
	}{
		{"x[n+100] = 1", "index out of range [100] with length 4", func(x []int32, n int) { x[n+100] = 1 }},
		{"x[n-1] = 1", "index out of range [-1]", func(x []int32, n int) { x[n-1] = 1 }},
		{"x = x[2:n]; x[0] = 1", "slice bounds out of range [2:0]", func(x []int32, n int) { _ = x[2:n] }},
		{"t := [3]int32{}; x[0] = t[n+3]", "index out of range [3] with length 3", func(x []int32, n int) { t := [3]int32{}; x[0] = t[n+3] }},
		{"x[0] = 7 / int32(n)", "integer divide by zero", func(x []int32, n int) { x[0] = 7 / int32(n) }},
		{"x[0] = 7 % int32(n)", "integer divide by zero", func(x []int32, n int) { x[0] = 7 % int32(n) }},
		{"x[0] = 7 << (n - 1)", "negative shift amount", func(x []int32, n int) { x[0] = 7 << (n - 1) }},
		{"v := gpu.View2D[int32]{x, 2, 2, 2}; v.Set(0, n+2, 1)", "index out of range [2] with length 2", func(x []int32, n int) { gpu.View2DOf(x, 2, 2).Set(0, n+2, 1) }},
		{"v := gpu.View2D[int32]{x, 2, 2, 2}; x[0] = v.Row(n - 1)[0]", "index out of range [-1] with length 2", func(x []int32, n int) { x[0] = gpu.View2DOf(x, 2, 2).Row(n - 1)[0] }},
		{"x[0] = [3]int32(x[n+2:])[0]", "cannot convert slice with length 2 to array or pointer to array with length 3", func(x []int32, n int) { x[0] = [3]int32(x[n+2:])[0] }},
		{"panic(\"a \\\"text\\\"\")", `a "text"`, func([]int32, int) { panic(`a "text"`) }},
	} {
		unit, err := translate(t, map[string]string{"cell[1]": "package p; import \"github.com/gopherwarp/gopherwarp/gpu\"; var _ gpu.Dim3\n//gpu:kernel\nfunc k(x []int32, n int) {\n\t" + c.body + "\n}\n"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := gpu.Compile(unit.CUDA)
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		x := gpu.Zeros[int32](4)
		call := k.Begin(gpu.For(100, 32))
		gpu.PassSlice(call, x)
		call.Int(0)
		err = call.Do()
		if err == nil {
			err = gpu.Sync()
		}
		if gpuIsReal() { // the driver prints the text
			if err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_ASSERT") {
				t.Errorf("%s: error %v, want one of an assert", c.body, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "cell[1]:4") {
			t.Errorf("%s: error %v, want %q in cell[1]:4", c.body, err, c.want)
		}
		host := []int32{0, 0, 0, 0}
		err = gpu.For(100, 32).Run(false, func() { c.run(host, 0) })
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "panic in block (") {
			t.Errorf("%s: plain Go's error is %v, want %q", c.body, err, c.want)
		}
	}
}

func gpuIsReal() bool {
	d, err := gpu.Current()
	return err == nil && !d.Properties().Simulated
}

// Without bounds nothing is checked.
func TestNobounds(t *testing.T) {
	const text = "package p\n//gpu:kernel%s\nfunc k(x []int32, n int) { x[n] = x[n+1]; x = x[1:]; at(x, n) }\nfunc at(x []int32, n int) { x[n] = 2 }\n"
	checked, err := translate(t, map[string]string{"a.go": fmt.Sprintf(text, "")})
	if err != nil {
		t.Fatal(err)
	}
	free, err := translate(t, map[string]string{"a.go": fmt.Sprintf(text, " nobounds")})
	if err != nil {
		t.Fatal(err)
	}
	const check = `"a.go", `
	if !strings.Contains(checked.Kernels[0].Text, check) || strings.Contains(free.Kernels[0].Text, check) {
		t.Errorf("with checks:\n%s\nwithout:\n%s", checked.Kernels[0].Text, free.Kernels[0].Text)
	}
}
