package kernel

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// subshells are the subshells by id. A subshell is a queue of requests in addition to the main shell's, so that a front end need not wait
// for a cell. Cells still run one at a time, whichever queue they were in, and share one count, because an engine names them by it.
type subshells struct {
	mu   sync.Mutex
	open map[string]*queue
}

func (s *subshells) find(id string) *queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

func unknownSubshell(id string) error {
	return &CellError{Name: "SubshellNotFound", Value: fmt.Sprintf("there is no subshell %q", id)}
}

// shellOf returns the queue that a request belongs to, or nil if there is none.
func (s *server) shellOf(r *request) *queue {
	if id := r.msg.Header.Subshell; id != "" {
		return s.subshells.find(id)
	}
	switch kind := r.msg.Header.Type; {
	case talks[kind]:
		return s.talk
	case asides[kind] && s.shell.hasCells():
		return s.aside
	}
	return s.shell
}

func (s *server) createSubshell(ctx context.Context, _ *request) (any, error) {
	q := newQueue(shellHandlers)
	id := newID()
	s.subshells.mu.Lock()
	if s.subshells.open == nil {
		s.subshells.open = make(map[string]*queue)
	}
	s.subshells.open[id] = q
	s.subshells.mu.Unlock()
	s.workers.Go(func() { s.work(ctx, q) })
	return map[string]any{"status": "ok", "subshell_id": id}, nil
}

// deleteSubshell closes a subshell; requests that are in its queue are still answered.
func (s *server) deleteSubshell(_ context.Context, r *request) (any, error) {
	var c struct {
		ID string `json:"subshell_id"`
	}
	if err := r.msg.DecodeContent(&c); err != nil {
		return nil, err
	}
	s.subshells.mu.Lock()
	defer s.subshells.mu.Unlock()
	q := s.subshells.open[c.ID]
	if q == nil {
		return nil, unknownSubshell(c.ID)
	}
	delete(s.subshells.open, c.ID)
	q.close()
	return map[string]any{"status": "ok"}, nil
}

func (s *server) listSubshells(context.Context, *request) (any, error) {
	s.subshells.mu.Lock()
	defer s.subshells.mu.Unlock()
	ids := []string{}
	for id := range s.subshells.open {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return map[string]any{"status": "ok", "subshell_id": ids}, nil
}
