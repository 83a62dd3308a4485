package e2e

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

func TestProf(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("x, y := gpu.Zeros[float32](1<<12), gpu.Zeros[float32](1<<12)")
	shown := n.run("%%prof\nend := prof.Range(\"both\")\nfor range 2 {\n\tsaxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())\n}\nend()\ny.ToHost()").shown
	for _, want := range []string{"2 launches on ", "saxpy", "16 × 256", "device to host", "both", "FLOP/call"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%%%%prof shows\n%s\nwant %q in it", shown, want)
		}
	}
	var report struct {
		Kernels []struct {
			Name    string
			Metrics map[string]float64
		}
	}
	shown = n.run("%prof --json saxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())").shown
	if err := json.Unmarshal([]byte(shown), &report); err != nil || len(report.Kernels) != 1 || report.Kernels[0].Name != "saxpy" {
		t.Fatalf("%v in\n%s", err, shown)
	}
	m := report.Kernels[0].Metrics
	flops := m["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] + m["smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"] +
		2*m["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"]
	if flops != 2*(1<<12) {
		t.Errorf("saxpy of %d elements has %v operations: %v", 1<<12, flops, m)
	}
	// Variables and kernel behave as without %prof, and an error is the cell's.
	n.run("y.Fill(1); x.Fill(1)")
	n.run("%prof --times saxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())")
	n.gives("y.ToHost()[5]", "3")
	n.fails("%prof saxpy.Launch(gpu.For(x.Len(), 2000), 2, x, y, x.Len())", "2000")
	n.fails("%prof --tims x.Len()", "--times, --timeline and --json")
	shown = n.run("%prof --timeline saxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())").shown
	if !regexp.MustCompile(`\ndefault stream +#`).MatchString(shown) {
		t.Errorf("%%prof --timeline shows\n%s", shown)
	}
}
