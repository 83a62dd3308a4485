package gokernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// A differential is Go functions of numbers, which a Go program and kernels call with the same arguments.
type differential struct {
	source string // a file of package main, without main
	funcs  []*types.Func
	near   float64 // the largest relative difference of floats
}

// samples are the arguments by type: each function gets combinations of them.
var samples = map[string][]string{
	"bool":    {"false", "true"},
	"int8":    {"0", "1", "-1", "7", "-128", "127", "-13"},
	"uint8":   {"0", "1", "7", "128", "255", "99"},
	"int16":   {"0", "1", "-1", "300", "-32768", "32767"},
	"uint16":  {"0", "1", "300", "32768", "65535"},
	"int32":   {"0", "1", "-1", "70000", "-2147483648", "2147483647", "31"},
	"uint32":  {"0", "1", "5", "70000", "2147483648", "4294967295", "32"},
	"int64":   {"0", "1", "-1", "5000000000", "-9223372036854775808", "9223372036854775807", "63"},
	"uint64":  {"0", "1", "3", "5000000000", "9223372036854775808", "18446744073709551615", "64"},
	"int":     {"0", "1", "-1", "5000000000", "-9223372036854775808", "9223372036854775807", "6"},
	"uint":    {"0", "1", "3", "5000000000", "9223372036854775808", "18446744073709551615", "8"},
	"uintptr": {"0", "1", "9"},
	"float32": {"0", "1", "-1", "0.1", "3.5", "-1e10", "16777217"},
	"float64": {"0", "1", "-1", "0.1", "3.5", "-1e100", "9007199254740993"},
}

// samplesOf returns the arguments of a type, or nil if it is not of numbers.
func samplesOf(typ types.Type) []string {
	if b, ok := typ.Underlying().(*types.Basic); ok {
		return samples[types.Typ[b.Kind()].String()] // byte is uint8
	}
	return nil
}

// maxCases bounds the combinations of arguments of one function.
const maxCases = 120

// cases returns the arguments of a function's calls.
func cases(f *types.Func) [][]string {
	all := [][]string{{}}
	for v := range f.Signature().Params().Variables() {
		var longer [][]string
		for _, c := range all {
			for _, s := range samplesOf(v.Type()) {
				longer = append(longer, append(append([]string{}, c...), s))
			}
		}
		all = longer
		if len(all) > maxCases {
			all = nil
			for i := range maxCases {
				all = append(all, longer[i*(len(longer)-1)/(maxCases-1)])
			}
		}
	}
	return all
}

// comparableFunc reports whether a function takes and returns numbers only.
func comparableFunc(f *types.Func) bool {
	sig := f.Signature()
	if sig.Recv() != nil || sig.TypeParams() != nil || sig.Variadic() || sig.Results().Len() != 1 || f.Name() == "main" || f.Name() == "_" {
		return false
	}
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			if samplesOf(v.Type()) == nil {
				return false
			}
		}
	}
	return true
}

// unspecified matches the functions of fp_test.go that convert floats to integers, also those that are out of range, whose result then depends on
// the implementation of Go, and those of math/bits that take a carry, which must be 0 or 1.
var unspecified = regexp.MustCompile(`^F(32|64)to[IU]|^(Add|Sub)(32|64)?_`)

// newDifferential finds the functions of a file that can be compared.
func newDifferential(t *testing.T, source string) *differential {
	t.Helper()
	p, err := load(t, map[string]string{"source.go": source})
	if err != nil {
		t.Fatal(err)
	}
	d := &differential{source: source}
	for _, decl := range p.Files[0].Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
			if f := p.Info.Defs[fd.Name].(*types.Func); comparableFunc(f) && !unspecified.MatchString(f.Name()) {
				d.funcs = append(d.funcs, f)
			}
		}
	}
	return d
}

// tryProgram begins the Go program. A function that does not return soon counts as one that panics.
const tryProgram = `package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"time"
)

var _ = math.Pi
var out = bufio.NewWriter(os.Stdout)

func try(f func() any) {
	done := make(chan any, 1)
	go func() {
		defer func() {
			if recover() != nil {
				done <- "panic"
			}
		}()
		done <- f()
	}()
	select {
	case r := <-done:
		fmt.Fprintln(out, r)
	case <-time.After(200 * time.Millisecond):
		fmt.Fprintln(out, "panic")
	}
}

//go:noinline
func asVariable[T any](x T) T { return x }

func main() {
	defer out.Flush()
`

// plain runs the functions as a Go program and returns for each the result of each case as text, or "panic".
func (d *differential) plain(t *testing.T) [][]string {
	t.Helper()
	var b strings.Builder
	b.WriteString(tryProgram)
	for _, f := range d.funcs {
		for _, c := range cases(f) {
			var args []string
			for i, a := range c {
				args = append(args, fmt.Sprintf("asVariable(%s(%s))", f.Signature().Params().At(i).Type().Underlying(), a))
			}
			result := f.Name() + "(" + strings.Join(args, ", ") + ")"
			switch f.Signature().Results().At(0).Type().Underlying().String() {
			case "float32", "float64":
				result = "math.Float64bits(float64(" + result + "))"
			}
			fmt.Fprintf(&b, "try(func() any { return %s })\n", result)
		}
	}
	b.WriteString("}\n")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module differential\ngo 1.26\n", "source.go": d.source, "main.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the functions as Go: %v\n%s", err, text)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	text, err := exec.CommandContext(ctx, "sh", "-c", "ulimit -v 4000000; exec "+filepath.Join(dir, "program")).Output()
	if err != nil {
		t.Fatalf("run the functions as Go: %v", err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	var results [][]string
	for _, f := range d.funcs {
		var list []string
		for range cases(f) {
			if !lines.Scan() {
				t.Fatalf("the Go program has printed too little")
			}
			list = append(list, lines.Text())
		}
		results = append(results, list)
	}
	return results
}

// device runs the functions in kernels, except for the cases that panic, which it leaves "panic". refused has the reasons why functions were not
// translated.
func (d *differential) device(t *testing.T, plain [][]string, flags ...string) (results [][]string, refused map[string]string) {
	t.Helper()
	// One kernel calls one function for all cases; results are the bits of a number.
	refused = map[string]string{}
	kernels := map[int]string{}
	for i, f := range d.funcs {
		var b, params strings.Builder
		var args []string
		for j := range f.Signature().Params().Len() {
			fmt.Fprintf(&params, ", a%d []uint64", j)
			args = append(args, fromBits(f.Signature().Params().At(j).Type(), fmt.Sprintf("a%d[index_]", j)))
		}
		fmt.Fprintf(&b, "//gpu:kernel\nfunc kernel_%s(out, skip []uint64%s) {\n\tindex_ := gpu.GlobalID()\n\tif index_ < len(out) && skip[index_] == 0 {\n", f.Name(), params.String())
		fmt.Fprintf(&b, "\t\tout[index_] = %s\n\t}\n}\n", toBits(f.Signature().Results().At(0).Type(), f.Name()+"("+strings.Join(args, ", ")+")"))
		kernels[i] = b.String()
	}
	const head = "package main\nimport (\"math\"; \"github.com/gopherwarp/gopherwarp/gpu\")\nvar _ = math.Pi\nfunc truth_(b bool) uint64 { if b { return 1 }; return 0 }\n"
	all := head
	for i := range d.funcs {
		all += kernels[i]
	}
	p, err := load(t, map[string]string{"source.go": d.source, "kernels.go": all})
	if err != nil {
		t.Fatal(err)
	}
	decls := map[string]*ast.FuncDecl{}
	for _, f := range p.Files {
		for _, k := range gokernel.Kernels(f) {
			decls[k.Name.Name] = k
		}
	}
	var good []*ast.FuncDecl
	for _, f := range d.funcs {
		k := decls["kernel_"+f.Name()]
		if _, err := p.Translate([]*ast.FuncDecl{k}); err != nil {
			var list gokernel.Error
			if !errors.As(err, &list) {
				t.Fatal(err)
			}
			refused[f.Name()] = list[0].Message
			continue
		}
		good = append(good, k)
	}
	unit, err := p.Translate(good)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpu.Compile(unit.CUDA, gpu.WithName("differential.cu"), gpu.WithFlags(flags...))
	if err != nil {
		t.Fatalf("%v\n%s", err, unit.CUDA)
	}
	results = make([][]string, len(d.funcs))
	for i, f := range d.funcs {
		if refused[f.Name()] != "" {
			continue
		}
		k, err := m.Kernel("kernel_" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		n := len(plain[i])
		out, skip := gpu.Zeros[uint64](n), make([]uint64, n)
		for k := range skip {
			if plain[i][k] == "panic" {
				skip[k] = 1
			}
		}
		call := k.Begin(gpu.For(n, 64))
		gpu.PassSlice(call, out)
		gpu.PassSlice(call, gpu.In(skip))
		for j := range f.Signature().Params().Len() {
			bits := make([]uint64, n)
			for k, c := range cases(f) {
				bits[k] = bitsOf(t, f.Signature().Params().At(j).Type(), c[j])
			}
			gpu.PassSlice(call, gpu.In(bits))
		}
		if err := errors.Join(call.Do(), gpu.Sync()); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		for k, bits := range out.ToHost() {
			text := formatted(f.Signature().Results().At(0).Type(), bits)
			if plain[i][k] == "panic" {
				text = "panic"
			}
			results[i] = append(results[i], text)
		}
		out.Free()
	}
	return results, refused
}

// fromBits returns Go code for the number that the code bits has, and toBits the other way.
func fromBits(typ types.Type, bits string) string {
	name := types.TypeString(typ, func(*types.Package) string { return "" })
	switch info := typ.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		return "(" + bits + " != 0)"
	case info&types.IsFloat != 0:
		return name + "(math.Float64frombits(" + bits + "))"
	}
	return name + "(" + bits + ")"
}

func toBits(typ types.Type, value string) string {
	switch info := typ.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		return "truth_(bool(" + value + "))"
	case info&types.IsFloat != 0:
		return "math.Float64bits(float64(" + value + "))"
	}
	return "uint64(" + value + ")"
}

// bitsOf returns a number of samples as fromBits takes it.
func bitsOf(t *testing.T, typ types.Type, text string) uint64 {
	t.Helper()
	var bits uint64
	var err error
	switch info := typ.Underlying().(*types.Basic).Info(); {
	case text == "true":
		bits = 1
	case text == "false":
	case info&types.IsFloat != 0:
		var v float64
		v, err = strconv.ParseFloat(text, 64)
		bits = math.Float64bits(v)
	case info&types.IsUnsigned != 0:
		bits, err = strconv.ParseUint(text, 10, 64)
	default:
		var v int64
		v, err = strconv.ParseInt(text, 10, 64)
		bits = uint64(v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return bits
}

// formatted returns a result as the Go program prints it.
func formatted(typ types.Type, bits uint64) string {
	b := typ.Underlying().(*types.Basic)
	switch {
	case b.Info()&types.IsBoolean != 0:
		return fmt.Sprint(bits != 0)
	case b.Info()&types.IsFloat != 0, b.Info()&types.IsUnsigned != 0:
		return fmt.Sprint(bits)
	}
	return fmt.Sprint(int64(bits))
}

// check compares the functions as plain Go with those on the device. Functions are refused only for the reasons that reasons has parts of.
func (d *differential) check(t *testing.T, reasons ...string) (functions, calls int) {
	t.Helper()
	plain := d.plain(t)
	dev, refused := d.device(t, plain)
	var unoptimized [][]string
	for i, f := range d.funcs {
		if why, ok := refused[f.Name()]; ok {
			known := false
			for _, r := range reasons {
				known = known || strings.Contains(why, r)
			}
			if !known {
				t.Errorf("%s was refused: %s", f.Name(), why)
			}
			continue
		}
		functions++
		for k, c := range cases(f) {
			calls++
			if plain[i][k] != dev[i][k] && !near(f, plain[i][k], dev[i][k], d.near) {
				if unoptimized == nil {
					unoptimized, _ = d.device(t, plain, "--ptxas-options=-O1")
				}
				report := t.Errorf
				if other := unoptimized[i][k]; plain[i][k] == other || near(f, plain[i][k], other, d.near) {
					// The PTX is the same, so this is a defect of NVIDIA's assembler: bench/results/2026-11-23-gokernels.md has one.
					report = t.Logf
				}
				report("%s(%s): plain Go returns %s, the device %s, and with less optimization by ptxas %s", f.Name(), strings.Join(c, ", "), plain[i][k], dev[i][k], unoptimized[i][k])
				break
			}
		}
	}
	t.Logf("%d functions, %d calls are equal; %d functions were refused", functions, calls, len(refused))
	return functions, calls
}

// bessel matches functions whose error CUDA bounds as an absolute one for large arguments (CUDA C++ Programming Guide, Mathematical Functions).
var bessel = regexp.MustCompile(`^[JY][01n]_`)

// near reports whether results of a function, as plain prints them, are floats that are both none, or whose relative difference is at most most.
func near(f *types.Func, a, b string, most float64) bool {
	typ := f.Signature().Results().At(0).Type().Underlying().(*types.Basic)
	if typ.Info()&types.IsFloat == 0 {
		return false
	}
	var x, y uint64
	fmt.Sscan(a, &x)
	fmt.Sscan(b, &y)
	v, w := math.Float64frombits(x), math.Float64frombits(y)
	if bessel.MatchString(f.Name()) && math.Abs(v-w) <= 5e-12 {
		return true
	}
	return math.IsNaN(v) && math.IsNaN(w) || math.Abs(v-w) <= most*math.Abs(v)
}

// FilesEnv is the environment variable with what to compare: all the compiler's tests if it is "all".
const FilesEnv = "GOPHERWARP_GOKERNEL"

// Functions of the tests of Go's compiler.
func TestCompilersTests(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src/cmd/compile/internal/test/testdata")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: %s is not there: install Go from go.dev/dl, whose archives have it", dir)
	}
	files := []string{"arith_test.go", "arithBoundary_test.go", "cmp_test.go", "ctl_test.go", "fp_test.go", "compound_test.go", "break_test.go", "divbyzero_test.go", "short_test.go"}
	least := 200
	if os.Getenv(FilesEnv) == "all" {
		files, least = append(files, "arithConst_test.go", "cmpConst_test.go"), 2000
	}
	total := 0
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			n, _ := newDifferential(t, withoutTests(t, string(text))).check(t, "a GPU has no", "a kernel cannot", "takes numbers", "of the host", "not at hand", "calls itself", "pointer variable", "fixed number", "must be declared", "returns no")
			total += n
		})
	}
	if total < least {
		t.Errorf("%d functions were compared, want at least %d", total, least)
	}
}

// withoutTests returns the functions of a test file with what they need, as a file of package main. It leaves declarations out until the rest
// type-checks.
func withoutTests(t *testing.T, text string) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	head := "package main\n"
	for _, spec := range f.Imports {
		if path := spec.Path.Value; path == `"math"` {
			head += "import " + path + "\nvar _ = math.Pi\n"
		}
	}
	var kept []string
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body == nil {
			continue // it is in assembly
		}
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			kept = append(kept, text[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]+"\n")
		}
	}
	for {
		source := head
		ends := []int{} // line where each declaration ends
		for _, code := range kept {
			source += code
			ends = append(ends, strings.Count(source, "\n"))
		}
		_, err := load(t, map[string]string{"source.go": source})
		var list gokernel.Error
		if !errors.As(err, &list) {
			return source
		}
		wrong := map[int]bool{}
		for _, p := range list {
			wrong[sort.SearchInts(ends, p.Pos.Line)] = true
		}
		var rest []string
		for i, code := range kept {
			if !wrong[i] {
				rest = append(rest, code)
			}
		}
		if len(rest) == len(kept) {
			t.Fatalf("its functions do not stand alone: %v", err)
		}
		kept = rest
	}
}

// TestFunctions compares the functions of testdata.
func TestFunctions(t *testing.T) {
	for name, least := range map[string]int{"functions.go": 12, "spec.go": 45} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			if n, _ := newDifferential(t, string(text)).check(t); n < least {
				t.Errorf("%d functions were compared, want at least %d", n, least)
			}
		})
	}
}

// TestStandardLibrary compares functions of Go's standard library that take and return numbers, with the translations of their sources, or what CUDA
// has in their place.
func TestStandardLibrary(t *testing.T) {
	total := 0
	for _, c := range []struct {
		path  string
		least int
		near  float64
	}{
		{"math", 70, 2e-14}, {"math/bits", 45, 0}, {"unicode/utf8", 2, 0}, {"image/color", 13, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			d := newDifferential(t, wrappers(t, c.path))
			d.near = c.near
			n, _ := d.check(t, "cannot be translated, because of")
			if n < c.least {
				t.Errorf("%d functions were compared, want at least %d", n, c.least)
			}
			total += n
		})
	}
	t.Logf("%d functions", total)
}

// wrappers returns a file with a function of one result for each result of each function of a package that takes and returns numbers.
func wrappers(t *testing.T, path string) string {
	t.Helper()
	p, err := load(t, map[string]string{"imports.go": fmt.Sprintf("package main\nimport _ %q\n", path)})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Types.Imports()[0]
	var b strings.Builder
	fmt.Fprintf(&b, "package main\nimport %q\n", path)
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().TypeParams() != nil || f.Signature().Results().Len() == 0 {
			continue
		}
		var params, args, blanks []string
		for i := range f.Signature().Params().Len() {
			params = append(params, fmt.Sprintf("a%d %s", i, types.TypeString(f.Signature().Params().At(i).Type(), (*types.Package).Name)))
			args = append(args, fmt.Sprint("a", i))
		}
		n := f.Signature().Results().Len()
		for range n {
			blanks = append(blanks, "_")
		}
		for i := range n {
			results := append([]string{}, blanks...)
			results[i] = "result"
			fmt.Fprintf(&b, "func %s_%d(%s) %s {\n\t%s := %s.%s(%s)\n\treturn result\n}\n", name, i, strings.Join(params, ", "),
				types.TypeString(f.Signature().Results().At(i).Type(), (*types.Package).Name), strings.Join(results, ", "), pkg.Name(), name, strings.Join(args, ", "))
		}
	}
	return b.String()
}
