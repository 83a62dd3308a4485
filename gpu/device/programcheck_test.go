package device

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// defects are the programs of testdata whose kernels have some, with what check mode finds.
var defects = map[string]string{
	"fault.cu": "[4: out of bounds]",
	"roles.cu": "[22: divergent barrier, 34: divergent barrier]", // undefined by CUDA's guide, and right on GPUs
}

// skipSome skips three of four programs, whose compilation for check mode takes seconds, unless GOPHERWARP_PROGRAMS is "all".
func skipSome(t *testing.T, name string) {
	t.Helper()
	if os.Getenv("GOPHERWARP_PROGRAMS") != "all" && crc32.ChecksumIEEE([]byte(name))%4 != 0 {
		t.Skip("SKIPPED: `make test-kernels` runs all programs in check mode")
	}
}

// TestCheckedPrograms runs the programs of testdata in check mode, which accuses right ones of nothing.
func TestCheckedPrograms(t *testing.T) {
	eachProgram(t, func(t *testing.T, name, text string) {
		if defects[name] == "" {
			skipSome(t, name)
		}
		wantStatus, args, want := expected(t, text)
		file := filepath.Join(t.TempDir(), "report.json")
		status, stdout, stderr := runProgramOn(t, "sim", []string{"--check", "--report", file}, append([]string{source(t, text)}, args...)...)
		wantFound := "[]"
		if found := defects[name]; found != "" { // the program goes on in another way
			wantFound, wantStatus, want = found, 1, stdout
		}
		if status != wantStatus || stdout != want {
			t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
		var report backend.Report
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &report)
		}
		if got := kindsByLine(report); err != nil || got != wantFound {
			t.Errorf("found %s in %d launches (%v), want %s: %+v", got, report.Launches, err, wantFound, report.Findings)
		}
	})
}

// kindsByLine returns the defects of a report, warnings aside.
func kindsByLine(r backend.Report) string {
	list := []string{}
	for _, f := range r.Findings {
		if !f.Warning {
			list = append(list, fmt.Sprintf("%d: %s", f.Line, f.Kind))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// TestCheckedProgramFindings tells by the exit status and on standard error what check mode finds.
func TestCheckedProgramFindings(t *testing.T) {
	files := map[string]string{
		"past.cu": `__global__ void k(int *o) { o[threadIdx.x] = 1; }
int main() {
    int *o;
    cudaMalloc(&o, 40);
    k<<<1, 64>>>(o);
    return cudaDeviceSynchronize();
}
`,
		"warp.cu": `__global__ void k(int *o) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
    }
    o[t] = s[t];
}
int main() {
    int *o;
    cudaMalloc(&o, 256);
    k<<<1, 64>>>(o);
    return cudaDeviceSynchronize();
}
`,
		"early.cu": `__global__ void k(int *o) {
    if (threadIdx.x > 40)
        return;
    __syncthreads();
    *o = 1;
}
int main() {
    int *o;
    cudaMalloc(&o, 4);
    k<<<1, 64>>>(o);
    return cudaDeviceSynchronize();
}
`,
		"ended.cu": `__global__ void fill(int *o, int *nowhere) {
    if (threadIdx.x == 1)
        *nowhere = 1;
    o[threadIdx.x] = 1;
}
__global__ void twice(int *o) { o[threadIdx.x] *= 2; }
int main() {
    int *o;
    cudaMalloc(&o, 256);
    fill<<<1, 64>>>(o, nullptr);
    twice<<<1, 64>>>(o);
    return cudaDeviceSynchronize();
}
`,
		"devices.cu": `__global__ void k(int *o, int i) { o[i] = 1; }
__global__ void l(int *o, int i) { o[i] = 1; }
int main() {
    for (int i = 0; i < 2; i++) {
        int *o;
        cudaSetDevice(i);
        cudaMalloc(&o, 4);
        if (i == 0)
            k<<<1, 1>>>(o, 1);
        else
            l<<<1, 1>>>(o, 0);
    }
    return cudaDeviceSynchronize();
}
`,
		"included.cu": `#include "lib/kernels.cuh"
#include <cstdlib>
int main() {
    int *o;
    cudaMalloc(&o, 40);
    k<<<1, 64>>>(o);
    early<<<1, 64>>>(o);
    exit(0);
}
`,
		"layers.cu": `__global__ void k(cudaSurfaceObject_t s) {
    surf2DLayeredwrite(1.0f, s, 4 * threadIdx.x, 0, blockIdx.x);
}
__global__ void look(cudaTextureObject_t t, float *o) {
    *o = texCubemap<float>(t, 1, 0, 0);
}
int main() {
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 3), cudaArrayLayered);
    cudaResourceDesc w = {};
    w.res.array.array = a;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &w);
    float *o;
    cudaMalloc(&o, 4);
    k<<<3, 5>>>(s);
    k<<<4, 4>>>(s);
    look<<<1, 1>>>(s, o);
    return cudaDeviceSynchronize();
}
`,
		"dynamic.cu": `__global__ void k(int *o) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    o[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void two(int *o) {
    __shared__ int t[8];
    if (threadIdx.x < 8)
        t[threadIdx.x] = 2;
    __syncthreads();
    if (threadIdx.x == 0)
        *o = t[3];
}
int main() {
    int *o;
    cudaMalloc(&o, 128);
    k<<<1, 32>>>(o);
    two<<<1, 32>>>(o);
    return cudaDeviceSynchronize();
}
`,
		"far.cu": `__global__ void k(int n, int *o) {
    __shared__ int s[500];
    for (int i = 0; i < n; i++)
        s[i] = i;
    *o = s[7];
}
int main() {
    int *o;
    cudaMalloc(&o, 4);
    k<<<1, 1>>>(40000000, o);
    return cudaDeviceSynchronize();
}
`,
		"matrix.cu": `__global__ void load(unsigned *o, int shift) {
    __shared__ __align__(16) unsigned short s[512];
    for (int i = threadIdx.x; i < 512; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    unsigned r, at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x * 8 + shift]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at));
    o[threadIdx.x] = r;
}
int main() {
    unsigned *o;
    cudaMalloc(&o, 128);
    load<<<1, 32>>>(o, 0);
    load<<<1, 32>>>(o, 4);
    return cudaDeviceSynchronize();
}
`,
		"lib/kernels.cuh": `#pragma once
#include "store.h"
__global__ void k(int *o) {
    store(o, threadIdx.x);
}
__global__ void early(int *o) {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
}
`,
		"lib/store.h": `__device__ inline void store(int *o, int i) {
    o[i] = i;
}
`,
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, part := range map[string]string{"findings.sarif": `"uri": "lib/store.h"`, "findings.xml": `type="out-of-bounds"`, "findings.json": `"Launches":2`} {
		status, _, stderr := runProgramOn(t, "sim", []string{"--check", "--report", file}, "included.cu")
		text, err := os.ReadFile(file)
		if err != nil || status != 1 || !strings.Contains(string(text), part) {
			t.Errorf("--report %s: status %d, %v, written\n%s\nwithout %s", file, status, err, text, part)
		}
		if printed := strings.Contains(stderr, "check mode: 2 defects"); printed != (file != "findings.json") {
			t.Errorf("--report %s: printed %q", file, stderr)
		}
	}
	tests := []struct {
		program string
		status  int
		want    []string // lines of standard error, at least their beginnings
	}{
		{"past.cu", 1, []string{"past.cu:1: out of bounds in k: thread (10,0,0)", "check mode: 1 defect found in 1 launch"}},
		{"warp.cu", 1, []string{
			"warp.cu:7: race in k: thread (16,0,0) of block (0,0,0) writes s[16], which thread (0,0,0) reads on line 8, with no __syncwarp() between",
			"warp.cu:8: race in k: thread (16,0,0) of block (0,0,0) writes s[16], which thread (0,0,0) reads on line 8, with no __syncwarp() between",
			"check mode: 2 defects found in 1 launch",
		}},
		{"early.cu", 0, []string{"early.cu:4: warning: exit before a barrier in k", "check mode: no defects and 1 warning found in 1 launch"}},
		{"ended.cu", 1, []string{"ended.cu:3: null pointer in fill: thread (1,0,0)", "check mode: 1 defect found in 2 launches"}},
		{"dynamic.cu", 1, []string{
			"dynamic.cu:3: out of bounds in k: thread (0,0,0) of block (0,0,0) writes s, but the launch gives no dynamic shared memory: <<<grid, block, bytes>>> does (32 times)",
			"dynamic.cu:5: out of bounds in k: thread (0,0,0) of block (0,0,0) reads s, but the launch",
			"check mode: 2 defects found in 2 launches",
		}},
		{"far.cu", 1, []string{
			"far.cu:4: out of bounds in k: thread (0,0,0) of block (0,0,0) writes s[500]", "far.cu:4: fault in k: thread (0,0,0) of block (0,0,0): a write far behind the end of shared memory",
			"check mode: 2 defects found in 1 launch",
		}},
		{"devices.cu", 1, []string{"devices.cu:1: out of bounds in k: thread (0,0,0)", "check mode: 1 defect found in 2 launches"}},
		{"layers.cu", 1, []string{
			"layers.cu:2: fault in k: thread (4,0,0) of block (0,0,0): :2: surface access: assertion `the place lies in the surface",
			"layers.cu:5: fault in look: thread (0,0,0) of block (0,0,0): :5: texCubemap: assertion `it reads cubes",
			"check mode: 2 defects found in 3 launches",
		}},
		{"matrix.cu", 1, []string{
			"matrix.cu:7: fault in load: thread (0,0,0) of block (0,0,0): :7: ldmatrix: assertion `a row of a matrix begins at a multiple of 16 bytes` failed",
			"check mode: 1 defect found in 2 launches",
		}},
		{"included.cu", 1, []string{
			"lib/store.h:2: out of bounds in k: thread (10,0,0)", "lib/kernels.cuh:10: divergent barrier in early: thread (32,0,0)",
			"check mode: 2 defects found in 2 launches",
		}},
	}
	for _, test := range tests {
		status, _, stderr := runProgramOn(t, "sim:t4x2", []string{"--check"}, test.program)
		lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
		matches := len(lines) == len(test.want)
		for i := range min(len(lines), len(test.want)) {
			matches = matches && strings.HasPrefix(lines[i], test.want[i])
		}
		if status != test.status || !matches {
			t.Errorf("%s: status %d, want %d; standard error:\n%s\nwant\n%s", test.program, status, test.status, stderr, strings.Join(test.want, "\n"))
		}
	}
}

// TestCheckedProgramOfSeveralFiles finds defects in each file of a program, by its name.
func TestCheckedProgramOfSeveralFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"main.cu": `#include "lib/twice.h"
#include <cstdio>
__global__ void fill(int *x, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x] + n;
}
int main(int n, char **) {
    int *x, h[64];
    cudaMalloc(&x, sizeof h);
    fill<<<1, 64>>>(x, 1);
    twice(x, n == 1 ? 64 : 65);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s %d\n", name(), n == 1 ? h[5] : 0);
}
`,
		"lib/twice.cu": `#include "twice.h"
__global__ void scale(int *x, int n) {
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    x[n - 1 - i] = 2 * s[n - 1 - i];
}
void twice(int *x, int n) { scale<<<1, n>>>(x, n); }
`,
		"lib/twice.h":  "void twice(int *x, int n);\nconst char *name();\n",
		"lib/name.cpp": "#include \"twice.h\"\nconst char *name() { return \"host\"; }\n",
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"main.cu", "lib/twice.cu", "lib/name.cpp"}
	if status, stdout, stderr := runProgramOn(t, "sim", []string{"--check"}, all...); status != 0 || stdout != "host 118\n" || !strings.Contains(stderr, "no defects found in 2 launches") {
		t.Errorf("status %d, printed %q; standard error:\n%s", status, stdout, stderr)
	}
	status, _, stderr := runProgramOn(t, "sim", []string{"--check"}, append(all, "wrong")...)
	if status != 1 || !strings.Contains(stderr, "lib/twice.cu:5: out of bounds in scale: thread (64,0,0)") {
		t.Errorf("status %d; standard error:\n%s", status, stderr)
	}
}
