package driver

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/cupti"
	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// profiling is the state of a device's profile.
type profiling struct {
	lib     *cupti.Library // nil until the first profile
	wanted  bool           // operations of kernels are to be counted
	counts  bool           // the counters can be used
	counted map[uint64]backend.Counters
	twins   uint32 // number of functions with counters so far
	notes   []string
}

// unseen is the tag of work that is not part of the profile.
const unseen = math.MaxUint64

// StartProfile implements backend.Profiler.
func (d *device) StartProfile(count bool) (err error) {
	p := &d.profile
	if p.lib == nil {
		files := cuptiCandidates(toolkit.Directories(), d.props.DriverVersion/1000)
		if p.lib, err = cupti.Open(files); err != nil {
			return fmt.Errorf("there is no CUPTI, NVIDIA's library for profilers, which comes with the CUDA toolkit or with pip install nvidia-cuda-cupti: %w", err)
		}
	}
	// Work that was submitted before is not part of the profile.
	if err := d.Sync(); err != nil {
		return err
	}
	if err := p.lib.StartRecords(); err != nil {
		return err
	}
	p.wanted, p.counts, p.counted, p.notes = count, false, map[uint64]backend.Counters{}, nil
	if count {
		err := p.lib.StartCounters(d.context, int(d.ordinal))
		p.counts = err == nil
		p.note(err)
	}
	return nil
}

// note adds a note that says why not everything was counted, and say adds a text, each once.
func (p *profiling) note(err error) {
	if err != nil {
		p.say(cupti.Explain(err))
	}
}

func (p *profiling) say(text string) {
	if !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

// Now implements backend.Profiler.
func (d *device) Now() time.Duration { return d.profile.lib.Now() }

// Tag implements backend.Profiler.
func (d *device) Tag(tag uint64) { d.profile.lib.Tag(tag) }

// LaunchCounted implements backend.Profiler. The kernel runs once more for its operations, and a dozen times for the GPU's
// counters. Memory is restored after all but one of these runs.
func (d *device) LaunchCounted(tag uint64, l *backend.Launch) error {
	p := &d.profile
	if !p.wanted {
		return d.Launch(l)
	}
	p.lib.Tag(unseen)
	all, reason, err := d.countOperations(l)
	p.lib.Tag(tag)
	if err != nil {
		return err
	}
	if reason != nil {
		p.say("The operations of a kernel were not counted: " + reason.Error() + ".")
	}
	counted, err := d.launchWithCounters(l)
	if err != nil {
		return err
	}
	if all == nil {
		all = counted
	}
	maps.Copy(all, counted)
	if all != nil {
		p.counted[tag] = all
	}
	return nil
}

// launchWithCounters is like Launch, and reads the GPU's counters if possible.
func (d *device) launchWithCounters(l *backend.Launch) (backend.Counters, error) {
	p := &d.profile
	if !p.counts {
		return nil, d.Launch(l)
	}
	if err := p.lib.BeginCount(); err != nil {
		p.note(err)
		p.counts = false
		return nil, d.Launch(l)
	}
	err := d.Launch(l)
	counted, reason := p.lib.EndCount()
	if reason != nil && err == nil {
		p.note(reason)
		p.counts = false
	}
	return counted, err
}

// StopProfile implements backend.Profiler.
func (d *device) StopProfile() (records []backend.Record, notes []string, err error) {
	p := &d.profile
	err = d.Sync()
	list, stopErr := p.lib.StopRecords()
	if err := errors.Join(err, stopErr, p.lib.StopCounters()); err != nil {
		return nil, nil, err
	}
	seen := map[uint64]bool{}
	for _, r := range list {
		if r.Tag == unseen {
			continue
		}
		if c := p.counted[r.Tag]; c != nil && r.Kind == backend.WorkKernel {
			if seen[r.Tag] { // a repetition
				continue
			}
			seen[r.Tag] = true
			r.Counters = c
			if ns, ok := c[backend.MetricDuration]; ok {
				r.Time = time.Duration(ns)
			}
		}
		records = append(records, r)
	}
	return records, p.notes, nil
}

// cuptiCandidates returns the files to open, as nvrtcCandidates does. A CUPTI older than the driver works, a newer one may not.
func cuptiCandidates(places []string, driverMajor int) []string {
	var files []string
	for major := driverMajor; major >= 12; major-- {
		name := fmt.Sprintf("libcupti.so.%d", major)
		for _, place := range places {
			for _, sub := range []string{"lib64", "lib", "extras/CUPTI/lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"} {
				if path := filepath.Join(place, sub, name); exists(path) {
					files = append(files, path)
				}
			}
		}
		files = append(files, name)
	}
	return files
}
