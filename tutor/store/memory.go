package store

import (
	"context"
	"sync"

	"github.com/gopherwarp/gopherwarp/tutor"
)

// A Memory is a tutor.Store that ends with its process.
type Memory struct {
	mu    sync.Mutex
	state []byte // nil if there is none
}

var _ tutor.Store = (*Memory)(nil)

// InMemory returns an empty Memory.
func InMemory() *Memory { return &Memory{} }

// Update implements tutor.Store.
func (m *Memory) Update(_ context.Context, change func(*tutor.Learner) (*tutor.Learner, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var old *tutor.Learner
	if m.state != nil {
		var err error
		if old, err = tutor.Decode(m.state); err != nil {
			return err
		}
	}
	l, err := change(old)
	if err != nil || l == nil {
		return err
	}
	state, err := l.Encode()
	if err == nil {
		m.state = state
	}
	return err
}

// Reset implements tutor.Store. The state is kept nowhere.
func (m *Memory) Reset(context.Context) (kept string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = nil
	return "", nil
}
