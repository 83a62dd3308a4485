package verify

import (
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// TooSlow is the reason of a kernel that is right but takes too long.
const TooSlow Reason = "right, but too slow"

// Speed checks that f is at least the given number of times as fast as a reference. Both are timed on this device, in turn, since times
// of another day or machine cannot be compared. The kernels that f launches must have passed the check of their results with the same
// name before, by Run or Function. The simulator's times say nothing about a GPU, so on the simulator Speed only prints a line that the
// speed is not graded. Nor should it be graded on a device with other users, which may be slow by chance: grade what Cost counts. The
// error is a *Failure if f is too slow or the results have not passed.
func Speed(name string, times float64, reference, f func() error) error {
	if err := unproven(name, "speed", f); err != nil {
		return err
	}
	d, err := gpu.Current()
	if err != nil {
		return fmt.Errorf("checking the speed of %s: %w", name, err)
	}
	if d.Properties().Simulated {
		fmt.Printf("– SKIPPED the speed of %s: not graded here, as the simulator's times say nothing about a GPU\n", name)
		return nil
	}
	measure := func(f func() error) (time.Duration, error) {
		t, err := prof.Time(f, prof.WithMinTime(100*time.Millisecond), prof.WithMaxTime(time.Second))
		return t.Median, err
	}
	return compare(name, times, reference, f, measure)
}

// rounds is how often both are timed at first, and maxRounds how often if f is not fast enough. The minimum of each is compared: other
// work on the machine can only increase times.
const rounds, maxRounds = 3, 9

func compare(name string, times float64, reference, f func() error, measure func(func() error) (time.Duration, error)) error {
	var best [2]time.Duration
	for r := range maxRounds {
		if r >= rounds && float64(best[0]) >= times*float64(best[1]) {
			break
		}
		for i, g := range []func() error{reference, f} {
			t, err := measure(g)
			if err != nil {
				return fmt.Errorf("checking the speed of %s: %w", name, err)
			}
			if r == 0 || t < best[i] {
				best[i] = t
			}
		}
	}
	ratio := float64(best[0]) / float64(max(best[1], 1))
	took := fmt.Sprintf("%v, the reference %v: %.2f times as fast", best[1], best[0], ratio)
	if ratio < times {
		f := &Failure{Check: name, Reason: TooSlow, Hint: "Look for accesses that are not coalesced, for bank conflicts, and for what is read from global memory more than once."}
		f.message = fmt.Sprintf("%s: %s\n%s\n\n%s, want %.2f times", name, f.Reason, wrap(f.Hint), took, times)
		return f
	}
	passed(name, "%s", took)
	return nil
}
