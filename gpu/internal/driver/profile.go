package driver

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/cupti"
)

// profiling is what a device keeps for profiles.
type profiling struct {
	lib      *cupti.Library // nil until the first profile
	counts   bool           // the counters are ready
	counting uint64         // the tag of the kernel that is being counted, or 0
	counted  map[uint64]backend.Counters
	failed   error // why counting has ended early
}

// StartProfile is part of backend.Profiler.
func (d *device) StartProfile(count bool) (notes []string, err error) {
	p := &d.profile
	if p.lib == nil {
		files := cuptiCandidates(searchPlaces(), d.props.DriverVersion/1000)
		if p.lib, err = cupti.Open(files); err != nil {
			return nil, fmt.Errorf("there is no CUPTI, NVIDIA's library for profilers, which comes with the CUDA toolkit or with pip install nvidia-cuda-cupti: %w", err)
		}
	}
	// Work that was asked for earlier is not part of the profile.
	if err := d.Sync(); err != nil {
		return nil, err
	}
	if err := p.lib.StartRecords(); err != nil {
		return nil, err
	}
	p.counts, p.counting, p.counted, p.failed = false, 0, map[uint64]backend.Counters{}, nil
	if count {
		if err := p.lib.StartCounters(d.context, int(d.ordinal)); err != nil {
			return []string{cupti.Explain(err)}, nil
		}
		p.counts = true
	}
	return nil, nil
}

// Tag is part of backend.Profiler.
func (d *device) Tag(tag uint64, count bool) {
	p := &d.profile
	if p.counting != 0 {
		counters, err := p.lib.EndCount()
		p.note(err)
		if counters != nil {
			p.counted[p.counting] = counters
		}
		p.counting = 0
	}
	p.lib.Tag(tag)
	if !count || !p.counts {
		return
	}
	if err := p.lib.BeginCount(); err != nil {
		p.note(err)
		return
	}
	p.counting = tag
}

// note has the profile go on without counting.
func (p *profiling) note(err error) {
	if err != nil {
		p.counts = false
		p.failed = errors.Join(p.failed, err)
	}
}

// StopProfile is part of backend.Profiler.
func (d *device) StopProfile() (records []backend.Record, notes []string, err error) {
	p := &d.profile
	err = d.Sync()
	d.Tag(0, false)
	list, stopErr := p.lib.StopRecords()
	if err := errors.Join(err, stopErr, p.lib.StopCounters()); err != nil {
		return nil, nil, err
	}
	if p.failed != nil {
		notes = append(notes, cupti.Explain(p.failed))
	}
	seen := map[uint64]bool{}
	for _, r := range list {
		if c := p.counted[r.Tag]; c != nil && r.Kind == backend.WorkKernel {
			if seen[r.Tag] { // a repetition
				continue
			}
			seen[r.Tag] = true
			r.Counters = c
			r.Time = time.Duration(c[backend.MetricDuration])
		}
		records = append(records, r)
	}
	for tag, c := range p.counted {
		if !seen[tag] {
			records = append(records, backend.Record{Tag: tag, Kind: backend.WorkKernel, Counters: c, Time: time.Duration(c[backend.MetricDuration])})
		}
	}
	return records, notes, nil
}

// cuptiCandidates lists what to open, as nvrtcCandidates does. A CUPTI older than the driver works, a newer
// one may not.
func cuptiCandidates(places []string, driverMajor int) []string {
	var files []string
	for major := driverMajor; major >= 12; major-- {
		name := fmt.Sprintf("libcupti.so.%d", major)
		for _, place := range places {
			for _, sub := range []string{"lib64", "lib", "extras/CUPTI/lib64", "lib/x86_64-linux-gnu"} {
				if path := filepath.Join(place, sub, name); exists(path) {
					files = append(files, path)
				}
			}
		}
		files = append(files, name)
	}
	return files
}
