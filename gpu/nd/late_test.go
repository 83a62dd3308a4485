package nd_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

type step64 = func(*nd.Array[float64]) *nd.Array[float64]

// TestReductionsInOtherViews has expressions that use a reduction for each row and in another view, too, or in another view alone. now is
// called with each reduction.
func TestReductionsInOtherViews(t *testing.T) {
	const n = 64
	x := nd.Sin(nd.Arange[float64](n*n).Square().Reshape(n, n)).Eval()
	y := nd.Sin(nd.Arange[float64](n*n+7).Square()).Slice(nd.To(n*n)).Reshape(n, 8, 8).Mul(nd.Ones[float64](n, 1, 1)).Eval()
	long := nd.Sin(nd.Arange[float64](70*100).Square()).Reshape(70, 100).Eval()
	for name, f := range map[string]func(now step64) *nd.Array[float64]{
		"for rows and for columns": func(now step64) *nd.Array[float64] {
			m := now(x.Max(1))
			return x.Sub(m.ExpandDims(1)).Sub(m)
		},
		"for columns and for rows": func(now step64) *nd.Array[float64] {
			m := now(x.Max(1))
			return x.Sub(m).Sub(m.ExpandDims(1))
		},
		"backward": func(now step64) *nd.Array[float64] {
			m := now(x.Sum(1))
			return x.Sub(m.ExpandDims(1)).Mul(m.Flip().ExpandDims(1))
		},
		"a broadcast part": func(now step64) *nd.Array[float64] {
			m := now(x.Sum(1))
			return x.Sub(m.ExpandDims(1)).Mul(m.Slice(nd.To(1)).ExpandDims(1))
		},
		"another part": func(now step64) *nd.Array[float64] {
			m := now(x.Sum(1))
			return x.Slice(nd.From(3)).Mul(m.Slice(nd.From(3), nd.NewAxis)).Add(x.Sub(m.ExpandDims(1)).Slice(nd.To(-3)))
		},
		"of a root": func(now step64) *nd.Array[float64] {
			m := now(x.Square().Sum(1))
			root := nd.Sqrt(m)
			return x.Div(root.ExpandDims(1)).Sub(root).Sub(m.ExpandDims(1))
		},
		"of an operand of a root": func(now step64) *nd.Array[float64] {
			m := now(x.Square().Sum(1))
			return x.Div(nd.Sqrt(m).ExpandDims(1)).Sub(m)
		},
		"in another reduction": func(now step64) *nd.Array[float64] {
			m := now(x.Max(1))
			s := now(x.Sub(m).Sum(1))
			return x.Sub(m.ExpandDims(1)).Mul(s.ExpandDims(1))
		},
		"of another shape": func(now step64) *nd.Array[float64] {
			m := now(x.Max(1))
			return y.Mul(m.Reshape(n, 1, 1)).Sub(m.Reshape(8, 8)).Add(x.Sub(m.ExpandDims(1)).Reshape(n, 8, 8))
		},
		"a sum of a part of a norm": func(now step64) *nd.Array[float64] { return now(nd.Norm(long, 1)).Slice(nd.From(65)).Sum() },
		"sums of a reshaped norm":   func(now step64) *nd.Array[float64] { return now(nd.Std(long, 1)).Reshape(10, 7).Sum(0) },
		"sums of a transposed mean": func(now step64) *nd.Array[float64] { return nd.Exp(now(nd.Mean(long, 1))).Reshape(10, 7).T().Sum(0) },
		"the largest of a flipped": func(now step64) *nd.Array[float64] {
			return nd.AsType[float64](nd.Argmax(now(nd.Norm(long, 1)).Flip(), 0))
		},
		"the mean of a broadcast": func(now step64) *nd.Array[float64] {
			return nd.Mean(now(nd.Norm(long, 1)).Slice(nd.To(1)).BroadcastTo(3), 0)
		},
		"running sums of a reversed": func(now step64) *nd.Array[float64] { return nd.Cumsum(now(nd.Norm(long, 1)).Flip()) },
		"sums of rows of a broadcast": func(now step64) *nd.Array[float64] {
			return now(nd.Norm(long, 1)).ExpandDims(1).BroadcastTo(70, 80).Sum(1)
		},
	} {
		got := f(func(r *nd.Array[float64]) *nd.Array[float64] { return r }).Eval()
		closeTo(t, name, got, f(func(r *nd.Array[float64]) *nd.Array[float64] { return r.Eval() }), 1e-12)
	}
}

// TestOperandsComputedMeanwhile has an expression whose kernel reads most operands by rows until one of them, a long expression that was
// part of another kernel, is computed: then most are read by columns, so that the kernel has no reductions.
func TestOperandsComputedMeanwhile(t *testing.T) {
	const n = 64
	x := nd.Sin(nd.Arange[float64](n*n).Square()).Reshape(n, n).Eval()
	f := func(now step64) *nd.Array[float64] {
		long := x
		for range 28 {
			long = nd.Sin(long.Add(x))
		}
		nd.Exp(long).Eval()
		m := now(x.Max(1))
		return long.Add(x.T()).Add(x.T()).Add(x.T()).Add(x.T()).Sub(m.ExpandDims(1))
	}
	got := f(func(r *nd.Array[float64]) *nd.Array[float64] { return r }).Eval()
	closeTo(t, "an expression", got, f(func(r *nd.Array[float64]) *nd.Array[float64] { return r.Eval() }), 1e-12)
}

// TestUnsettled tests that no kernel reads a reduction that has not been computed.
func TestUnsettled(t *testing.T) {
	x := nd.Ones[float32](64, 64).Eval()
	for name, f := range map[string]func(m *nd.Array[float32]) *nd.Array[float32]{
		"a reduction": func(m *nd.Array[float32]) *nd.Array[float32] { return m },
		"a view":      func(m *nd.Array[float32]) *nd.Array[float32] { return m.ExpandDims(1) },
		"of a root":   func(m *nd.Array[float32]) *nd.Array[float32] { return nd.Sqrt(m).ExpandDims(1) },
	} {
		a := x.Sub(f(x.Max(1)))
		if err := nd.Unsettled(a); err == nil || !strings.Contains(err.Error(), "before it is computed") {
			t.Errorf("%s: the error is %v", name, err)
		}
		closeTo(t, name, a, nd.Zeros[float32](64, 64), 0)
	}
}

// TestWaitingReductionsAreSeen tests that what package gpu waits for has the reductions that wait, and that what is measured has those of the
// measured function, and no others.
func TestWaitingReductionsAreSeen(t *testing.T) {
	x := rowElements[float32](false, 70, 80)
	x.Sum(1).Eval()
	x.Max(1).Eval()
	for name, see := range map[string]func(f func() error) (launches int, err error){
		"Sync":          func(f func() error) (int, error) { return 1, errors.Join(f(), gpu.Sync()) },
		"SyncContext":   func(f func() error) (int, error) { return 1, errors.Join(f(), gpu.SyncContext(t.Context())) },
		"Device.Sync":   func(f func() error) (int, error) { return 1, errors.Join(f(), x.Device().Sync()) },
		"Stream.Sync":   func(f func() error) (int, error) { return 1, errors.Join(f(), gpu.NewStream().Sync()) },
		"Record":        func(f func() error) (int, error) { return 1, errors.Join(f(), gpu.NewEvent().Record(nil)) },
		"end of a cell": func(f func() error) (int, error) { return 1, errors.Join(f(), gpuhooks.CellEnd(t.Context())) },
		"profile": func(f func() error) (int, error) {
			report, err := prof.Run(f, prof.WithTimesOnly())
			calls := 0
			for _, k := range report.Kernels {
				calls += k.Calls
			}
			return calls, err
		},
		"check": func(f func() error) (int, error) {
			report, err := check.Run(f)
			return report.Launches, err
		},
		"shuffle": func(f func() error) (int, error) { return 1, gpuhooks.Shuffle(1, f) },
		"fill":    func(f func() error) (int, error) { return 1, gpuhooks.FillAllocated(1, f) },
		"skipped": func(f func() error) (int, error) {
			list, err := gpuhooks.SkipLaunches(f)
			return len(list), err
		},
	} {
		x.Sum(1)
		measured, err := see(func() error {
			x.Max(1)
			if nd.Waiting() == 0 {
				return errors.New("nothing waits")
			}
			return nil
		})
		if err != nil || measured != 1 {
			t.Errorf("%s: %d launches in the function, want 1; the error is %v", name, measured, err)
		}
		if n := nd.Waiting(); n != 0 {
			t.Errorf("%s: %d reductions still wait", name, n)
		}
	}
}

// TestLargeOperandsAreNotHeld tests that a reduction whose operands have a large part of the memory does not wait: they would be kept.
func TestLargeOperandsAreNotHeld(t *testing.T) {
	x := nd.Ones[float32](64, 64).Eval()
	before := nd.SetMostHeld(x.Bytes() + 100)
	defer nd.SetMostHeld(before)
	x.Sum(1)
	if n := nd.Waiting(); n != 1 {
		t.Errorf("%d reductions wait, want 1", n)
	}
	x.Mul(nd.Ones[float32](64).Eval()).Sum(1)
	if n := nd.Waiting(); n != 0 {
		t.Errorf("%d reductions of large operands wait", n)
	}
}

// TestRangeHasItsReductions tests that a range of a profile has the reductions that were made in it, and no others.
func TestRangeHasItsReductions(t *testing.T) {
	x := rowElements[float32](false, 70, 80)
	report, err := prof.Run(func() error {
		x.Sum(1)
		end := prof.Range("largest")
		x.Max(1)
		end()
		x.Min(1)
		return nil
	}, prof.WithTimesOnly())
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Ranges) != 1 || report.Ranges[0].Launches != 1 {
		t.Errorf("the ranges are %+v, want one with one launch", report.Ranges)
	}
}

// TestCaptureBeginsWithoutWaitingReductions tests that a reduction that was made before a graph is captured is not computed meanwhile, in the
// default stream, which CUDA refuses.
func TestCaptureBeginsWithoutWaitingReductions(t *testing.T) {
	rowElements[float32](false, 70, 80).Sum(1)
	b := gpu.Zeros[float32](4)
	_, err := gpu.Capture(func(s *gpu.Stream) error {
		if n := nd.Waiting(); n != 0 {
			t.Errorf("%d reductions wait", n)
		}
		return b.FillAsync(s, 1)
	})
	if err != nil {
		t.Error(err)
	}
}

// The memory that a waiting reduction keeps is given back when other memory is needed, and a failure to compute it locks nothing.
func TestWaitingReductionsGiveMemoryBack(t *testing.T) {
	d := on(t, "sim:t4x2:1")
	const size = 20 << 20
	small := nd.Ones[float64](8, 8).Eval()
	nd.MatMul(small, small)
	nd.SumAs[int64](nd.Ones[uint8](1<<13, 64), 1).Eval() // compiles
	d.Limit(size + size/2)
	defer d.Limit(0)

	x := nd.Ones[uint8](size/64, 64).Eval()
	m := x.Max(1)
	if nd.Waiting() != 1 {
		t.Fatal("the reduction does not wait")
	}
	runtime.KeepAlive(x)
	x = nil
	y := nd.Zeros[uint8](size) // in the place of x
	if got := m.Slice(nd.At(5)).Item(); got != 1 {
		t.Errorf("a maximum is %d", got)
	}
	runtime.KeepAlive(y)
}

// A reduction that cannot be computed fails where something needs it, and the device goes on.
func TestWaitingReductionFails(t *testing.T) {
	d := on(t, "sim:t4x2:1")
	x := nd.Ones[uint8](1<<17, 64).Eval()
	small := nd.Ones[float64](8, 8).Eval()
	small.Add(small).Eval()
	d.Limit(d.Pool().Reserved)
	defer d.Limit(0)
	var kept []*gpu.Buffer[byte]
	for nd.Try(func() { kept = append(kept, gpu.Alloc[byte](1<<20)) }) == nil {
	}
	s := nd.SumAs[int64](x, 1)
	got := panics(t, func() { nd.MatMul(small, small) })
	d.Limit(0)
	runtime.KeepAlive(kept)
	if !strings.Contains(got, "making a buffer") {
		t.Errorf("got %q", got)
	}
	if got := small.Add(small).Slice(nd.At(0), nd.At(0)).Item(); got != 2 {
		t.Errorf("a sum is %v", got)
	}
	if got := s.Slice(nd.At(7)).Item(); got != 64 {
		t.Errorf("the reduction is %v", got)
	}
}

// An array that was made of waiting reductions, and has views, counts as computed, and can be freed.
func TestExpressionsOfWaitingReductionsAreFreed(t *testing.T) {
	s := nd.Sqrt(nd.Ones[float64](64, 64).Eval().Sum(1))
	s.ExpandDims(1)
	if !s.Evaluated() {
		t.Error("it does not count as computed")
	}
	if err := s.Free(); err != nil {
		t.Error(err)
	}
}

// TestWriteWhileOthersCompute writes sums that wait to be computed while another goroutine computes all that waits.
func TestWriteWhileOthersCompute(t *testing.T) {
	x := nd.Ones[float64](64, 64).Eval()
	for range 100 {
		sums := x.AddScalar(1).Sum(1)
		var other sync.WaitGroup
		other.Go(func() { x.MulScalar(2).Eval() })
		sums.Fill(0.5)
		other.Wait()
		if got := sums.ToHost(); got[0] != 0.5 || got[63] != 0.5 {
			t.Fatalf("the sums are %v after they were set to 0.5", got)
		}
	}
}
