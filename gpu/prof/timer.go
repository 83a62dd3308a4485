package prof

import (
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// timer is a measurement under way.
type timer struct {
	timing
	device *gpu.Device
	run    func() error
	// scratch is memory to fill the L2 cache with, or nil where that has no use.
	scratch *gpu.Buffer[byte]
	reader  *gpu.Kernel // reads scratch; nil if there is no compiler
	pairs   [batch][2]*gpu.Event
	// overhead is the time between two events with nothing between them.
	overhead time.Duration
}

// batch is how many runs are measured between two waits.
const batch = 32

// makeEvents makes the pairs of events, and times some with nothing between them. On the simulator there is
// nothing to take off: its events are readings of a clock.
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
	for range 3 { // the last round counts
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

// takeScratch gets memory of twice the size of the cache, so that nothing stays.
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

// flushSource reads memory, and never writes what it finds.
const flushSource = `extern "C" __global__ void gopherwarp_flush(void *memory, unsigned long long n) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n && ((const uint4 *)memory)[i].x == 0) *(int *)memory = 0;
}`

func (t *timer) giveScratch() {
	if t.scratch != nil {
		_ = t.scratch.Free()
	}
}

// flush fills the L2 cache with something else. It is read, as what is written would still have to go to
// memory while the run is timed. A launch with nothing to do follows, so that what is timed is not behind one
// that has kept the memory busy to its end: on an H200 that makes half a microsecond.
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

// fill overwrites the memory with what the reader does not look for.
func (t *timer) fill() error { return t.scratch.FillAsync(nil, 1) }

// warmUp runs f without measuring, and finds out which buffers it uses.
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

// measure runs f in batches with events around each run and waits only after a batch, so
// that waiting does not get between the runs.
func (t *timer) measure() (Timing, error) {
	clock := newClock(t.device)
	var device, cpu []time.Duration
	begin := time.Now()
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

// copyRate returns the rate to compare with, if there is something to compare.
func (t *timer) copyRate() float64 {
	if t.bytes == 0 {
		return 0
	}
	return copyGBs(t.device)
}

// net takes off what events take themselves.
func (t *timer) net(took time.Duration) time.Duration { return max(took-t.overhead, 1) }

// once measures one run and returns the time of the call itself.
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

// hot is the median of some rounds of runs that follow one another. A round is as many as fit in
// some milliseconds, one more before them warming the cache.
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
