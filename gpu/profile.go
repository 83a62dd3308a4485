package gpu

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// ProfileOption changes how Profile works.
type ProfileOption func(*profiler)

type profiler struct {
	timesOnly bool
	progress  func(ProfileProgress)
}

// TimesOnly has kernels run as they always do. Otherwise a GPU runs the first launch of each
// kernel and shape several times, to count different things each time, and the simulator runs
// all in its check mode.
func TimesOnly() ProfileOption { return func(p *profiler) { p.timesOnly = true } }

// OnProgress has f called about twice a second while a profile takes longer than a second.
func OnProgress(f func(ProfileProgress)) ProfileOption {
	return func(p *profiler) { p.progress = f }
}

// ProfileProgress says how far a profile is.
type ProfileProgress struct {
	Launches, Done int // given to the device so far, and begun there
	Elapsed        time.Duration
}

func (p ProfileProgress) String() string {
	return fmt.Sprintf("profiling: %d of %d launches so far, %.0f s", p.Done, p.Launches, p.Elapsed.Seconds())
}

// MIMEBundle is how a notebook shows it.
func (p ProfileProgress) MIMEBundle() map[string]any { return map[string]any{"text/plain": p.String()} }

// Profile runs f and says what the current device did meanwhile: its kernels with times and with what they
// read, wrote and computed, its copies, and the work of each Range. Waiting for the device at
// the end is part of it. The error is f's, or the device's; there is a report also if f fails.
//
// On a GPU the times are CUPTI's, or those of events where it is missing. What is counted comes
// from the GPU's counters, which not everybody may read; then a note says what to do. Operations are
// counted by copies of the programs, which run once more. The
// simulator has no times of a GPU; it counts what kernels do in its check mode.
func Profile(f func() error, opts ...ProfileOption) (*ProfileReport, error) {
	const op = "profiling"
	var o profiler
	for _, opt := range opts {
		opt(&o)
	}
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	counts := l.Properties().Simulated && !o.timesOnly
	if err := d.startProfile(o.timesOnly); err != nil {
		return nil, wrap(op, err)
	}
	endChecks := func() {}
	if counts {
		endChecks = l.WatchAll()
	}
	stopTelling := d.tell(o.progress)
	begin := time.Now()
	err = f()
	if syncErr := l.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	wall := time.Since(begin)
	stopTelling()
	endChecks()
	p, raw, stopErr := d.stopProfile()
	if stopErr != nil {
		return nil, errors.Join(err, wrap(op, stopErr))
	}
	r := newProfileReport(d, p, raw)
	r.Wall = wall
	if counts {
		checked, checkErr := d.report()
		if err == nil {
			err = wrap(op, checkErr)
		}
		if n := len(checked.Findings); n > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("Check mode found %s on the way; the first: %s. gpu.Check and %%%%cuda --check tell all.",
				plural(n, "defect", "defects"), describeFinding(&checked.Findings[0])))
		}
	}
	return r, err
}

// profile is what the session knows of a profile under way.
type profile struct {
	mu      sync.Mutex
	kernels map[uint32]*Kernel // by the handles that were launched
	seqs    []uint64           // of the launches
}

// launched notes a launch, whose command may be for the kernel's twin in check mode.
func (p *profile) launched(k *Kernel, c *wire.Command) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernels[c.Func] = k
	p.seqs = append(p.seqs, c.Seq)
}

func (d *Device) startProfile(timesOnly bool) error {
	l := d.link
	err := l.With(func(p *client.Process) error {
		if d.watchers.profile.Load() != nil {
			return misuse("", "a profile of %s is under way: wait for its end", l.Name())
		}
		err := l.Request(p, &wire.StartProfile{TimesOnly: timesOnly})
		if err == nil {
			d.watchers.profile.Store(&profile{kernels: map[uint32]*Kernel{}})
		}
		return err
	})
	if err == nil {
		registry.profiles.Add(1)
	}
	return err
}

func (d *Device) stopProfile() (p *profile, raw *backend.Profile, err error) {
	registry.profiles.Add(-1)
	p = d.watchers.profile.Swap(nil)
	req := &wire.StopProfile{}
	err = d.link.Ask(req)
	return p, &req.Profile, err
}

// tell calls f now and then until the returned function is called.
func (d *Device) tell(f func(ProfileProgress)) (stop func()) {
	if f == nil {
		return func() {}
	}
	const first, every = time.Second, 500 * time.Millisecond
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		begin := time.Now()
		next := time.NewTimer(first)
		defer next.Stop()
		for {
			select {
			case <-done:
				return
			case <-next.C:
				f(d.progress(time.Since(begin)))
				next.Reset(every)
			}
		}
	})
	return func() { close(done); wait.Wait() }
}

// progress compares the launches that were sent with the command that is being carried out.
func (d *Device) progress(elapsed time.Duration) ProfileProgress {
	progress := ProfileProgress{Elapsed: elapsed}
	p := d.watchers.profile.Load()
	if p == nil {
		return progress
	}
	serving := d.link.Serving()
	p.mu.Lock()
	defer p.mu.Unlock()
	progress.Launches = len(p.seqs)
	for _, seq := range p.seqs {
		if seq <= serving {
			progress.Done++
		}
	}
	return progress
}
