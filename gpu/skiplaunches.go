package gpu

import (
	"slices"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// skipLaunches implements gpuhooks.SkipLaunches.
func skipLaunches(f func() error) ([]gpuhooks.Program, error) {
	const op = "leaving launches out"
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	if f, err = d.settling(f); err != nil {
		return nil, wrap(op, err)
	}
	skipped := new(skippedLaunches)
	before := pointer.Swap(&d.watchers.skipped, skipped)
	defer pointer.Store(&d.watchers.skipped, before)
	err = f()
	if syncErr := d.link.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	return skipped.programs(), err
}

// skips implements hook.Skips.
func skips(device any) bool {
	return pointer.Load[skippedLaunches](&device.(*Device).watchers.skipped) != nil
}

// skippedLaunches are the kernels of skipped launches.
type skippedLaunches struct {
	mu      sync.Mutex
	kernels []*Kernel
}

func (s *skippedLaunches) add(k *Kernel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kernels = append(s.kernels, k)
}

// programs returns the kernels' programs, each once.
func (s *skippedLaunches) programs() []gpuhooks.Program {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []gpuhooks.Program
	for _, k := range s.kernels {
		if p := (gpuhooks.Program{Name: k.mod.program.Name, Source: k.mod.program.Source}); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
