package cudac

import (
	"fmt"
	"strings"
	"testing"
)

// describe returns a kernel in one line, for comparison in tables.
func describe(k *Kernel, params []Param) string {
	var b strings.Builder
	if k.ExternC {
		b.WriteString("C ")
	}
	if k.IsTemplate() {
		b.WriteString("template ")
	}
	fmt.Fprintf(&b, "%d:%s(", k.Line, k.QualifiedName())
	for i, p := range params {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.Const {
			b.WriteString("const ")
		}
		fmt.Fprintf(&b, "%s %s %s:%s/%d", p.Name, p.Kind, p.Base, p.GoElem, p.Size)
	}
	b.WriteString(")")
	if k.LaunchBounds != "" {
		b.WriteString(" bounds " + k.LaunchBounds)
	}
	if !k.Defined {
		b.WriteString(" declared")
	}
	return b.String()
}

func TestKernels(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"plain", "__global__ void k(float *x, int n) {}", "1:k(x pointer float:float32/8, n int int:int32/4)"},
		{"no parameters", "__global__ void a() {}\n__global__ void b(void) {}", "1:a()\n2:b()"},
		{"extern C", `extern "C" __global__ void k() {}`, "C 1:k()"},
		{"extern C block", "extern \"C\" {\n__global__ void k() { if (1) {} }\n}\n__global__ void l() {}", "C 2:k()\n4:l()"},
		{"line of the name", "__global__\nvoid\nk()\n{\n}", "3:k()"},
		{
			"const and restrict", "__global__ void k(const float* __restrict__ a, float const *b, double *const c) {}",
			"1:k(const a pointer float:float32/8, const b pointer float:float32/8, c pointer double:float64/8)",
		},
		{
			"integers", "__global__ void k(char a, signed char b, unsigned char c, short d, unsigned short int e, unsigned f, long int g, unsigned long h, long long i, unsigned long long int j, bool l, signed m) {}",
			"1:k(a int char:int8/1, b int signed char:int8/1, c uint unsigned char:uint8/1, d int short:int16/2, e uint unsigned short:uint16/2, f uint unsigned int:uint32/4, g int long:int64/8, h uint unsigned long:uint64/8, i int long long:int64/8, j uint unsigned long long:uint64/8, l bool bool:bool/1, m int int:int32/4)",
		},
		{
			"library names", "__global__ void k(size_t a, std::uint8_t *b, int64_t c, ::uint32_t d) {}",
			"1:k(a uint unsigned long:uint64/8, b pointer unsigned char:uint8/8, c int long:int64/8, d uint unsigned int:uint32/4)",
		},
		{
			"unknown pointers", "struct S; __global__ void k(float4 *a, void *b, float **c, const S *d) {}",
			"1:k(a pointer float4:vec.Float4/8, b pointer void:/8, c pointer float*:/8, const d pointer S:/8)",
		},
		{"arrays are pointers", "__global__ void k(int a[], float b[16]) {}", "1:k(a pointer int:int32/8, b pointer float:float32/8)"},
		{"unnamed and default", "__global__ void k(int, float *, int n = f(1, 2)) {}", "1:k( int int:int32/4,  pointer float:float32/8, n int int:int32/4)"},
		{
			"unsupported", "__global__ void k(float3 v, int &r, void (*f)(int), __half h) {}",
			"1:k(v struct float3:vec.Float3/12, r unsupported int:/0,  unsupported void:/0, h struct __half:gpu.Float16/2)",
		},
		{
			"comments and strings", "// __global__ void no1() {}\n/* __global__ void no2() {} */\nconst char *s = \"__global__ void no3() {\";\nchar c = '{';\n__global__ void /* here */ k(int /* x */ n) {} // {",
			"5:k(n int int:int32/4)",
		},
		{"raw string", "const char *s = R\"x(\n__global__ void no() {\n\")\")x\";\n__global__ void k() {}", "4:k()"},
		{"joined lines", "// comment \\\n__global__ void no() {}\n__glo\\\nbal__ x;\n__global__ \\\nvoid k() {}", "6:k()"},
		{"declared twice", "__global__ void k(float *, int);\n\n__global__ void k(float *x, int n) {}", "3:k(x pointer float:float32/8, n int int:int32/4)"},
		{"declared only", "__global__ void k(int n);", "1:k(n int int:int32/4) declared"},
		{
			"namespaces", "namespace a { namespace b::c { __global__ void k() {} } __global__ void l() {} }\nnamespace { __global__ void m() {} }",
			"1:a::b::c::k()\n1:a::l()\n2:m()",
		},
		{
			"launch bounds", "#define B 256\n__global__ void __launch_bounds__(B, 2) k() {}\n__global__ __launch_bounds__(128) void l();",
			"2:k() bounds 256, 2\n3:l() bounds 128 declared",
		},
		{
			"attributes", "[[nodiscard]] static inline __global__ __attribute__((noinline)) void k(__grid_constant__ const int n, [[maybe_unused]] float x) {}",
			"1:k(const n int int:int32/4, x float float:float32/4)",
		},
		{
			"typedefs", "typedef unsigned char byte;\nusing real = double;\nusing vec = real *;\n__global__ void k(const byte *p, real x, vec v) {}",
			"4:k(const p pointer unsigned char:uint8/8, x float double:float64/8, v pointer double:float64/8)",
		},
		{"macros", "#define REAL float\n#define KERNEL extern \"C\" __global__ void\nKERNEL k(REAL *x) {}", "C 3:k(x pointer float:float32/8)"},
		{
			"conditions", "#if 0\n__global__ void no() {}\n#else\n__global__ void a() {}\n#endif\n#ifdef X\n__global__ void no2() {}\n#elif 1\n__global__ void b() {}\n#endif\n#ifndef __CUDACC__\n__global__ void no3();\n#endif",
			"4:a()\n9:b()",
		},
		{"undecided condition", "#if N > 3\n__global__ void k(int a) {}\n#else\n__global__ void k(int a) {}\n#endif", "2:k(a int int:int32/4)"},
		{"template", "template <typename T, int N = 4>\n__global__ void k(T *x) {}", "template 2:k()"},
		{"specialisation is not new", "template <typename T> __global__ void k(T *x) {}\ntemplate <> __global__ void k<int>(int *x) {}\ntemplate __global__ void k<float>(float *);", "template 1:k()"},
		{"template return type", "template <class T> __global__ std::enable_if_t<(sizeof(T) > 4), void> k(T x) {}", "template 1:k()"},
		{"body with everything", "__device__ int f() { return 1; }\nstruct S { int a; };\n__global__ void k() { int a[] = {1, 2}; auto g = [&](int x) { return x; }; }\n__global__ void l() {}", "3:k()\n4:l()"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, k := range f.Kernels {
				got = append(got, describe(k, k.Params))
			}
			if g := strings.Join(got, "\n"); g != tt.want {
				t.Errorf("got\n%s\nwant\n%s", g, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		src  string
		line int
		part string
	}{
		{"\n/* open", 2, "never closed"},
		{"int a;\nchar *s = \"open\n;", 2, "not closed"},
		{"auto s = R\"(open", 1, "never closed"},
		{"\n\n__global__ int k(int n) {}", 3, "must return void"},
		{"__global__ void k(int n", 1, "no closing parenthesis"},
		{"__global__ void;", 1, "needs a name"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.src)
		e, ok := err.(*Error)
		if !ok || e.Line != tt.line || !strings.Contains(e.Msg, tt.part) {
			t.Errorf("%q: got %v, want line %d, %q", tt.src, err, tt.line, tt.part)
		}
	}
}

func TestDefines(t *testing.T) {
	f, err := Parse("#ifdef DOUBLE\nusing real = double;\n#else\nusing real = float;\n#endif\n__global__ void k(real x, TYPE y) {}", "DOUBLE", "TYPE=long long")
	if err != nil {
		t.Fatal(err)
	}
	want := "6:k(x float double:float64/8, y int long long:int64/8)"
	if got := describe(f.Kernels[0], f.Kernels[0].Params); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestResolve(t *testing.T) {
	f, err := Parse(`
template <typename T> __global__ void scale(T *x, const T *y, T a, int n) {}
template <typename T, int N = 4, bool B = (N > 2)> __global__ void deep(T (&x)[N], unsigned T) {}
template <class T, class U = float> __global__ void two(T *t, U *u) {}
template <typename... A> __global__ void many(int n) {}
namespace a { __global__ void k(int n) {} }
__global__ void twin(int n) {}
namespace a { __global__ void twin(float x) {} }
`)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ expr, want string }{
		{"scale<float>", "template 2:scale(x pointer float:float32/8, const y pointer float:float32/8, a float float:float32/4, n int int:int32/4)"},
		{"scale< unsigned  char >", "template 2:scale(x pointer unsigned char:uint8/8, const y pointer unsigned char:uint8/8, a uint unsigned char:uint8/1, n int int:int32/4)"},
		{"scale<float2>", "template 2:scale(x pointer float2:vec.Float2/8, const y pointer float2:vec.Float2/8, a struct float2:vec.Float2/8, n int int:int32/4)"},
		{"scale<T>", "template 2:scale(x pointer T:/8, const y pointer T:/8, a unsupported T:/0, n int int:int32/4)"},
		{"two<double>", "template 4:two(t pointer double:float64/8, u pointer float:float32/8)"},
		{"two<double, long>", "template 4:two(t pointer double:float64/8, u pointer long:int64/8)"},
		{"many<int, float>", "template 5:many(n int int:int32/4)"},
		{"a::k", "6:a::k(n int int:int32/4)"},
		{"k", "6:a::k(n int int:int32/4)"},
		{"::twin", "7:twin(n int int:int32/4)"},
		{"a::twin", "8:a::twin(x float float:float32/4)"},
	}
	for _, tt := range tests {
		k, params, err := f.Resolve(tt.expr)
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
			continue
		}
		if got := describe(k, params); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.expr, got, tt.want)
		}
	}
	for expr, part := range map[string]string{
		"none":        `no kernel "none"; the source has scale,`,
		"scale":       "as in scale<float>",
		"k<int>":      "no template",
		"scale<a, b>": "takes 1 template arguments, not 2",
		"scale<float": "no closing >",
		"two<":        "no closing >",
		`"open`:       "kernel name",
	} {
		if _, _, err := f.Resolve(expr); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: got error %v, want %q", expr, err, part)
		}
	}
}

func TestOther(t *testing.T) {
	f, err := Parse(`
extern __shared__ float top[];
namespace a::b {
__device__ void f() { extern __shared__ __align__(16) unsigned char bytes[]; }
}
__global__ void k() { __shared__ float fixed[4]; extern int __shared__ s[]; }
#define OF_TYPE(T, name) template <> struct Room<T> { __device__ T *all() { extern __shared__ T name[]; return name; } };
OF_TYPE(float, floats)
OF_TYPE(unsigned char, chars)
int main(int argc, char **argv) { return 0; }
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Shared{{"top", "", "float", 2}, {"bytes", "a::b", "unsigned char", 4}, {"s", "", "int", 6}, {"floats", "", "float", 8}, {"chars", "", "unsigned char", 9}}
	if fmt.Sprint(f.DynamicShared) != fmt.Sprint(want) {
		t.Errorf("dynamic shared memory: got %v, want %v", f.DynamicShared, want)
	}
	if !f.HasMain {
		t.Error("main was not seen")
	}
	if f, _ := Parse("struct S { void main(); }; void g() { domain(); }"); f.HasMain {
		t.Error("a main that is no function at the top was seen")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"template <typename T> __global__ void __launch_bounds__(8) k(const T *__restrict__ x, int n = 1) { extern __shared__ T s[]; }",
		"#define A B\n#define B A\n#if A\nnamespace n { extern \"C\" { __global__ void k(A); } }\n#endif",
		"#define X X X\n#define Y X X\ntypedef Y Z; using Q = Z; __global__ void k(Q);",
		"__global__ void k(R\"a(b)a\", 'x', \"y\\\n\", 1'0e+3, <[({", "__global__", "template<", "using a", "__shared__", "typedef",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, err := Parse(src)
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Line < 1 || e.Line > strings.Count(src, "\n")+1 {
				t.Fatalf("error without a line of the source: %v", err)
			}
			return
		}
		for _, k := range file.Kernels {
			if k.Name == "" || k.Line < 1 || k.Line > strings.Count(src, "\n")+1 {
				t.Fatalf("kernel without name or line: %+v", k)
			}
			_, _, _ = file.Resolve(k.QualifiedName() + "<int, 3>")
		}
	})
}
