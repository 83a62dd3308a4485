package gpu

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// runProfile implements hook.Profile.
func runProfile(f func() error, timesOnly bool, progress func(hook.Progress)) (*hook.Profiled, error) {
	const op = "profiling"
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	if f, err = d.settling(f); err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	counts := l.Properties().Simulated && !timesOnly
	if err := d.startProfile(timesOnly); err != nil {
		return nil, wrap(op, err)
	}
	endChecks := func() {}
	if counts {
		endChecks = l.WatchAll()
	}
	stopTelling := d.tell(progress)
	begin := time.Now()
	err = orElse(f, func() { // a panic must not leave the device in a profile
		stopTelling()
		endChecks()
		_, _, _ = d.stopProfile()
	})
	if syncErr := l.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	r := &hook.Profiled{Wall: time.Since(begin)}
	stopTelling()
	endChecks()
	p, raw, stopErr := d.stopProfile()
	if stopErr != nil {
		return nil, errors.Join(err, wrap(op, stopErr))
	}
	raw.Notes = append(raw.Notes, p.notes(d.Name())...)
	r.Profile, r.Symbols, r.Kernels = raw, l.Symbols(), map[uint32]hook.Kernel{}
	for fn, k := range p.kernels {
		r.Kernels[fn] = hook.Kernel{
			Name: k.name, Registers: k.info.NumRegs, StaticShared: k.info.SharedSizeBytes,
			Occupancy: func(threads, sharedBytes int) (float64, error) {
				o, err := k.Occupancy(threads, sharedBytes)
				return o.Fraction, err
			},
		}
	}
	if counts {
		var checkErr error
		if r.Checked, checkErr = d.report(); err == nil {
			err = wrap(op, checkErr)
		}
	}
	return r, err
}

// orElse returns the error of f, and calls abandoned if f does not return: if it panics, or ends its goroutine.
func orElse(f func() error, abandoned func()) error {
	returned := false
	defer func() {
		if !returned {
			abandoned()
		}
	}()
	err := f()
	returned = true
	return err
}

// profile is the session's part of a running profile.
type profile struct {
	mu        sync.Mutex
	kernels   map[uint32]*Kernel // by the handles of their launches
	seqs      []uint64           // of the launches
	elsewhere map[string]string  // the devices of launches that the profile does not see, by the name of the kernel
}

// noteElsewhere records the launch of a kernel, which runs on a device that is not profiled, with the running profiles.
func noteElsewhere(k *Kernel) {
	for _, d := range known() {
		if p := pointer.Load[profile](&d.watchers.profile); p != nil {
			p.mu.Lock()
			p.elsewhere[k.name] = k.mod.dev.Name()
			p.mu.Unlock()
		}
	}
}

// notes returns a sentence for each kernel that ran on a device other than the profiled one.
func (p *profile) notes(profiled string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.elsewhere)) {
		on := p.elsewhere[name]
		list = append(list, fmt.Sprintf("Kernel %s was compiled for %s and ran there, while %s was profiled: choose that device before the profile (in a notebook: %%gpu %s), or compile the kernel again for %s.",
			name, on, profiled, on, profiled))
	}
	return list
}

// launched records a launch, whose command may be for the kernel's twin in check mode.
func (p *profile) launched(k *Kernel, c *wire.Command) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernels[c.Func] = k
	p.seqs = append(p.seqs, c.Seq)
}

func (d *Device) startProfile(timesOnly bool) error {
	l := d.link
	err := l.With(func(p *client.Process) error {
		if pointer.Load[profile](&d.watchers.profile) != nil {
			return misuse("", "a profile of %s is under way: wait for its end", l.Name())
		}
		err := l.Request(p, &wire.StartProfile{TimesOnly: timesOnly})
		if err == nil {
			pointer.Store(&d.watchers.profile, &profile{kernels: map[uint32]*Kernel{}, elsewhere: map[string]string{}})
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
	p = pointer.Swap[profile](&d.watchers.profile, nil)
	req := &wire.StopProfile{}
	err = d.link.Ask(req)
	return p, &req.Profile, err
}

// tell calls f at intervals until the returned function is called.
func (d *Device) tell(f func(hook.Progress)) (stop func()) {
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

// progress returns how many launches were sent, and how many of them the device has begun.
func (d *Device) progress(elapsed time.Duration) hook.Progress {
	progress := hook.Progress{Elapsed: elapsed}
	p := pointer.Load[profile](&d.watchers.profile)
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
