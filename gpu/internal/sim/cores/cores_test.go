package cores

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// Every item is in one part.
func TestRange(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 64, 1000, 12345} {
		for _, each := range []float64{0, 1, 30, 2000} {
			times := make([]atomic.Int32, n)
			Range(n, each, func(from, to int) {
				for i := from; i < to; i++ {
					times[i].Add(1)
				}
			})
			for i := range times {
				if got := times[i].Load(); got != 1 {
					t.Fatalf("item %d of %d, of %v ns, is in %d parts", i, n, each, got)
				}
			}
		}
	}
}

// What a goroutine does after its last block is done when Blocks returns.
func TestBlocksWait(t *testing.T) {
	for range 2000 {
		var sum atomic.Int64
		Blocks(10, 2*worthWaken, func(next func() (from, to int)) {
			mine := int64(0)
			for from, to := next(); from < to; from, to = next() {
				mine += int64(to - from)
			}
			sum.Add(mine)
		})
		if sum.Load() != 10 {
			t.Fatalf("%d of 10 blocks", sum.Load())
		}
	}
}

// With two processors, short work is divided only while the process that sends it sleeps.
func TestUndisturbed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer Undisturbed(false)
	for _, yes := range []bool{false, true, false} {
		Undisturbed(yes)
		if got := worth(worthSharing / 2); got != yes {
			t.Errorf("the process sleeps: %v; short work is divided: %v", yes, got)
		}
		if !worth(worthSharing) {
			t.Errorf("the process sleeps: %v; long work is not divided", yes)
		}
	}
}
