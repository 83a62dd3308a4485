package kernel

// asides are the requests that don't wait for the cells before them: a front end asks them while
// somebody types. While there are cells they go into a line of their own.
var asides = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
}

// stillBusy says once more that a cell runs, if one does. Front ends take the end of any
// request to mean that the kernel is idle.
func (s *server) stillBusy() {
	// The lock keeps the cell from ending, and from saying so, in between.
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	if out := s.running.out; out != nil {
		s.status(out.req, "busy")
	}
}
