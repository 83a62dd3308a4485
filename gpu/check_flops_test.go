package gpu_test

import (
	"strings"
	"testing"

	. "github.com/gopherwarp/gopherwarp/gpu"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// Each line does a number of operations that can be counted by hand.
const flopsSource = `__device__ double poly(double x) {
	return x * x - 3.0;
}
__global__ void flops(float *y, double *z, float *sum, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = y[i];
	for (int k = 0; k < n; k++) {
		v = v * 1.5f + 0.25f;
	}
	if (i % 2 == 0) v = fmaf(v, v, 1.0f);
	z[i] = poly(z[i]) / 7.0;
	atomicAdd(sum, 1.0f);
	y[i] = v;
}`

func TestCheckCountsOperations(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim:h200")
	m, err := Compile(flopsSource, WithName("flops.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("flops")
	if err != nil {
		t.Fatal(err)
	}
	const threads, rounds = 96, 10
	y, z := Zeros[float32](threads), Zeros[float64](threads)
	sum := Zeros[float32](1)
	launch := func() error { return k.Launch(For(threads, 32), y, z, sum, rounds) }
	r, err := check.Run(func() error {
		if err := launch(); err != nil {
			return err
		}
		return launch()
	})
	if err != nil {
		t.Fatal(err)
	}
	wantFindings(t, r)
	want := map[int]check.Operations{
		2:  {FP64: 2 * 2 * threads},
		8:  {FP32: 2 * 2 * threads * rounds},
		10: {FP32: 2 * threads}, // half of the threads, two operations, two launches
		11: {FP64: 2 * threads},
	}
	for _, o := range r.Operations {
		w := want[o.Line]
		delete(want, o.Line)
		if o.FP32 != w.FP32 || o.FP64 != w.FP64 || o.Program != "flops.cu" || o.Kernel != "flops" {
			t.Errorf("got %+v, want %+v", o, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("nothing was counted of the lines %v", want)
	}
	for _, text := range []string{"flops: 4608 FLOP, 576 of them in FP64\n", "v = v * 1.5f + 0.25f;", "| 3840 FLOP\n", "384 FLOP in FP64"} {
		if s := r.String() + r.Listing(); !strings.Contains(s, text) {
			t.Errorf("%q is missing in\n%s", text, s)
		}
	}

	p, err := prof.Run(launch)
	if err != nil {
		t.Fatal(err)
	}
	metrics := p.Kernels[0].Metrics
	for name, w := range map[string]float64{
		backend.MetricFAdd: threads * rounds, backend.MetricFMul: threads * rounds, backend.MetricFFMA: threads / 2,
		backend.MetricDAdd: threads, backend.MetricDMul: 2 * threads, backend.MetricDFMA: 0,
	} {
		if metrics[name] != w {
			t.Errorf("%s is %v, want %v", name, metrics[name], w)
		}
	}
	if p.Kernels[0].Flops() != 2304 || !strings.Contains(p.String(), "Roofline") {
		t.Errorf("%v operations, and the report is\n%v", p.Kernels[0].Flops(), p)
	}
}
