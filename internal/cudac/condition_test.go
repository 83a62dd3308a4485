package cudac

import "testing"

func TestConditions(t *testing.T) {
	for condition, want := range map[string]string{
		"(N == 4)": "yes", "(N==3)": "no", "N > 3 && N <= 4": "yes", "N * 2 + 1 == 9": "yes", "(1 << N) - 1 == 0xf": "yes", "-N < 0": "yes",
		"N % 3 ^ 1": "no", "~N & 1": "yes", "N / 3 >> 1": "no", "!(N != 4)": "yes", "!defined(N)": "no", "TWICE == 8": "yes", "N - 1 - 1 == 2": "yes",
		"defined(N) && defined M": "yes", "defined(N) && 0": "no", "1 || __GNUC__ > 11": "yes", "0 && __GNUC__ > 11": "no", "N >= 0x4L": "yes",
		"__GNUC__ > 11": "both", "defined(OTHER) || N == 3": "no", "defined(__GNUC__) || N == 3": "both", "defined(UNSURE) && N": "both", "__CUDA_ARCH__ >= 800": "both", "__cplusplus >= 201103L": "both", "N > 3u": "both",
		"N / 0": "both", "N ? 1 : 0": "both", "N +": "both", "(N": "both", "__has_include(<x.h>) && N": "both", "MAX(N, 3) == 4": "both",
		"UNSURE == 2": "both", "'a' == 97": "yes", "'\\n' == 10": "both", "N << 70": "both",
	} {
		f, err := Parse("#define M\n#define TWICE (N * 2)\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#if __GNUC__ > 11\n#define UNSURE 1\n#else\n#define UNSURE 2\n#endif\n"+
			"#if "+condition+"\n__global__ void yes() {}\n#else\n__global__ void no() {}\n#endif", "N=4")
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		got := "both"
		if len(f.Kernels) == 1 {
			got = f.Kernels[0].Name
		}
		if got != want {
			t.Errorf("#if %s keeps %s, want %s", condition, got, want)
		}
	}
}

func TestDecide(t *testing.T) {
	const source = `#define N 4
#if N == 4
#ifdef __GNUC__
__global__ void first() {}
#elif N == 4
__global__ void second() {}
#else
__global__ void third() {}
#endif
#endif`
	f, err := Parse(source)
	if err != nil || !f.Undecided {
		t.Fatalf("it is undecided: %v, %v", f.Undecided, err)
	}
	for line, want := range map[int]string{4: "first", 6: "second", 8: "third"} {
		f, err := f.Decide(func(_ string, first, last int) (seen, known bool) { return first <= line && line < last, true })
		if err != nil || len(f.Kernels) != 1 || f.Kernels[0].Name != want || f.Undecided {
			t.Errorf("with line %d it has %v, undecided: %v, %v; want %s", line, f.Kernels, f.Undecided, err, want)
		}
	}
	if f, err := f.Decide(func(string, int, int) (seen, known bool) { return false, true }); err != nil || len(f.Kernels) != 0 {
		t.Errorf("without a line it has %v, %v", f.Kernels, err)
	}
	for condition, want := range map[string]bool{
		"#if N == 4": false, "#ifdef N": false, "#ifndef N": false, "#ifdef DEBUG": true, "#if __CUDA_ARCH__ > 600": false, "#if __cplusplus > 1": true, "#if defined(N) && N > 2": false,
	} {
		f, err := Parse("#define N 4\n"+condition+"\n#endif", "__CUDA_ARCH__=900")
		if err != nil || f.Undecided != want {
			t.Errorf("%s is undecided: %v, %v", condition, f.Undecided, err)
		}
	}
	if f, err := Parse("#ifndef GUARD\n#define GUARD\n#endif"); err != nil || f.Undecided {
		t.Errorf("a guard is undecided: %v, %v", f.Undecided, err)
	}
}

func TestPushedMacros(t *testing.T) {
	f, err := Parse(`#define A int
#pragma push_macro("A")
#pragma push_macro("B")
#undef A
#define A float
#define B double
__global__ void inner(A a, B b) {}
#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("C")
__global__ void outer(A a, B b) {}`)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, k := range f.Kernels {
		got += k.Name
		for _, p := range k.Params {
			got += " " + p.Type
		}
		got += "; "
	}
	if want := "inner float double; outer int B; "; got != want {
		t.Errorf("the kernels are %q, want %q", got, want)
	}
}
