package gokernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// cNames are names of CUDA, C++, C libraries and the translation. Those of the second list exist for floats, too, with an f at the end.
const (
	cNames = `double signed template new clock64 min max umin umax abs labs llabs div clear copy clock time rand random srand srandom
		abort exit pause sync fork sleep usleep close dup read write open getpid wait isalpha isdigit isspace isupper islower tolower
		toupper index signal alarm nice drand48 lrand48 mrand48 atoi puts system putchar getchar truncate link pipe chdir brk kill
		raise getenv setenv mktime difftime localtime qsort bsearch lldiv ldiv ffs ffsll gamma drem dremf significand scalb finite matherr
		lgamma_r bcmp swab environ daylight timezone slice array sum message quotient global_x t1 t2 main_ x_data block`
	cRealNames = `acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10
		exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi
		sqrt tan tanh tgamma trunc y0 y1 atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot jn yn ldexp scalbn
		scalbln norm3d norm4d rnorm3d rnorm4d norm rnorm fma fdivide ilogb llrint llround lrint lround frexp modf remquo sincos
		sincospi nan`
)

// Functions, variables and fields of Go may have the names of others in CUDA.
func TestNames(t *testing.T) {
	names := strings.Fields(cNames)
	for _, name := range strings.Fields(cRealNames) {
		names = append(names, name, name+"f")
	}
	for _, sig := range []struct{ params, args, result string }{
		{"", "", "int"},
		{"", "", "int32"},
		{"a float64", "1", "float64"},
		{"a float32", "1", "float32"},
		{"a int", "1", "int"},
		{"a int32", "1", "int32"},
		{"a uint32", "1", "uint32"},
		{"a uint32", "1", "bool"},
		{"a, b float64", "1, 2", "float64"},
		{"a, b float32", "1, 2", "float32"},
		{"a, b int", "1, 2", "int"},
		{"a, b uint32", "1, 2", "uint32"},
		{"a float64, b int32", "1, 2", "float64"},
		{"a int32, b float32", "1, 2", "float32"},
	} {
		var b strings.Builder
		b.WriteString("package p\n")
		for _, name := range names {
			value := "1"
			if sig.result == "bool" {
				value = "true"
			}
			fmt.Fprintf(&b, "func %s(%s) (r %s) { r = %s; return }\n", name, sig.params, sig.result, value)
		}
		b.WriteString("//gpu:kernel\nfunc calls(out []int32) {\n")
		for _, name := range names {
			fmt.Fprintf(&b, "\tif v := %s(%s); v == %s(%[2]s) {\n\t\tout[0]++\n\t}\n", name, sig.args, name)
		}
		b.WriteString("}\n")
		runNames(t, b.String(), "calls", len(names))
	}
	var b strings.Builder
	b.WriteString("package p\nimport \"math\"\n//gpu:kernel\nfunc variables(out []int32) {\n\tzero := float64(out[0])\n\tvar all struct {\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\t\t%s, %[1]s_ int32\n", name)
	}
	b.WriteString("\t}\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\t%s := int32(1)\n\tall.%[1]s += %[1]s\n\tout[0] += all.%[1]s + all.%[1]s_\n", name)
	}
	for _, call := range []string{"Sin", "Exp", "Log1p", "J1", "Floor", "Trunc", "Round", "Abs"} {
		fmt.Fprintf(&b, "\tout[0] += int32(math.%s(zero))\n", call)
	}
	b.WriteString("\tout[0] += int32(math.Max(zero, zero) + math.Pow(zero, 3) + math.Hypot(zero, zero))\n}\n")
	runNames(t, b.String(), "variables", len(names)+1) // exp(0)
}

// runNames runs a kernel, which adds up ones.
func runNames(t *testing.T, text, kernel string, want int) {
	t.Helper()
	unit, err := translate(t, map[string]string{"names.go": text})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpu.Compile(unit.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(kernel)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int32, 1)
	call := k.Begin(gpu.For(1, 1))
	gpu.PassSlice(call, gpu.InOut(out))
	if err := call.Do(); err != nil {
		t.Fatal(err)
	}
	if int(out[0]) != want {
		t.Errorf("%s: %d, want %d", kernel, out[0], want)
	}
}
