package inspect

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

func TestUsage(t *testing.T) {
	const log = `cell[1].cu(3): warning #177-D: variable "x" was declared but never referenced
ptxas info    : 8 bytes gmem, 16 bytes cmem[3]
ptxas info    : Compiling entry function '_Z3sumPKfPf' for 'sm_90'
ptxas info    : Function properties for _Z3sumPKfPf
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Function properties for _Z6helperi
ptxas         .     96 bytes stack frame, 72 bytes spill stores, 72 bytes spill loads
ptxas info    : Compiling entry function '_Z5spillPf' for 'sm_90'
ptxas info    : Function properties for _Z5spillPf
ptxas         .     40 bytes stack frame, 48 bytes spill stores, 52 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 360 bytes cmem[0]
`
	want := map[string]backend.Resources{
		"_Z3sumPKfPf": {Registers: 12, Barriers: 1, Shared: 1024},
		"_Z5spillPf":  {Registers: 24, Stack: 40, SpillStores: 48, SpillLoads: 52},
	}
	if got := usage(log); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadPTX(t *testing.T) {
	const ptx = `.version 9.0
.target sm_90
.weak .entry _Z5firstv(
	.param .u64 p
)
{
	ret;
}
.visible .entry _Z6secondi(
	.param .u32 n
)
.maxntid 32, 4, 1
{
	.reg .pred 	%p<2>;
	.loc	1 3 0
	ld.param.u32 	%r1, [n];
	.loc	1 0 5
	mov.u32 	%r2, 0;

$L__BB0_1:
	.loc	1 4 9
	{ // callseq 0, 0
	call.uni helper;
	} // callseq 0
	.loc	2 7 1, function_name $L__info_string0, inlined_at 1 4 9
	ret;

}
	.file	1 "/home/ada/cell[2].cu"
	.file	2 "/usr/include/cuda_fp16.hpp"
`
	got := readPTX([]byte(ptx), "cell[2].cu")
	const cell, header = "cell[2].cu", "/usr/include/cuda_fp16.hpp"
	want := map[string]ptxKernel{
		"_Z5firstv": {code: []backend.Instruction{{Address: -1, Text: "ret;"}}},
		"_Z6secondi": {maxThreads: 128, code: []backend.Instruction{
			{Address: -1, Text: "ld.param.u32 \t%r1, [n];", File: cell, Line: 3},
			{Address: -1, Text: "mov.u32 \t%r2, 0;"},
			{Address: -1, Text: "$L__BB0_1:", File: cell, Line: 4},
			{Address: -1, Text: "{ // callseq 0, 0", File: cell, Line: 4},
			{Address: -1, Text: "call.uni helper;", File: cell, Line: 4},
			{Address: -1, Text: "} // callseq 0", File: cell, Line: 4},
			{Address: -1, Text: "ret;", File: header, Line: 7},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadSASS(t *testing.T) {
	const listing = `	.target	sm_90

//--------------------- .text._Z3sumPf         --------------------------
	.section	.text._Z3sumPf,"ax",@progbits
	.align	128
        .global         _Z3sumPf
_Z3sumPf:
.text._Z3sumPf:
	//## File "/home/ada/cell[2].cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
	//## File "/home/ada/cell[2].cu", line 5
        /*0010*/              @!P0 EXIT ;
        /*0020*/               @P1 BRA ` + "`(.L_x_1)" + ` ;
.L_x_0:
        /*0030*/                   BRA ` + "`(.L_x_0)" + `;
        /*0040*/                   NOP;
        /*0050*/                   NOP;
.L_x_7:

//--------------------- .text._Z5otherv         --------------------------
_Z5otherv:
.text._Z5otherv:
        /*0000*/                   EXIT ;
`
	got := readSASS(listing, "cell[2].cu")
	const cell = "cell[2].cu"
	want := map[string][]backend.Instruction{
		"_Z3sumPf": {
			{Address: 0, Text: "LDC R1, c[0x0][0x28]", File: cell, Line: 3},
			{Address: -1, Text: ".L_x_1:", File: cell, Line: 5},
			{Address: 0x10, Text: "@!P0 EXIT", File: cell, Line: 5},
			{Address: 0x20, Text: "@P1 BRA `(.L_x_1)", File: cell, Line: 5},
		},
		"_Z5otherv": {{Address: 0, Text: "EXIT"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// translator needs NVRTC and no GPU.
func translator(t *testing.T) *driver.Translator {
	t.Helper()
	tr, err := driver.NewTranslator(0)
	if err != nil && os.Getenv("GOPHERWARP_NEED_NVRTC") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return tr
}

const program = `template <typename T> __global__ void scale(T *x, T a) { x[threadIdx.x] *= a; }
__constant__ float coef[100];
__global__ void __launch_bounds__(128) sum(const float *x, float *y) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x] * coef[threadIdx.x % 100];
    __syncthreads();
    y[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void hungry(float *x) {
    float v[64];
    for (int i = 0; i < 64; i++) v[i] = x[i * 32 + threadIdx.x];
    for (int r = 0; r < 9; r++)
#pragma unroll
        for (int i = 0; i < 64; i++) v[i] = v[i] * v[(i * 7 + 3) % 64];
    for (int i = 0; i < 64; i++) x[i * 32 + threadIdx.x] = v[i];
}
`

// TestProgram looks at what the real compiler makes.
func TestProgram(t *testing.T) {
	tr := translator(t)
	p := backend.Program{Name: "cell[7].cu", Source: program, Kernels: []string{"sum", "hungry", "scale<double>"}, Options: []string{"--maxrregcount=24"}}
	b, err := Program(context.Background(), tr, p, 90, false)
	if err != nil {
		t.Fatal(err)
	}
	if b.Arch != "sm_90" || !strings.HasPrefix(b.Compiler, "NVRTC ") || len(b.Kernels) != 3 {
		t.Fatalf("%s, %s, %d kernels", b.Arch, b.Compiler, len(b.Kernels))
	}
	sum := kernelOf(t, b, "sum")
	logs := sum.Resources.SpillStores != backend.Unknown // some releases of NVRTC do not say it
	if r := sum.Resources; r.Shared != 512 || r.Barriers != 1 && logs || r.MaxThreads != 128 || r.Registers < 4 || r.Registers > 24 || r.SpillStores != 0 && logs || r.Constant < 400 {
		t.Errorf("sum takes %+v", r)
	}
	if r := kernelOf(t, b, "hungry").Resources; r.Registers != 24 || r.SpillStores == 0 || r.SpillLoads == 0 || r.Stack == 0 || r.MaxThreads != 0 {
		t.Errorf("hungry takes %+v, and should have too few registers", r)
	}
	barrier := slices.IndexFunc(sum.PTX, func(i backend.Instruction) bool { return strings.Contains(i.Text, "bar") })
	if barrier < 0 || sum.PTX[barrier].File != "cell[7].cu" || sum.PTX[barrier].Line != 6 {
		t.Errorf("the PTX has its barrier at %d of %+v", barrier, sum.PTX)
	}
	if len(kernelOf(t, b, "scale<double>").PTX) == 0 {
		t.Error("the instance of the template has no PTX")
	}
	if sum.SASS != nil || b.SASSProblem != "" {
		t.Error("there is SASS that nobody asked for")
	}

	for _, cc := range []int{75, 80, 90, 100} {
		code, err := tr.Translate(p, cc)
		if err != nil {
			t.Fatal(err)
		}
		inCubin := used(code.Cubin, cc)
		for symbol, r := range usage(code.Log) {
			if c := inCubin[symbol]; c.Registers != r.Registers || c.Stack != r.Stack || c.Shared != r.Shared {
				t.Errorf("%s for %d: the log says %+v, the cubin %+v", symbol, cc, r, c)
			}
		}
	}

	p.Options = []string{"--gpu-architecture=compute_80"}
	if b, err = Program(context.Background(), tr, p, 90, true); err != nil {
		t.Fatal(err)
	}
	if r := kernelOf(t, b, "sum").Resources; b.Arch != "compute_80" || r.Registers != backend.Unknown || r.MaxThreads != 128 || !strings.Contains(b.SASSProblem, "only made PTX") {
		t.Errorf("for a virtual architecture: %s, %+v, %q", b.Arch, r, b.SASSProblem)
	}
}

func TestProgramSASS(t *testing.T) {
	tr := translator(t)
	p := backend.Program{Name: "cell[7].cu", Source: program, Kernels: []string{"sum"}}
	for _, cc := range []int{80, 90} {
		b, err := Program(context.Background(), tr, p, cc, true)
		if err != nil {
			t.Fatal(err)
		}
		if driver.FindTool("nvdisasm") == "" {
			if !strings.Contains(b.SASSProblem, "pip install nvidia-cuda-nvdisasm") {
				t.Errorf("without nvdisasm: %q", b.SASSProblem)
			}
			t.Skip("SKIPPED: there is no nvdisasm")
		}
		sum := kernelOf(t, b, "sum")
		barrier := slices.IndexFunc(sum.SASS, func(i backend.Instruction) bool { return strings.HasPrefix(i.Text, "BAR") })
		if barrier < 0 || sum.SASS[barrier].File != "cell[7].cu" || sum.SASS[barrier].Line != 6 || sum.SASS[barrier].Address <= 0 {
			t.Errorf("%s: the barrier is at %d of %+v; %s", b.Arch, barrier, sum.SASS, b.SASSProblem)
		}
		if last := sum.SASS[len(sum.SASS)-1]; strings.HasPrefix(last.Text, "NOP") {
			t.Errorf("%s: the padding is still there: %+v", b.Arch, last)
		}
	}
}

func TestProgramThatDoesNotCompile(t *testing.T) {
	_, err := Program(context.Background(), translator(t), backend.Program{Name: "cell[7].cu", Source: "__global__ void k() { x = 1; }"}, 90, false)
	if _, ok := err.(*backend.CompileError); !ok || !strings.Contains(err.Error(), "cell[7].cu(1)") {
		t.Errorf("got %v", err)
	}
}

func kernelOf(t *testing.T, b *backend.Build, name string) backend.BuiltKernel {
	t.Helper()
	for _, k := range b.Kernels {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("there is no kernel %s in %+v", name, b.Kernels)
	return backend.BuiltKernel{}
}
