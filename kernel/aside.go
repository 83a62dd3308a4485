package kernel

// asides are the requests that do not wait for the cells before them: a front end sends them while a user types. While there are cells
// they have a separate queue.
var asides = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
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
