package loopsplit

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestLocalArrays checks which shared arrays are local variables of the function for a block. One that keeps its elements from round to round
// of a loop or outlives its block, whose place the program may ask for, or that other blocks may reach is none.
func TestLocalArrays(t *testing.T) {
	const kernel = "__global__ void k(int *x) {\n"
	tests := []struct {
		name, source string
		local        bool
	}{
		{"array", kernel + "__shared__ int s[32]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[31 - threadIdx.x]; }", true},
		{"array of pointers", kernel + "static __shared__ const int *s[4][8]; s[threadIdx.y][threadIdx.x] = x; __syncthreads(); x[threadIdx.x] = *s[0][threadIdx.x]; }", true},
		{"address given to a function", "__device__ int first(const int *p) { return *p; }\n" + kernel + "__shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = first(s); }", true},
		{"array of a template", "template <typename T, int n> __global__ void k(T *x) { __shared__ T s[n > 3 ? n : 3]; s[threadIdx.x] = x[0]; __syncthreads(); x[0] = s[1]; }", true},
		{"number", kernel + "__shared__ int s; if (threadIdx.x == 0) s = x[0]; __syncthreads(); x[threadIdx.x] = s; }", false},
		{"dynamic array", kernel + "extern __shared__ int s[]; s[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = s[0]; }", false},
		{"in a loop", kernel + "for (int i = 0; i < 3; i++) { __shared__ int s[32]; s[threadIdx.x] += i; __syncthreads(); x[threadIdx.x] = s[0]; } }", false},
		{"outlives its block", kernel + "int *p; { __shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); p = s; } __syncthreads(); x[threadIdx.x] = p[0]; }", false},
		{"aligned", kernel + "__shared__ alignas(256) int s[32]; s[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = s[0]; }", false},
		{"address as a number", kernel + "__shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = (int)__cvta_generic_to_shared(s); }", false},
		{"space of an address", kernel + "__shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = __isShared(s); }", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := cudac.Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			got := Splits(f, "", "k.cu", nil)
			if len(got) != 1 || got[0].Reason != "" {
				t.Fatalf("not split: %+v", got)
			}
			if local := strings.Contains(got[0].Text, "gwsim::lanes::inside("); local != tt.local {
				t.Errorf("local is %v, want %v: %s", local, tt.local, got[0].Text)
			}
		})
	}
}

// TestAhead checks for which elements those of the next block are fetched: those that are assigned to, by a parameter that stays as it is.
func TestAhead(t *testing.T) {
	const kernel = "__global__ void k(const int *x, int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
	for body, want := range map[string]int{
		"y[i] = x[i]; }":                                    1,
		"y[i] += x[i]; y[2 * i] = 3; }":                     1,
		"y[i + n] = x[i]; y[i] = x[i + 1]; }":               2,
		"y += n; __syncthreads(); y[i] = 1; }":              0,
		"y += threadIdx.x; __syncthreads(); y[i] = 1; }":    0,
		"__shared__ int s[64]; s[i] = x[i]; y[s[i]] = 1; }": 0,
	} {
		f, err := cudac.Parse(kernel + body)
		if err != nil {
			t.Fatal(err)
		}
		got := Splits(f, "", "k.cu", nil)
		if n := strings.Count(got[0].Text, "gwsim::lanes::ahead("); n != want || got[0].Reason != "" {
			t.Errorf("%s: %d, want %d: %+v", body, n, want, got[0])
		}
	}
}
