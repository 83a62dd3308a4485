package sim

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// elsewhere are faults with a message on amd64 only.
var elsewhere = map[string]string{
	"impossible address": "only amd64 has addresses that no memory can have",
	"division by zero":   "on this processor a division by zero gives 0; check mode finds it",
}

// TestKernelFaults checks the errors of kernels with faults, each on its own device: this process
// survives the faults, though a session would replace it.
func TestKernelFaults(t *testing.T) {
	tests := []struct {
		name, body string // of k(int *x, long n); x is device memory, n is 0
		code       int
		parts      []string
	}{
		{
			"wild write", "if (blockIdx.x == 2 && threadIdx.x == 33) x[1l << 36] = 1;", codeIllegalAddress,
			[]string{"kernel k,", "block (2,0,0)", "thread (33,0,0)", "access to address 0x1", ", at cell[7].cu:4 (%%cuda --check"},
		},
		{"null", "if (threadIdx.x == 7) *(volatile int *)n = 1;", codeIllegalAddress, []string{"thread (7,0,0)", "no memory"}},
		{"impossible address", "*(volatile int *)(n + (1l << 60)) = 1;", codeIllegalAddress, []string{"no memory can have"}},
		{"fault after a barrier", "__syncthreads(); if (threadIdx.x == 5) *(volatile int *)n = 1;", codeIllegalAddress, []string{"thread (5,0,0)", "at cell[7].cu:4"}},
		{
			"subscript that wraps around", "__shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); if (threadIdx.x == 3) x[0] = (s + 8)[~threadIdx.x];", codeIllegalAddress,
			[]string{"thread (3,0,0)", "are an address of shared memory", "signed", "at cell[7].cu:4"},
		},
		{"just behind the chunk", "x[1 << 18] = 1;", codeIllegalAddress, []string{"access to address 0x1"}},
		{"division by zero", "x[0] = 7 / (int)n;", codeLaunchFailed, []string{"integer division by zero"}},
		{"stack overflow", "x[0] = deep((int)n);", codeIllegalAddress, []string{"stack overflow"}},
		{"stack overflow of a fiber", "__syncthreads(); if (threadIdx.x == 9) x[0] = deep((int)n);", codeIllegalAddress, []string{"stack overflow", "thread (9,0,0)"}},
		{"assert", "assert(threadIdx.x < 3);", codeAssert, []string{"thread (3,0,0)", "cell[7].cu:4", "threadIdx.x < 3"}},
		{"assert of an element", "int i = blockIdx.x * blockDim.x + threadIdx.x;\nx[i] = threadIdx.x;\nassert(x[i] < 3);", codeAssert, []string{"thread (3,0,0)", "`x[i] < 3`"}},
		{"trap", "__trap();", codeLaunchFailed, []string{"__trap"}},
		{"illegal instruction", "if (n == 0) __builtin_trap();", codeIllegalInstruction, []string{"illegal instruction"}},
		{
			"different barriers", "if (threadIdx.x < 10)\n__syncthreads();\nelse\n__syncthreads();", codeLaunchFailed,
			[]string{"different barriers", "line 5", "line 7", "__syncthreads"},
		},
		{
			"barrier against shuffle", "if (threadIdx.x < 10)\n__syncthreads();\nelse\nx[0] = __shfl_sync(0xffffffff, 1, 0);", codeLaunchFailed,
			[]string{"can never go on", "10 threads wait at __syncthreads on line 5", "22 wait at __shfl_sync on line 7", "thread (0,0,0)"},
		},
		{"mask without the lane", "if (threadIdx.x == 4) __syncwarp(0xf);", codeLaunchFailed, []string{"0x0000000f does not name the calling lane 4"}},
		{"different masks", "__syncwarp(threadIdx.x % 2 ? 0xffffffff : 0x7fffffff);", codeLaunchFailed, []string{"same mask", "line 4"}},
		{"different operations", "if (threadIdx.x % 2) __syncwarp(); else __ballot_sync(0xffffffff, 1);", codeLaunchFailed, []string{"different operations"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if why := elsewhere[tt.name]; runtime.GOARCH != "amd64" && why != "" {
				t.Skip("SKIPPED: " + why)
			}
			d, l := prepare(t, "\n__device__ int deep(int n) { volatile char pad[3000]; pad[n % 3000] = n; return n == -1 ? 0 : deep(n + 1) + pad[n % 3000]; }\n"+
				"__global__ void k(int *x, long n) {\n"+tt.body+"\n}")
			err := d.Launch(l)
			var e *backend.Error
			if !errors.As(err, &e) || e.Code != tt.code || !e.Fatal || e.Name != codeNames[tt.code] {
				t.Fatalf("got %#v, want a fatal error with code %d", err, tt.code)
			}
			for _, part := range tt.parts {
				if !strings.Contains(e.Message, part) {
					t.Errorf("%q is missing in %q", part, e.Message)
				}
			}
			for what, again := range map[string]error{"Launch": d.Launch(l), "Sync": d.Sync(), "CopyHtoD": d.CopyHtoD(chunkBase, []byte{1}, 0)} {
				if again != e {
					t.Errorf("%s after the fault gives %v, want the fault", what, again)
				}
			}
		})
	}
}

// prepare compiles a kernel k(int *x, long n) and returns a launch of 4 blocks of 64.
func prepare(t *testing.T, source string) (backend.Device, *backend.Launch) {
	t.Helper()
	d, err := New().Open(0)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	img, err := d.Compile(backend.Program{Name: "cell[7].cu", Source: source})
	check(t, err)
	check(t, d.Load(1, img))
	_, err = d.Function(1, 1, "k")
	check(t, err)
	c, err := d.CreateChunk(1<<20, 0)
	check(t, err)
	t.Cleanup(func() { closeFD(c.FD) })
	args := make([]byte, 16)
	for i := range 8 {
		args[i] = byte(c.Addr >> (8 * i))
	}
	return d, &backend.Launch{Func: 1, Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}, Args: args}
}

// A fault outside kernels is not handled by the simulator: Go turns it into a panic.
func TestHostFaultsStayGo(t *testing.T) {
	d, err := New().Open(0)
	check(t, err)
	defer d.Close()
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), "nil pointer") {
			t.Errorf("recovered %v", r)
		}
	}()
	var p *[4]int
	p[len(os.Args)%4]++
}

// One block that hangs must not delay the report of another's fault.
func TestFaultBesideEndlessKernel(t *testing.T) {
	if os.Getenv("GOPHERWARP_SIM_ENDLESS") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "GOPHERWARP_SIM_ENDLESS=1", "GOMAXPROCS=2")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	d, l := prepare(t, `__global__ void k(volatile int *x, long n) {
		if (blockIdx.x == 0) { x[0] = 1; while (x[1] == 0) {} }
		while (x[0] == 0) {}
		*(volatile int *)n = 1;
	}`)
	l.Block[0] = 1
	var e *backend.Error
	if err := d.Launch(l); !errors.As(err, &e) || e.Code != codeIllegalAddress || !e.Fatal {
		t.Errorf("got %v", err)
	}
}
