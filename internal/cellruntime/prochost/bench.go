package prochost

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// BenchKey is the key of the function, a func(f func(n int) error, loops, repeats int) error, that
// measures how long f takes for each of n runs and prints it.
const BenchKey = "bench"

// TestKey is the key of the function, a func(functions []any, args []string) error, that runs tests
// and benchmarks: functions holds names, each followed by its function. The args are those of go
// test. The function is in package testhost.
const TestKey = "testing"

const (
	batchTime  = 50 * time.Millisecond // of one measurement, if loops is 0
	longTime   = 2 * time.Second       // maximum of all measurements of a slow function
	maxRepeats = 11                    // measurements, if repeats is 0
	minRepeats = 3
)

// bench determines how many runs fill a batch, which also warms up, measures some batches and prints
// statistics. If loops or repeats is 0, bench chooses it.
func bench(f func(n int) error, loops, repeats int) error {
	n := max(loops, 1)
	took, err := once(f, n)
	for ; err == nil && loops == 0 && took < batchTime; took, err = once(f, n) {
		n = grow(n, took)
	}
	if err != nil {
		return err
	}
	if repeats == 0 {
		repeats = min(max(int(longTime/max(took, 1)), minRepeats), maxRepeats)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seconds := make([]float64, repeats)
	for i := range seconds {
		took, err := once(f, n)
		if err != nil {
			return err
		}
		seconds[i] = took.Seconds() / float64(n)
	}
	runtime.ReadMemStats(&after)
	runs := float64(repeats * n)
	fmt.Println(report(seconds, n, float64(after.Mallocs-before.Mallocs)/runs, float64(after.TotalAlloc-before.TotalAlloc)/runs))
	return nil
}

// once measures n runs. It returns an error if the cell was interrupted.
func once(f func(n int) error, n int) (time.Duration, error) {
	cell.Poll()
	began := time.Now()
	err := f(n)
	return time.Since(began), err
}

// grow returns a number of runs that should fill a batch if n took this long, at most a hundred
// times as many.
func grow(n int, took time.Duration) int {
	fitting := 1.2 * float64(n) * float64(batchTime) / float64(max(took, 1))
	return max(n+1, int(min(fitting, 100*float64(n))))
}

// report returns a line about measurements of n runs each, in seconds per run.
func report(seconds []float64, n int, allocations, bytes float64) string {
	slices.SortFunc(seconds, cmp.Compare[float64])
	at := func(q float64) string { return render.Seconds(seconds[int(q*float64(len(seconds)-1)+0.5)]) }
	return fmt.Sprintf("median %s (quartiles %s to %s, min %s, %d × %s), %s of %.0f B",
		at(0.5), at(0.25), at(0.75), at(0), len(seconds), render.Count(n, "run", "runs"), render.Count(int(allocations+0.5), "allocation", "allocations"), bytes)
}
