package cudac

import (
	"fmt"
	"strings"
	"testing"
)

func TestStructs(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"padding":     {"struct P { char c; double d; int n; };", "P 24/8: 0:c int8, 8:d float64, 16:n int32"},
		"declarators": {"struct P { float x, y[3], *p; const unsigned char *q; int m[2][3]; };", "P 56/8: 0:x float32, 4:y [3]float32, 16:p uint64, 24:q uint64, 32:m [2][3]int32"},
		"vectors":     {"struct P { char c; float4 v; float3 w; half h; };", "P 48/16: 0:c int8, 16:v vec.Float4, 32:w vec.Float3, 44:h gpu.Float16"},
		"nested":      {"struct A { int x; }; struct B { char c; A a[2]; };", "A 4/4: 0:x int32; B 12/4: 0:c int8, 4:a [2]A"},
		"typedef":     {"typedef struct { size_t n; bool b; } S;", "S 16/8: 0:n uint64, 8:b bool"},
		"both names":  {"typedef struct T { int n; } S;", "S 4/4: 0:n int32"},
		"methods": {
			"struct P { float x = 1; int n{3}; P() : x(2) {} __device__ float get() const { return x; } static int count; void later(int); using T = int; public: int z; };",
			"P 12/4: 0:x float32, 4:n int32, 8:z int32",
		},
		"alignment":  {"struct __align__(16) P { float x; }; struct alignas(8) Q { int n; };", "P 16/16: 0:x float32; Q 8/8: 0:n int32"},
		"in a space": {"namespace a { struct P { int n; }; }", "P 4/4: 0:n int32"},

		"virtual":        {"struct P { int n; virtual void f() {} };", ""},
		"bit-field":      {"struct P { int n : 3; };", ""},
		"base":           {"struct A { int n; }; struct P : A { int m; };", "A 4/4: 0:n int32"},
		"unknown type":   {"struct P { std::vector<int> v; };", ""},
		"reference":      {"struct P { int &r; };", ""},
		"named length":   {"const int N = 3; struct P { int n[N]; };", ""},
		"template":       {"template <typename T> struct P { int n; };", ""},
		"local":          {"void f() { struct P { int n; }; }", ""},
		"anonymous part": {"struct P { union { int a; float b; }; };", ""},
		"twice":          {"namespace a { struct P { int n; }; } namespace b { struct P { char c; }; }", ""},
		"empty":          {"struct P {}; struct Q;", ""},
		"unfinished":     {"struct P { int n", ""},
	} {
		f, err := Parse(c.source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var all []string
		for _, l := range f.Structs() {
			var fields []string
			for _, x := range l.Fields {
				fields = append(fields, x.String())
			}
			all = append(all, fmt.Sprintf("%s %d/%d: %s", l.Name, l.Size, l.Align, strings.Join(fields, ", ")))
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	f, err := Parse("struct P { float x; double d; };\n__global__ void k(P p, const P *q, struct P r, std::pair<int, int> s) {}")
	if err != nil {
		t.Fatal(err)
	}
	params := f.Kernels[0].Params
	if p := params[0]; p.Kind != Struct || p.Size != 16 || p.Align != 8 || p.Struct == nil || p.Struct.Name != "P" {
		t.Errorf("got %+v", p)
	}
	if p := params[1]; p.Kind != Pointer || p.GoElem != "" {
		t.Errorf("got %+v", p)
	}
	if p := params[2]; p.Kind != Struct || p.Struct == nil {
		t.Errorf("got %+v", p)
	}
	if p := params[3]; p.Kind != Unsupported || !strings.Contains(p.Problem, "layout cannot be told") {
		t.Errorf("got %+v", p)
	}
}
