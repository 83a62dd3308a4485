package sim

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

const treeSum = `__device__ float twice(float v) {
    return v + v;
}

__global__ void sum(const float *x, float *out) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = twice(x[t]);
    __syncthreads();
    for (int n = 32; n > 0; n /= 2) {
        if (t < n)
            part[t] += part[t + n];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
`

// record returns the trace of a launch of one kernel with buffers of words, whose names are those of its parameters.
func record(t *testing.T, source, kernel string, grid, block uint32, blocks backend.Blocks, buffers ...backend.View) *trace.Trace {
	t.Helper()
	r := newCheckRig(t)
	r.loadProgram(backend.Program{Name: "program.cu", Source: source, Check: true, Record: true})
	_, err := r.d.Function(1, r.mods, kernel)
	check(t, err)
	var args []byte
	for i := range buffers {
		v := &buffers[i]
		v.Addr = r.alloc(v.Size)
		data := make([]byte, 0, v.Size)
		for k := range v.Size / 4 {
			if v.Type == "float32" {
				data = appendFloat(data, float32(k))
			} else {
				data = binary.LittleEndian.AppendUint32(data, uint32(k))
			}
		}
		r.write(v.Addr, data)
		args = binary.LittleEndian.AppendUint64(args, v.Addr)
	}
	check(t, r.Views(buffers, blocks))
	check(t, r.d.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}, Args: args}))
	report, err := r.Report()
	check(t, err)
	if len(report.Traces) != 1 {
		t.Fatalf("%d traces: %s", len(report.Traces), report.Note)
	}
	recorded, err := trace.Decode(report.Traces[0].Data)
	check(t, err)
	return recorded
}

func floats(name string, n int) backend.View {
	return backend.View{Name: name, Size: uint64(4 * n), Elem: 4, Type: "float32"}
}

// script returns the steps of a warp as "line/mask" and their accesses, as "r part[3 1 5]=…".
func script(tr *trace.Trace, block, warp int) string {
	w := tr.Blocks[block].Warps[warp]
	var b strings.Builder
	for i := range w.Lines {
		fmt.Fprintf(&b, "%d/%08x", tr.Lines[w.Lines[i]].Line, w.Masks[i])
		for _, a := range w.Accesses {
			if a.Step != i {
				continue
			}
			name := "nowhere"
			if a.Memory >= 0 {
				name = tr.Memory[a.Memory].Name
			}
			fmt.Fprintf(&b, " %s %s%v", a.Op, name, a.Words)
			if a.Stride != nil {
				fmt.Fprintf(&b, "+%d", *a.Stride)
			}
			fmt.Fprintf(&b, "=%v", a.Values[:min(len(a.Values), 2)])
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRecord(t *testing.T) {
	tr := record(t, treeSum, "sum", 3, 64, backend.Blocks{First: 1, N: 1}, floats("x", 64), floats("out", 3))
	if len(tr.Blocks) != 1 || tr.Blocks[0].Index != [3]int{1, 0, 0} || len(tr.Blocks[0].Warps) != 2 {
		t.Fatalf("blocks %+v", tr.Blocks)
	}
	const want = `7/ffffffff
8/ffffffff r x[0]+1=[0 1]
2/ffffffff
3/ffffffff
8/ffffffff w part[0]+1=[0 2]
10/ffffffff
11/ffffffff
12/ffffffff r part[0]+1=[0 2] r part[32]+1=[64 66] w part[0]+1=[64 68]
10/ffffffff
11/ffffffff
12/0000ffff r part[0]+1=[64 68] r part[16]+1=[128 132] w part[0]+1=[192 200]
10/ffffffff
11/ffffffff
12/000000ff r part[0]+1=[192 200] r part[8]+1=[256 264] w part[0]+1=[448 464]
10/ffffffff
11/ffffffff
12/0000000f r part[0]+1=[448 464] r part[4]+1=[512 528] w part[0]+1=[960 992]
10/ffffffff
11/ffffffff
12/00000003 r part[0]+1=[960 992] r part[2]+1=[1024 1056] w part[0]+1=[1984 2048]
10/ffffffff
11/ffffffff
12/00000001 r part[0]=[1984] r part[1]=[2048] w part[0]=[4032]
10/ffffffff
15/ffffffff
16/00000001 r part[0]=[4032] w out[1]=[4032]
17/ffffffff
`
	if got := script(tr, 0, 0); got != want {
		t.Errorf("warp 0:\n%s", got)
	}
	// The second warp runs no line 12.
	if got := script(tr, 0, 1); strings.Contains(got, "12/") || strings.Count(got, "11/ffffffff") != 6 {
		t.Errorf("warp 1:\n%s", got)
	}
	if b := tr.Blocks[0]; len(b.Barriers) != 7 || b.Ticks != len(tr.Blocks[0].Warps[0].Lines) {
		t.Errorf("barriers %v, %d ticks", b.Barriers, b.Ticks)
	}
	if want := []string{"1 of 3 blocks are recorded"}; !slices.Equal(tr.Notes, want) {
		t.Errorf("notes %q", tr.Notes)
	}
	for i, want := range []string{"x global float32 0 8 16 24 32 40 48 56", "part shared float32 0 32", "out global float32 0"} {
		m := tr.Memory[i]
		if got := strings.Join([]string{m.Name, m.Space, m.Type, strings.Trim(fmt.Sprint(m.Rows), "[]")}, " "); got != want {
			t.Errorf("memory %q, want %q", got, want)
		}
	}
	if got := fmt.Sprint(tr.Memory[2].Values[:4], tr.Memory[1].Values[:2]); got != "[0 1 2 <nil>] [<nil> <nil>]" {
		t.Errorf("values before the launch: %s", got)
	}
}

// TestRecordOthers records kernels whose steps are not all alike.
func TestRecordOthers(t *testing.T) {
	for _, c := range []struct {
		name, source string
		block        uint32
		want         string // of the first warp
		findings     string // kinds and lines
	}{
		{
			"divergence", `__global__ void k(float *x) {
    int i = threadIdx.x;
    if (i % 2 == 0)
        x[i] = 1;
    else
        x[i] = 2;
    x[i] += 1;
}
`, 4, `2/0000000f
3/0000000f
4/00000005 w x[0]+2=[1]
6/0000000a w x[1]+2=[2]
7/0000000f r x[0]+1=[1 2] w x[0]+1=[2 3]
8/0000000f
`, "",
		},
		{
			"a loop in one line, of different length", `__global__ void k(int *x) {
    for (int i = 0; i < threadIdx.x; i++) x[threadIdx.x] += i;
}
`, 3, `2/00000007
2/00000006 r x[1]+1=[1 2] w x[1]+1=[1 2]
2/00000004 r x[2]=[2] w x[2]=[3]
3/00000007
`, "",
		},
		{
			"divergence at the end, and a break", `__global__ void k(float *x) {
    for (;;) {
        x[threadIdx.x] += 1;
        if (threadIdx.x == 0)
            break;
        if (x[threadIdx.x] > 2)
            break;
    }
    if (threadIdx.x == 1)
        x[1] = 7;
    else
        x[threadIdx.x] = 8;
}
`, 2, `3/00000003 r x[0]+1=[0 1] w x[0]+1=[1 2]
4/00000003
6/00000002 r x[1]=[2]
3/00000002 r x[1]=[2] w x[1]=[3]
4/00000002
6/00000002 r x[1]=[3]
5/00000001
7/00000002
9/00000003
10/00000002 w x[1]=[7]
12/00000001 w x[0]=[8]
13/00000003
`, "",
		},
		{
			"one line", "__global__ void k(float *x) { x[threadIdx.x] = 5; }\n", 2, `1/00000003 w x[0]+1=[5]
`, "",
		},
		{
			"atomics and shuffles", `__global__ void k(int *x) {
    int v = atomicAdd(&x[0], 1);
    v = __shfl_xor_sync(0xffffffff, v, 1);
    x[1 + threadIdx.x] = v;
}
`, 32, `2/ffffffff a x[0]+0=[1 2]
3/ffffffff
4/ffffffff w x[1]+1=[1 0]
5/ffffffff
`, "",
		},
		{
			"a race", `__global__ void k(int *x) {
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[63 - threadIdx.x];
}
`, 64, "", "race 3, race 4",
		},
		{
			"out of bounds", `__global__ void k(int *x) {
    x[threadIdx.x + 62] = 3;
}
`, 4, `2/0000000f w x[62]+1=[3] w nowhere[`, "out of bounds 2",
		},
		{
			"vectors", `__global__ void k(float4 *x) {
    float4 v = x[threadIdx.x];
    x[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}
`, 2, "", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			view := backend.View{Name: "x", Size: 256, Elem: 4, Type: "int32"}
			if strings.Contains(c.source, "float") {
				view.Type = "float32"
			}
			tr := record(t, c.source, "k", 1, c.block, backend.Blocks{N: 1}, view)
			if got := script(tr, 0, 0); !strings.HasPrefix(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			var findings []string
			for _, f := range tr.Findings {
				findings = append(findings, fmt.Sprintf("%s %d", f.Kind, f.Line))
			}
			if got := strings.Join(findings, ", "); got != c.findings {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
		})
	}
}

// TestRecordLocals records the variables of functions at -O0: they are shown after their declarations, and while they are in scope.
func TestRecordLocals(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: variables are recorded on amd64 only")
	}
	const source = `struct pair { int a; float b; };
__device__ int twice(int v) {
    int w = 2 * v;
    return w;
}
__global__ void k(int *x) {
    pair p = {7, 1.5f};
    const short s[3] = {1, -2, 3};
    for (int j = 0; j < 2; j++) {
        int v = twice(j + p.a);
        x[threadIdx.x] += v + s[j];
    }
    bool done;
    done = true;
    {
        unsigned char done = 200;
        x[threadIdx.x] += done;
    }
    x[threadIdx.x] += done;
}
`
	view := backend.View{Name: "x", Size: 16, Elem: 4, Type: "int32"}
	tr := record(t, source, "k", 1, 4, backend.Blocks{N: 1, Locals: true}, view)
	var b strings.Builder
	for _, s := range tr.Thread(0, 3, 100) {
		fmt.Fprintf(&b, "%s:%d", s.Function, s.Line.Line)
		for _, v := range s.Locals {
			switch {
			case v.Name == "x":
			case v.Name == "done" && s.Line.Line == 14:
				b.WriteString(" done without a value")
			default:
				fmt.Fprintf(&b, " %s %s=%s", v.Type, v.Name, v.Value)
			}
		}
		b.WriteString("\n")
	}
	const before = "pair p={a: 7, b: 1.5} const short int[3] s={1, -2, 3}"
	want := strings.ReplaceAll(`k:7
k:8 pair p={a: 7, b: 1.5}
k:9 ALL
k:10 ALL int j=0
twice:3 int v=7
twice:4 int v=7 int w=14
twice:5 int v=7 int w=14
k:11 ALL int j=0 int v=14
k:9 ALL int j=0
k:10 ALL int j=1
twice:3 int v=8
twice:4 int v=8 int w=16
twice:5 int v=8 int w=16
k:11 ALL int j=1 int v=16
k:9 ALL int j=1
k:14 ALL done without a value
k:16 ALL bool done=true
k:17 ALL bool done=true unsigned char done=200
k:19 ALL bool done=true
k:20 ALL bool done=true
`, "ALL", before)
	// Newer releases of g++ have code for the line of a kernel's declaration, too.
	if got := strings.TrimPrefix(b.String(), "k:6\n"); got != want {
		t.Errorf("the thread had\n%swant\n%s", got, want)
	}
	if tr := record(t, source, "k", 1, 4, backend.Blocks{N: 1}, view); len(tr.Blocks[0].Warps[0].Frames) != 0 {
		t.Error("variables are recorded although nobody asked for them")
	}
}
