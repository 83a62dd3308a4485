package kernel

import (
	"slices"
	"sync"
)

// begun are the requests to run a cell that have begun and not ended: the one that runs, and those of other shells that wait for it.
type begun struct {
	mu    sync.Mutex
	cells []*request
}

// begin publishes that the kernel is busy with a request.
func (s *server) begin(r *request) {
	s.begun.mu.Lock()
	defer s.begun.mu.Unlock()
	if cells(r) > 0 {
		s.begun.cells = append(s.begun.cells, r)
	}
	s.status(r, "busy")
}

// end publishes that a request has ended. Front ends take the end of any request to mean that the kernel is idle, so end repeats the
// busy status of a cell that has not ended.
func (s *server) end(r *request) {
	s.begun.mu.Lock()
	defer s.begun.mu.Unlock()
	s.begun.cells = slices.DeleteFunc(s.begun.cells, func(other *request) bool { return other == r })
	s.status(r, "idle")
	if len(s.begun.cells) > 0 {
		s.status(s.begun.cells[0], "busy")
	}
}

func (s *server) status(r *request, state string) {
	s.iopub.send("status", r.msg.RawHeader, map[string]any{"execution_state": state})
	if state == "idle" {
		s.iopub.resetPace()
	}
}

// subscribe handles a subscription to iopub.
func (s *server) subscribe(from *peer, frames [][]byte) {
	// The lock prevents a cell from beginning or ending in between.
	s.begun.mu.Lock()
	defer s.begun.mu.Unlock()
	state := "idle"
	if len(s.begun.cells) > 0 {
		state = "busy"
	}
	s.iopub.handle(from, frames, state)
}
