package gpu_test

import (
	"testing"

	. "github.com/gopherwarp/gopherwarp/gpu"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// operationsSource changes all that it reads, so that a run too many would show.
const operationsSource = `
__device__ int runs = 3;
__constant__ float factor = 1;
extern "C" __global__ void chain(float *y, int n) {
	float v = y[threadIdx.x];
	for (int i = 0; i < n; i++) v = v * factor + 0.5f;
	v = v * 3;
	y[threadIdx.x] = v;
	if (threadIdx.x == 1) y[1] += runs++;
}
extern "C" __global__ void doubles(double *y) { y[threadIdx.x] = y[threadIdx.x] * y[threadIdx.x] - 1 / y[threadIdx.x]; }`

// A GPU has no counters for operations, so programs count them themselves. Nothing else may come of that.
func TestProfileCountsOperations(t *testing.T) {
	needDevice(t, "cuda:0")
	freshDevice(t, "cuda:0")
	m, err := Compile(operationsSource, WithName("operations.cu"))
	if err != nil {
		t.Fatal(err)
	}
	chain, err := m.Kernel("chain")
	if err != nil {
		t.Fatal(err)
	}
	doubles, err := m.Kernel("doubles")
	if err != nil {
		t.Fatal(err)
	}
	factor, err := GlobalOf[float32](m, "factor")
	if err != nil {
		t.Fatal(err)
	}
	if err := factor.CopyFrom([]float32{2}); err != nil {
		t.Fatal(err)
	}
	y, z := Zeros[float32](32), Zeros[float64](64)
	z.Fill(1)
	r, err := prof.Run(func() error {
		if err := chain.Launch(For(32, 32), y, 3); err != nil {
			return err
		}
		return doubles.Launch(For(64, 64), z)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := y.ToHost(); got[0] != 3*3.5 || got[1] != 3*3.5+3 || got[31] != 3*3.5 {
		t.Errorf("after one run the numbers are %v", got)
	}
	if testing.Verbose() {
		t.Log(r)
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		want := map[string]float64{backend.MetricFFMA: 3 * 32, backend.MetricFMul: 32, backend.MetricFAdd: 1, backend.MetricDMul: 0, backend.MetricHAdd: 0}
		if k.Name == "doubles" {
			want = map[string]float64{backend.MetricDFMA: 64, backend.MetricDMul: 64, backend.MetricFFMA: 0}
		}
		for name, v := range want {
			if got, ok := k.Metrics[name]; !ok || got != v {
				t.Errorf("%s: %s is %v, want %v", k.Name, name, got, v)
			}
		}
	}
}
