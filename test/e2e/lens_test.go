package e2e

import (
	"strings"
	"testing"
)

// TestLens records kernels in CUDA C and in Go.
func TestLens(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("x, y := gpu.Zeros[float32](100), gpu.Zeros[float32](100)")
	shown := n.run("%lens --block 1 saxpy.Launch(gpu.For(x.Len(), 64), 2, x, y, x.Len())").shown
	for _, want := range []string{"saxpy<<<2, 64>>>", "block (1,0,0): 2 warps", "1 of 2 blocks are recorded"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%%lens shows\n%s\nwant %q in it", shown, want)
		}
	}
	n.run("//gpu:kernel\nfunc double(x []float32) {\n\tif i := gpu.GlobalID(); i < len(x) {\n\t\tx[i] = 2 * x[i]\n\t}\n}\nx.Fill(3)")
	shown = n.run("%%lens\ndouble.Launch(gpu.For(x.Len(), 128), x)").shown
	if want := "4      4      100    78 %          x[i] = 2 * x[i]"; !strings.Contains(shown, want) {
		t.Errorf("%%%%lens of a kernel in Go shows\n%s\nwant %q in it", shown, want)
	}
	n.gives("x.ToHost()[99]", "6")
	n.fails("%lens --blocks 0 double.Launch(gpu.For(x.Len(), 128), x)", "at least one block")
	n.fails("%lens double.Launch(gpu.For(x.Len(), 2000), x)", "2000")
}
