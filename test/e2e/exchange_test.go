package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestArraysAreExchanged exchanges arrays with other libraries: the packages for that are imported by their paths, and need
// other modules.
func TestArraysAreExchanged(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim") // the consumer in C below reads the host's memory
	o := n.run(`import "github.com/gopherwarp/gopherwarp/gpu/nd/dlpack"
a := nd.Arange[float32](6).Reshape(2, 3)
tensor := must(dlpack.Export(a.T()))`)
	if !strings.Contains(o.stdout, "Fetching what github.com/gopherwarp/gopherwarp/gpu/nd/dlpack needs") {
		t.Errorf("the cell says %q, want what is fetched", o.stdout)
	}
	// This is a consumer in C, which writes and calls the deleter.
	n.run(`/*
#include <stdint.h>
struct tensor { void *data; int32_t device[2], ndim; uint32_t dtype; int64_t *shape, *strides; uint64_t offset; };
struct managed { uint32_t version[2]; void *context; void (*deleter)(struct managed *); uint64_t flags; struct tensor t; };
static double use(void *p) {
	struct managed *m = p;
	float *x = (float *)((char *)m->t.data + m->t.offset);
	double last = x[2 * m->t.strides[0] + m->t.strides[1]];
	x[0] = 40;
	m->deleter(m);
	return last;
}
*/
import "C"
import "unsafe"
last := float64(C.use(unsafe.Pointer(tensor)))`)
	n.gives("last", "5")
	n.gives("a.At(0, 0).Item()", "40")

	n.run(`import "github.com/gopherwarp/gopherwarp/gpu/nd/arrowio"
arrowio.Save("a.arrow", arrowio.Column{Name: "a", Data: a})`)
	n.gives(`must(arrowio.Get[float32](must(arrowio.Load("a.arrow")), "a")).ToHost()`, "[40 1 2 3 4 5]")
	n.fails(`arrowio.Load("a.arrow", arrowio.Only("b"))`, `there is no column "b"`)

	plugins, _ := filepath.Glob("../../.venv/lib/python3*/site-packages/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so")
	if len(plugins) == 0 {
		t.Skip("SKIPPED: XLA's plugin is not in .venv, where make test puts it")
	}
	path, err := filepath.Abs(plugins[0])
	if err != nil {
		t.Fatal(err)
	}
	n.run(`import "github.com/gopherwarp/gopherwarp/gpu/nd/xla"
client := must(xla.OpenPlugin("` + path + `"))
double := must(client.Compile([]byte("func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> { %y = stablehlo.add %x, %x : tensor<2x3xf32> return %y : tensor<2x3xf32> }")))`)
	n.gives("must(double.Run(a))[0].(*nd.Array[float32]).ToHost()", "[80 2 4 6 8 10]")
	n.fails("double.Run(a.T())", "argument x of main is to have the shape (2, 3) (tensor<2x3xf32>), not (3, 2)")
	n.gives("a.At(1, 2).Item()", "5")
}
