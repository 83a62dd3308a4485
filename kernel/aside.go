package kernel

// asides are the requests that do not wait for the cells before them: a front end sends them while a user types. While there are cells
// they have a separate queue.
var asides = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
	"comm_info_request":   true,
}

// talks are the messages of comms. They have a queue of their own, so that a cell can react to a widget while it runs. Cells wait for the
// messages that came before them.
var talks = map[string]bool{
	"comm_open":  true,
	"comm_msg":   true,
	"comm_close": true,
}

// stillBusy repeats the busy status if a cell runs. Front ends take the end of any request to mean that the kernel is idle.
func (s *server) stillBusy() {
	// The lock prevents the cell from ending, and from publishing that, in between.
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	if out := s.running.out; out != nil {
		s.status(out.req, "busy")
	}
}

// subscribe handles a subscription to iopub.
func (s *server) subscribe(from *peer, frames [][]byte) {
	// As above.
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	state := "idle"
	if s.running.out != nil {
		state = "busy"
	}
	s.iopub.handle(from, frames, state)
}
