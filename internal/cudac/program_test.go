package cudac

import (
	"errors"
	"strings"
	"testing"
)

func TestLaunches(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string // kernel | text between the brackets | arguments
	}{
		{"plain", "f<<<1, 2>>>(x, y);", []string{"f|1, 2|(x, y)"}},
		{"spaces", "f <<< grid , block , 0 , s >>> (x);", []string{"f| grid , block , 0 , s |(x)"}},
		{"template", "a::b<int, (3 > 2)><<<dim3(1, 2), n >> 2>>>(x[i], g(y, z));", []string{"a::b<int, (3 > 2)>|dim3(1, 2), n >> 2|(x[i], g(y, z))"}},
		{"after statements", "if (x > 3) f<<<1, 1>>>(); else ::g<<<2, 2>>>();\nreturn h<<<3, 3>>>();", []string{"f|1, 1|()", "::g|2, 2|()", "h|3, 3|()"}},
		{
			"pointers", "table[i + 1]<<<1, 1>>>(); (*p)<<<2, 2>>>(); s.k<<<3, 3>>>(); q->k<<<4, 4>>>();",
			[]string{"table[i + 1]|1, 1|()", "(*p)|2, 2|()", "s.k|3, 3|()", "q->k|4, 4|()"},
		},
		{"lines", "f<<<\n  1,\n  2\n>>>(x,\n  y);", []string{"f|\n  1,\n  2\n|(x,\n  y)"}},
		{"macro", "int a;\n#define RUN(k, ...) \\\n  k<<<1, 2>>>(__VA_ARGS__)\nf<<<3, 4>>>();", []string{"k|1, 2|(__VA_ARGS__)", "f|3, 4|()"}},
		{"not in strings and comments", "s = \"f<<<1, 2>>>(x)\"; // f<<<1, 2>>>(x)\n/* g<<<1, 1>>>() */ x = a << b;", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sites, err := Launches(test.source)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range sites {
				got = append(got, s.Kernel+"|"+s.Config+"|"+test.source[s.Args:s.End])
				if !strings.HasPrefix(test.source[s.Begin:], s.Kernel) {
					t.Errorf("the place of %s is wrong: %q", s.Kernel, test.source[s.Begin:])
				}
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestWrongLaunches(t *testing.T) {
	for source, want := range map[string]string{
		"int x;\n<<<1, 1>>>(x);": "line 2: <<< needs the name of a kernel",
		"f<<<1, 1>>(x);":         "line 1: this launch has no closing >>>",
		"f<<<1>>>(x);":           "line 1: a launch has 2 to 4 values",
		"f<<<1, 2, 3, 4, 5>>>()": "this one has 5",
		"\n\nf<<<1, 2>>>;":       "line 3: after >>> come the arguments",
		"f<<<1, 2>>>(a, b;":      "no closing parenthesis",
		"f<<<1, 2":               "no closing >>>",
	} {
		_, err := Launches(source)
		if e := new(Error); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", source, err, want)
		}
	}
}

func TestBodies(t *testing.T) {
	file, err := Parse(`namespace n { __global__ void plain(int *x, float) { } }
template <typename T, int N> __global__ void with(T (&x)[N], const T *__restrict__ y) { }
template <> __global__ void with<int, 3>(int (&x)[3], const int *__restrict__ z) { }
template <class... T> __global__ void pack(T... all) { }
__global__ void declared(int x);
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range file.Bodies() {
		got = append(got, b.Expr+": "+strings.Join(b.Args, ","))
	}
	want := "plain: x,gw_p1\nwith<T, N>: x,y\nwith<int, 3>: x,z\npack<T...>: all..."
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// Parameters without a name are given one; those of macros have none that could be put in.
func TestNamelessParameters(t *testing.T) {
	tests := []struct{ source, want string }{
		{"__global__ void k(int, float *) {", "__global__ void k(int gw_p0, float * gw_p1) {"},
		{"__global__ void k(int = 3, int[4], void (*)(int)) {", "__global__ void k(int gw_p0 = 3, int gw_p1[4], void (* gw_p2)(int)) {"},
		{"template <class... T> __global__ void k(T...) {", "template <class... T> __global__ void k(T... gw_p0) {"},
		{"__global__ void k(void (*f)(int), int (&x)[3]) {", "__global__ void k(void (*f)(int), int (&x)[3]) {"},
		{"#define NUMBER int\n__global__ void k(NUMBER) {", "#define NUMBER int\n__global__ void k(NUMBER) {"},
	}
	for _, tt := range tests {
		source := tt.source + " }"
		file, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		var edits []Edit
		for _, b := range file.Bodies() {
			edits = append(edits, b.Names...)
		}
		if got := Apply(source, edits); got != tt.want+" }" {
			t.Errorf("got  %s\nwant %s }", got, tt.want)
		}
	}
}

// Some formatters take <<< and >>> for operators.
func TestSpacedLaunches(t *testing.T) {
	for _, source := range []string{
		"k << <1, 2 >> >(x);", "k<<<1, 2 >> > (x);", "k << < f<g<h<int> > >::v, 2>>>(x);", "k < << 1, 2> >> (x);", "#define RUN k << <1, 2 >> >(x)\n",
	} {
		sites, err := Launches(source)
		if err != nil || len(sites) != 1 || sites[0].Kernel != "k" || !strings.HasSuffix(strings.TrimSpace(sites[0].Config), "2") {
			t.Errorf("%s: got %+v, %v", source, sites, err)
		}
	}
	for _, source := range []string{"std::cout << a << b;", "x = a < b && c > d;", "A<B<C<int> > > f(3);", "x >> y >> z;"} {
		if sites, err := Launches(source); err != nil || len(sites) > 0 {
			t.Errorf("%s: got %+v, %v", source, sites, err)
		}
	}
}

func TestAlignFirst(t *testing.T) {
	tests := []struct{ source, want string }{
		{"__shared__ alignas(16) float s[4];", "alignas(16) __shared__ float s[4];"},
		{"{ extern __shared__ alignas(alignof(float4)) char s[]; }", "{ alignas(alignof(float4)) extern __shared__ char s[]; }"},
		{"static __shared__ volatile\nalignas(8) int s;", "alignas(8)\nstatic __shared__ volatile int s;"},
		{"alignas(16) __shared__ float s[4]; struct alignas(8) S {}; // __shared__ alignas(1)", "alignas(16) __shared__ float s[4]; struct alignas(8) S {}; // __shared__ alignas(1)"},
	}
	for _, tt := range tests {
		if got := AlignFirst(tt.source); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// Each file of a program has its own device code, as nvcc compiles it.
func TestLocalise(t *testing.T) {
	tests := []struct{ source, want string }{
		{"__constant__ float c[3];", "static __constant__ float c[3];"},
		{"__device__ int n = 3, m{4};\n__device__ float f(float x) { return x; }", "static __device__ int n = 3, m{4};\nstatic __device__ float f(float x) { return x; }"},
		{"namespace n { inline __device__ int g(); }", "namespace n { static inline __device__ int g(); }"},
		{"__align__(16) __device__ int d;", "static __align__(16) __device__ int d;"},
		{"__device__ std::pair<int, int> f();", "static __device__ std::pair<int, int> f();"},
		{"static __device__ int a; extern __device__ int b; __global__ void k() { __device__ int x; }", ""},
		{"template <class T> __device__ T f(T x) { return x; } template <> __device__ int f(int x) { return x; }", ""},
		{"struct S { __device__ void f(); }; __device__ void S::f() {} __device__ S S::operator+(S) {}", ""},
		{"__host__ __device__ int f() { return 1; } int main() {}", ""},
		{"#define F __device__ int g()\nint x;", ""},
	}
	for _, tt := range tests {
		if tt.want == "" {
			tt.want = tt.source
		}
		if got := Apply(tt.source, Localise(tt.source)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestApply(t *testing.T) {
	got := Apply("0123456789", []Edit{{0, 1, "a"}, {1, 1, "b"}, {4, 6, ""}, {10, 10, "end"}})
	if want := "ab1236789end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzLaunches(f *testing.F) {
	for _, s := range []string{"f<<<1, 2>>>(x)", "a<<<b<<<1,2>>>(c),2>>>()", "#define x k<<<1,2>>>()", ">>>)<<<(", "f<<<1,2>>>("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		sites, err := Launches(source)
		if err != nil {
			return
		}
		for _, s := range sites {
			if s.Begin < 0 || s.Begin > s.Args || s.Args >= s.End || s.End > len(source) {
				t.Errorf("a launch from %d to %d, with arguments from %d, in %d bytes", s.Begin, s.End, s.Args, len(source))
			}
		}
	})
}

func TestLaunchesInKernels(t *testing.T) {
	for source, want := range map[string]bool{
		"__global__ void k(int n) { if (n > 0) k<<<1, 1>>>(n - 1); }\nint main() { k<<<1, 1>>>(3); }":    true,
		"template <int n> __global__ void k() {}\n__global__ void l() { k<3><<<1, 1, 0, nullptr>>>(); }": true,
		"__global__ void k(int n) { n <<= 1; }\nvoid f() { k<<<1, 1>>>(3); }\n__global__ void l() {}":    false,
		"__global__ void k(int n) { /* k<<<1, 1>>>(3); */ }\nint main() { k<<<1, 1>>>(1); }":             false,
		"int main() {": false,
	} {
		if got := LaunchesInKernels(source); got != want {
			t.Errorf("%q: got %t", source, got)
		}
	}
}
