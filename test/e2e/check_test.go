package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCheckMode checks that defects in kernels of a cell with --check fail the cell that
// launches them.
func TestCheckMode(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim")
	wrong := `%%cuda --check
__global__ void scale(float *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		x[i] *= 2;
}
`
	n.run(wrong)
	n.run("x := gpu.ToDevice(make([]float32, 100))")
	o := n.fails("scale.Launch(gpu.For(100, 64), x, x.Len())\nafter := 7", "check mode found a defect:\n")
	if !strings.Contains(o.reply.Value, ".cu:5: out of bounds in scale: thread (36,0,0) of block (1,0,0) reads x[100], but x has 100 elements (0 to 99)") || o.reply.Name != "CUDA check" {
		t.Errorf("got %s: %s", o.reply.Name, o.reply.Value)
	}
	for _, want := range []string{"sectors/request", "global load", "   5      "} {
		if !strings.Contains(o.shown, want) {
			t.Errorf("%q is missing in\n%s", want, o.shown)
		}
	}
	n.gives("after", "7")
	n.run("x.ToHost()")

	n.run(strings.NewReplacer("--check", "--check --json", "<=", "<").Replace(wrong))
	o = n.run("scale.Launch(gpu.For(100, 64), x, x.Len())")
	var report struct {
		Launches int
		Findings []struct{ Kind string }
		Accesses []struct {
			Kernel            string
			Sectors, Requests int
		}
	}
	if err := json.Unmarshal([]byte(o.shown), &report); err != nil || report.Launches != 1 || len(report.Findings) != 0 || len(report.Accesses) != 2 || report.Accesses[0].Sectors != 13 {
		t.Errorf("got %v, %+v of %s", err, report, o.shown)
	}

	n.fails("%%cuda --json\n__global__ void k() {}", "--check")
	n.run("r := must(check.Run(func() error { return scale.Launch(gpu.For(100, 64), x, x.Len()) }))")
	n.gives("len(r.Findings)", "0")
}
