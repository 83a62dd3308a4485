package session

import (
	"context"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// patience is how long after an interrupt the session process is expected to have ended the
// cell: it leaves a goroutine behind after a second.
const patience = 2 * time.Second

// An interruptState says when a running cell was first interrupted, and whether ending its process was offered.
type interruptState struct {
	first   time.Time
	offered bool // to end the process by the next interrupt
}

// Interrupt stops the cell that is being compiled or run. It returns at once. A second one
// that comes when the first should have worked offers to end the session process, which a
// third one does.
func (s *Session) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.active
	switch {
	case p == nil:
		if s.cancel != nil {
			s.cancel()
		}
		return
	case s.interrupts.offered:
		p.kill("it was interrupted three times and did not react")
		return
	case s.interrupts.first.IsZero():
		s.interrupts.first = time.Now()
	case time.Since(s.interrupts.first) > patience:
		s.interrupts.offered = true
		s.out.Stream("stderr", "The Go session does not react to the interrupt. Interrupt once more to end it and begin a new one: its variables will be lost.\n")
	}
	if s.debugger != nil {
		s.debugger.Interrupted()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(proto.Request{Op: proto.OpInterrupt})
}

// interrupted is the error for a cell that was stopped before it ran.
func (s *Session) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil { // whatever that made of it
		return &RunError{Kind: "Interrupted", Message: "the cell was interrupted before it ran; nothing has changed"}
	}
	return err
}
