package prof

import (
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// timer is a measurement in progress.
type timer struct {
	timing
	device *gpu.Device
	run    func() error
	// scratch is memory that replaces the contents of the L2 cache, or nil on the simulator.
	scratch *gpu.Buffer[byte]
	reader  *gpu.Kernel // reads scratch; nil if there is no compiler
	pairs   [batch][2]*gpu.Event
	// overhead is the time between two events without work between them.
	overhead time.Duration
}

// batch is the maximum number of runs between two waits.
const batch = 32

// makeEvents makes the pairs of events, and measures the overhead of a pair. The simulator's events are readings of a clock, which have
// none.
func (t *timer) makeEvents() error {
	err := try(func() {
		for i := range t.pairs {
			t.pairs[i] = [2]*gpu.Event{t.device.NewEvent(), t.device.NewEvent()}
		}
	})
	if err != nil {
		return err
	}
	if t.device.Properties().Simulated {
		return nil
	}
	var times []time.Duration
	nothing := func() error { return nil }
	for range 3 { // the last round is used
		for _, pair := range t.pairs {
			if _, err := t.once(pair, nothing); err != nil {
				return err
			}
		}
		times = times[:0]
		for _, pair := range t.pairs {
			took, err := pair[1].Since(pair[0])
			if err != nil {
				return err
			}
			times = append(times, took)
		}
	}
	slices.Sort(times)
	t.overhead = quantile(times, 0.5)
	return nil
}

// takeScratch allocates memory of twice the size of the L2 cache, to evict all of its contents.
func (t *timer) takeScratch() error {
	const unknown = 64 << 20
	props := t.device.Properties()
	if props.Simulated {
		return nil
	}
	size := props.L2CacheSize
	if size == 0 {
		size = unknown
	}
	if err := try(func() { t.scratch = gpu.Alloc[byte](2*size, t.device) }); err != nil {
		return err
	}
	if m, err := t.device.Compile(flushSource, gpu.WithName("flush.cu")); err == nil {
		t.reader, _ = m.Kernel("gopherwarp_flush")
	}
	return t.fill()
}

// flushSource reads memory, and never finds the value for which it would write.
const flushSource = `extern "C" __global__ void gopherwarp_flush(void *memory, unsigned long long n) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n && ((const uint4 *)memory)[i].x == 0) *(int *)memory = 0;
}`

func (t *timer) giveScratch() {
	if t.scratch != nil {
		_ = t.scratch.Free()
	}
}

// flush replaces the contents of the L2 cache. It reads memory, since written lines would have to be written back while the run is timed.
// An empty launch follows, so that the timed run does not directly follow one that has kept the memory busy: on an H200 that makes a
// difference of half a microsecond.
func (t *timer) flush() error {
	const word = 16
	switch {
	case t.scratch == nil:
		return nil
	case t.reader == nil:
		return t.fill()
	}
	words := t.scratch.Len() / word
	if err := t.reader.Launch(gpu.For(words, 512), t.scratch, uint(words)); err != nil {
		return err
	}
	return t.reader.Launch(gpu.For(1, 32), t.scratch, uint(0))
}

// fill sets the memory to a value other than the one that the reader looks for.
func (t *timer) fill() error { return t.scratch.FillAsync(nil, 1) }

// warmUp runs f without measuring it, and determines which buffers it uses.
func (t *timer) warmUp() error {
	used, err := hook.BytesUsed(t.run)
	if err != nil {
		return err
	}
	for range t.warm - 1 {
		if err := t.run(); err != nil {
			return err
		}
	}
	if t.bytes == 0 {
		t.bytes = used
	}
	return wrap(t.device.Sync())
}

// measure runs f in batches, with events around each run, and waits only after a batch, so that waiting does not delay runs.
func (t *timer) measure() (Timing, error) {
	clock := newClock(t.device)
	var device, cpu []time.Duration
	begin := time.Now()
	tell := t.teller(begin)
	stopped := ""
	// The first batches are small, for a slow f.
	for size := 1; stopped == ""; size = min(2*size, batch) {
		n := min(size, t.rule.maxRuns-len(cpu))
		for i := range n {
			took, err := t.once(t.pairs[i], t.run)
			if err != nil {
				return Timing{}, err
			}
			cpu = append(cpu, took)
		}
		tell(len(cpu))
		for i := range n {
			took, err := t.pairs[i][1].Since(t.pairs[i][0])
			if err != nil {
				return Timing{}, err
			}
			device = append(device, t.net(took))
		}
		if clock.slow() {
			device, cpu = device[:len(device)-n], cpu[:len(cpu)-n]
			continue
		}
		stopped = t.rule.done(device, time.Since(begin))
	}
	noise := scatter(device)
	slices.Sort(device)
	slices.Sort(cpu)
	median := quantile(device, 0.5)
	hot, err := t.hot(t.pairs[0], median)
	if err != nil {
		return Timing{}, err
	}
	return Timing{
		Median: median, Q1: quantile(device, 0.25), Q3: quantile(device, 0.75), P95: quantile(device, 0.95), Min: quantile(device, 0), Hot: hot,
		Noise: noise, CPU: quantile(cpu, 0.5), Runs: len(device), Stopped: stopped, Bytes: t.bytes, Flops: t.flops, CopyGBs: t.copyRate(), Throttled: clock.throttled, Overhead: t.overhead,
	}, nil
}

// teller returns a function that reports the progress after so many runs, unless it did shortly before.
func (t *timer) teller(begin time.Time) func(runs int) {
	const first, every = time.Second, 500 * time.Millisecond
	next := first
	return func(runs int) {
		elapsed := time.Since(begin)
		if t.progress == nil || elapsed < next {
			return
		}
		next = elapsed + every
		t.progress(TimeProgress{Runs: runs, Elapsed: elapsed, Max: t.rule.maxTime})
	}
}

// copyRate returns the rate of a copy for comparison, or 0 if the bytes of a run are unknown.
func (t *timer) copyRate() float64 {
	if t.bytes == 0 {
		return 0
	}
	return copyGBs(t.device)
}

// net subtracts the overhead of the events.
func (t *timer) net(took time.Duration) time.Duration { return max(took-t.overhead, 1) }

// once measures one run and returns the host time of the call itself.
func (t *timer) once(pair [2]*gpu.Event, run func() error) (time.Duration, error) {
	if err := t.flush(); err != nil {
		return 0, wrap(err)
	}
	if err := pair[0].Record(nil); err != nil {
		return 0, err
	}
	start := time.Now()
	if err := run(); err != nil {
		return 0, err
	}
	took := time.Since(start)
	return took, pair[1].Record(nil)
}

// hot returns the median time of a run in several rounds of consecutive runs. A round has as many runs as fit in 20 ms, after one that
// warms the cache.
func (t *timer) hot(pair [2]*gpu.Event, cold time.Duration) (time.Duration, error) {
	const (
		rounds  = 5
		round   = 20 * time.Millisecond
		maxRuns = 2000
	)
	if t.scratch == nil {
		return 0, nil
	}
	n := min(max(int(round/max(cold, 1)), 1), maxRuns, t.rule.maxRuns)
	var times []time.Duration
	for range rounds {
		if err := t.run(); err != nil {
			return 0, err
		}
		if err := pair[0].Record(nil); err != nil {
			return 0, err
		}
		for range n {
			if err := t.run(); err != nil {
				return 0, err
			}
		}
		if err := pair[1].Record(nil); err != nil {
			return 0, err
		}
		took, err := pair[1].Since(pair[0])
		if err != nil {
			return 0, err
		}
		times = append(times, took/time.Duration(n))
	}
	slices.Sort(times)
	return quantile(times, 0.5), nil
}
