package check

import "testing"

// A long list is cut.
func TestCheckError(t *testing.T) {
	var r Report
	for i := range 8 {
		r.Findings = append(r.Findings, Finding{Kind: Race, Program: "p", Line: i + 1, Kernel: "k", Message: "m"})
	}
	r.Findings[7].Warning = true
	want := "check mode found 7 defects:\n"
	for _, line := range []string{"1", "2", "3", "4", "5"} {
		want += "p:" + line + ": race in k: thread (0,0,0) of block (0,0,0) m\n"
	}
	if got := r.Err().Error(); got != want+"and 2 more" {
		t.Errorf("got %s", got)
	}
}

func TestSkips(t *testing.T) {
	for _, c := range []struct {
		name, source string
		line         int
		want         bool
	}{
		{"branch", "__global__ void k() {\n if (x) __syncthreads(); }", 2, true},
		{"return", "__global__ void k() {\n if (y) return;\n __syncthreads(); }", 3, false},
		{"return in a comment", "__global__ void k() { // return\n /* return */ puts(\"return\");\n __syncthreads(); }", 3, true},
		{"another kernel's return", "__global__ void a() { return; }\n__global__ void k() {\n __syncthreads(); }", 3, true},
		{"device function", "__device__ void k() {\n __syncthreads(); }", 2, false},
		{"macro", "#define LEAVE return\n__global__ void k() {\n LEAVE; __syncthreads(); }", 3, false},
		{"no such line", "__global__ void k() {}", 7, false},
	} {
		if got := skips(c.source, c.line); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
