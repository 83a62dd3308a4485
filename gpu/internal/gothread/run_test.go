package gothread_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
)

type dim = gothread.Dim

// Each thread knows its indices, also while garbage is collected, and nothing outside of a kernel does.
func TestThreads(t *testing.T) {
	grid, block := dim{3, 2, 1}, dim{4, 3, 2}
	for _, together := range []bool{false, true} {
		var seen [3 * 2 * 4 * 3 * 2]atomic.Int32
		err := gothread.Launch{Grid: grid, Block: block, Together: together}.Run(func() {
			if seen[0].Load() == 0 {
				runtime.GC()
			}
			th := gothread.Current()
			b, i := th.Block, th.ThreadIdx
			seen[((b.Y*3+b.X)*2+i.Z)*12+i.Y*4+i.X].Add(1)
			if want := (i.Z*12 + i.Y*4 + i.X) % 32; th.Lane != want {
				t.Errorf("thread %v has lane %d, want %d", i, th.Lane, want)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if n := seen[i].Load(); n != 1 {
				t.Errorf("thread %d has run %d times", i, n)
			}
		}
	}
	if gothread.Current() != nil {
		t.Error("there is a thread outside of a kernel")
	}
}

// Labels of a program are no thread, and are restored.
func TestLabels(t *testing.T) {
	pprof.Do(t.Context(), pprof.Labels("gpu", "thread"), func(ctx context.Context) {
		if gothread.Current() != nil {
			t.Error("labels of the program are taken for a thread")
		}
		if err := (gothread.Launch{Grid: dim{1, 1, 1}, Block: dim{1, 1, 1}, Together: false}).Run(func() {
			if gothread.Current() == nil {
				t.Error("there is no thread in a kernel")
			}
			pprof.Do(ctx, pprof.Labels("a", "b"), func(context.Context) {
				if gothread.Current() != nil {
					t.Error("labels that a kernel sets are taken for a thread")
				}
			})
		}); err != nil {
			t.Fatal(err)
		}
		if v, ok := pprof.Label(ctx, "gpu"); !ok || v != "thread" {
			t.Errorf("the program's label is %q", v)
		}
	})
}

// A barrier waits for the threads that have not ended.
func TestBarrier(t *testing.T) {
	var before, after atomic.Int32
	err := gothread.Launch{Grid: dim{2, 1, 1}, Block: dim{70, 1, 1}, Together: true}.Run(func() {
		th := gothread.Current()
		if th.ThreadIdx.X >= 60 {
			return
		}
		sum := gothread.Shared[atomic.Int32](th)
		before.Add(1)
		sum.Add(1)
		th.Sync()
		if n := sum.Load(); n != 60 {
			t.Errorf("%d threads have come before the barrier, want 60", n)
		}
		after.Add(1)
	})
	if err != nil || before.Load() != 120 || after.Load() != 120 {
		t.Errorf("error %v, %d threads before and %d after the barriers, want 120", err, before.Load(), after.Load())
	}
}

// The values of a warp come from its own threads only, turn after turn.
func TestExchange(t *testing.T) {
	err := gothread.Launch{Grid: dim{1, 1, 1}, Block: dim{50, 1, 1}, Together: true}.Run(func() {
		th := gothread.Current()
		for turn := range 5 {
			values, lanes := th.Exchange(32, th.ThreadIdx.X*10+turn)
			first := th.ThreadIdx.X &^ 31
			for lane := range gothread.WarpSize {
				there := first+lane < 50
				if got := lanes>>lane&1 != 0; got != there {
					t.Errorf("lane %d takes part: %v", lane, got)
				} else if there && values[lane] != (first+lane)*10+turn {
					t.Errorf("lane %d gave %v in turn %d", lane, values[lane], turn)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A panic ends the threads that wait for the one that panics, and says which it was.
func TestPanic(t *testing.T) {
	for _, together := range []bool{false, true} {
		err := gothread.Launch{Grid: dim{4, 1, 1}, Block: dim{64, 1, 1}, Together: together}.Run(func() {
			th := gothread.Current()
			if th.ThreadIdx.X == 40 {
				var list []int
				_ = list[th.ThreadIdx.X]
			}
			if together {
				th.Sync()
				_, _ = th.Exchange(32, 1)
			}
		})
		var p *gothread.Panic
		if !errors.As(err, &p) || p.Thread != (dim{40, 0, 0}) || !strings.HasPrefix(p.Place, "run_test.go:") ||
			!strings.Contains(err.Error(), "index out of range [40] with length 0") {
			t.Errorf("together %v: error %v", together, err)
		}
	}
}

// A goroutine that exits, as those of an interrupted cell do, takes the one that has called Run with it.
func TestExit(t *testing.T) {
	for _, together := range []bool{false, true} {
		ended, returned := make(chan struct{}), false
		go func() {
			defer close(ended)
			_ = gothread.Launch{Grid: dim{5, 1, 1}, Block: dim{4, 1, 1}, Together: together}.Run(func() {
				if th := gothread.Current(); th.Block.X == 3 && th.ThreadIdx.X == 2 {
					runtime.Goexit()
				}
			})
			returned = true
		}()
		<-ended
		if returned {
			t.Errorf("together %v: Run has returned", together)
		}
	}
}

// The labels that a cell gives its goroutine are found behind those of a thread.
func TestBehind(t *testing.T) {
	pprof.Do(t.Context(), pprof.Labels("cell", "1"), func(context.Context) {
		outside := gothread.Labels()
		for _, together := range []bool{false, true} {
			err := gothread.Launch{Grid: dim{2, 1, 1}, Block: dim{2, 1, 1}, Together: together}.Run(func() {
				if got := gothread.Behind(gothread.Labels()); got != outside {
					t.Errorf("together %v: got %v behind a thread, want %v", together, got, outside)
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
		if gothread.Behind(outside) != nil || gothread.Behind(nil) != nil {
			t.Error("there is something behind labels that are no thread's")
		}
	})
}
