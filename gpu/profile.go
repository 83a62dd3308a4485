package gpu

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
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
	counts := l.properties().Simulated && !o.timesOnly
	if err := l.startProfile(o.timesOnly, counts); err != nil {
		return nil, wrap(op, err)
	}
	stopTelling := l.tell(o.progress)
	begin := time.Now()
	err = f()
	if syncErr := l.sync(); err == nil {
		err = wrap(op, syncErr)
	}
	wall := time.Since(begin)
	stopTelling()
	p, raw, stopErr := l.stopProfile(counts)
	if stopErr != nil {
		return nil, errors.Join(err, wrap(op, stopErr))
	}
	r := newProfileReport(d, p, raw)
	r.Wall = wall
	if counts {
		checked, checkErr := l.report()
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

// profile is what the session knows of a profile under way. The link's lock guards it.
type profile struct {
	kernels map[uint32]*Kernel // by the handles that were launched
	seqs    []uint64           // of the launches
}

// launched notes a launch, whose command may be for the kernel's twin in check mode.
func (p *profile) launched(k *Kernel, c *wire.Command) {
	p.kernels[c.Func] = k
	p.seqs = append(p.seqs, c.Seq)
}

func (l *link) startProfile(timesOnly, checked bool) error {
	err := l.with(func(p *process) error {
		if l.profile != nil {
			return misuse("", "a profile of %s is under way: wait for its end", l.name())
		}
		if err := l.request(p, &wire.StartProfile{TimesOnly: timesOnly}, -1); err != nil {
			return err
		}
		l.profile = &profile{kernels: map[uint32]*Kernel{}}
		if checked {
			l.checks.all++
		}
		return nil
	})
	if err == nil {
		registry.profiles.Add(1)
	}
	return err
}

func (l *link) stopProfile(checked bool) (p *profile, raw *backend.Profile, err error) {
	registry.profiles.Add(-1)
	l.mu.Lock()
	p, l.profile = l.profile, nil
	if checked {
		l.checks.all--
	}
	l.mu.Unlock()
	req := &wire.StopProfile{}
	err = l.with(func(q *process) error { return l.request(q, req, -1) })
	return p, &req.Profile, err
}

// tell calls f now and then until the returned function is called.
func (l *link) tell(f func(ProfileProgress)) (stop func()) {
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
				f(l.progress(time.Since(begin)))
				next.Reset(every)
			}
		}
	})
	return func() { close(done); wait.Wait() }
}

// progress compares the launches that were sent with the command that is being carried out.
func (l *link) progress(elapsed time.Duration) ProfileProgress {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := ProfileProgress{Elapsed: elapsed}
	if l.profile == nil {
		return p
	}
	p.Launches = len(l.profile.seqs)
	if l.p != nil {
		serving := l.p.seg.Serving()
		for _, seq := range l.profile.seqs {
			if seq <= serving {
				p.Done++
			}
		}
	}
	return p
}
