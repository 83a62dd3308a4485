package gpu

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// stopRule decides when enough runs were measured.
type stopRule struct {
	least, most         time.Duration
	leastRuns, mostRuns int
	noise               float64   // that is small enough
	seen                []float64 // the noise after each of the last batches
}

func newStopRule() stopRule {
	return stopRule{least: 500 * time.Millisecond, most: 5 * time.Second, leastRuns: 10, mostRuns: 10000, noise: 0.005}
}

// done is asked after each batch of runs, with all of their times so far, and says why there
// are to be no more, or nothing.
func (r *stopRule) done(times []time.Duration, elapsed time.Duration) string {
	// The noise counts as settled when it has moved by less than a twentieth in that many batches.
	const batches, movement = 8, 0.05
	if len(times) >= r.mostRuns {
		return "these are as many as allowed"
	}
	now := scatter(times)
	r.seen = append(r.seen, now)
	switch {
	case len(times) < r.leastRuns || elapsed < r.least:
		return ""
	case now <= r.noise:
		return fmt.Sprintf("it is at most %g %%", 100*r.noise)
	case elapsed >= r.most:
		return fmt.Sprintf("%s were over", short(r.most))
	case len(r.seen) < batches:
		return ""
	}
	last := r.seen[len(r.seen)-batches:]
	if slices.Max(last)-slices.Min(last) < movement*now {
		return "it has settled"
	}
	return ""
}

// scatter is the standard deviation of times relative to their mean.
func scatter(times []time.Duration) float64 {
	if len(times) < 2 {
		return 0
	}
	var sum float64
	for _, t := range times {
		sum += float64(t)
	}
	mean := sum / float64(len(times))
	if mean == 0 {
		return 0
	}
	var squares float64
	for _, t := range times {
		squares += (float64(t) - mean) * (float64(t) - mean)
	}
	return math.Sqrt(squares/float64(len(times)-1)) / mean
}
