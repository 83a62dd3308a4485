package arrays

import (
	"math"
	"runtime"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// Sums of weights have the same bits for any number of threads, and in each run, though floats are rounded.
func TestWeightsOnThreads(t *testing.T) {
	for _, c := range []struct{ n, bins int }{{5, 3}, {200_003, 7}, {300_000, 5000}, {150_000, 100_000}} {
		numbers, weights := make([]int32, c.n), make([]float32, c.n)
		for i := range numbers {
			numbers[i] = int32(uint32(i) * 2654435761 % uint32(c.bins))
			weights[i] = float32(math.Sin(float64(i))) * float32(math.Exp2(float64(i%60)))
		}
		p := program(t, &expression.Kernel{Form: expression.Routine, Name: "bincount", Types: []expression.Type{expression.Int32, expression.Float32}})
		run := func(threads int) []float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			sums := make([]float64, c.bins)
			args := launchOf([]unsafe.Pointer{unsafe.Pointer(&sums[0]), unsafe.Pointer(&numbers[0]), unsafe.Pointer(&weights[0])}, c.n, c.bins, 0, 0)
			if err := p.Run(args, 1); err != nil {
				t.Fatal(err)
			}
			runtime.KeepAlive(sums)
			return sums
		}
		want := run(1)
		total, sum, size := 0.0, 0.0, 0.0
		for _, v := range want {
			total += v
		}
		for _, w := range weights {
			sum += float64(w)
			size += math.Abs(float64(w))
		}
		if math.Abs(total-sum) > 1e-9*size {
			t.Errorf("the sums of %d weights in %d bins are %v together, want %v", c.n, c.bins, total, sum)
		}
		for range 20 {
			for i, v := range run(3) {
				if v != want[i] {
					t.Fatalf("sum %d of %d weights in %d bins is %v on three threads, %v on one", i, c.n, c.bins, v, want[i])
				}
			}
		}
		runtime.KeepAlive([]any{numbers, weights})
	}
}
