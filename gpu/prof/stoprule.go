package prof

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// stopRule decides when enough runs were measured.
type stopRule struct {
	minTime, maxTime time.Duration
	minRuns, maxRuns int
	noise            float64   // small enough to stop
	seen             []float64 // the noise after each of the last batches
}

// newStopRule returns the rule for a GPU or the simulator. The simulator's times are those of a processor with other work, which scatter
// more than the noise that stops early: a longer measurement does not make them more exact.
func newStopRule(simulated bool) stopRule {
	r := stopRule{minTime: 500 * time.Millisecond, maxTime: 5 * time.Second, minRuns: 10, maxRuns: 10000, noise: 0.005}
	if simulated {
		r.maxTime = time.Second
	}
	return r
}

// done returns why measuring should stop after these times of all runs so far, or "" to continue.
func (r *stopRule) done(times []time.Duration, elapsed time.Duration) string {
	// The noise has settled when it has changed by less than a twentieth in that many batches.
	const batches, movement = 8, 0.05
	if len(times) >= r.maxRuns {
		return "reached the maximum of runs"
	}
	now := scatter(times)
	r.seen = append(r.seen, now)
	switch {
	case len(times) < r.minRuns || elapsed < r.minTime:
		return ""
	case now <= r.noise:
		return fmt.Sprintf("noise is at most %g %%", 100*r.noise)
	case elapsed >= r.maxTime:
		return "reached the maximum of " + duration(r.maxTime)
	case len(r.seen) < batches:
		return ""
	}
	last := r.seen[len(r.seen)-batches:]
	if slices.Max(last)-slices.Min(last) < movement*now {
		return "noise has settled"
	}
	return ""
}

// scatter returns the standard deviation of the times relative to their mean.
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
