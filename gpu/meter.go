package gpu

import (
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// bytesUsed implements hook.BytesUsed.
func bytesUsed(f func() error) (int64, error) {
	d, err := Current()
	if err != nil {
		return 0, err
	}
	if f, err = d.settling(f); err != nil {
		return 0, err
	}
	m := &meter{seen: map[reference]bool{}}
	pointer.Store(&d.watchers.meter, m)
	defer pointer.Store[meter](&d.watchers.meter, nil)
	err = f()
	return m.total(), err
}

// A meter counts the buffers that are arguments of launches.
type meter struct {
	mu   sync.Mutex
	seen map[reference]bool
}

func (m *meter) note(refs []reference) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range refs {
		r.param = 0 // the same buffer counts once
		m.seen[r] = true
	}
}

func (m *meter) total() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var n int64
	for r := range m.seen {
		n += int64(r.bytes)
	}
	return n
}
