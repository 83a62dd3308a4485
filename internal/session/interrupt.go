package session

import (
	"context"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// interruptTimeout is the time in which the session process should end the cell after an interrupt: after a second it returns
// without the goroutine that still runs.
const interruptTimeout = 2 * time.Second

// An interruptState records when a running cell was first interrupted, and whether its process is killed by the
// next interrupt.
type interruptState struct {
	first   time.Time
	offered bool // whether killing the process by the next interrupt was offered
}

// Interrupt stops the cell that is being compiled or run. It returns at once. If the first interrupt had no effect within
// interruptTimeout, the next one offers to kill the session process, and the one after it does.
func (s *Session) Interrupt() {
	s.talk.interrupt()
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
	case time.Since(s.interrupts.first) > interruptTimeout:
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

// interrupted returns the error of a cell that was stopped before it ran.
func (s *Session) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil { // any error is a result of the cancellation
		return &RunError{Kind: "Interrupted", Message: "the cell was interrupted before it ran; nothing has changed"}
	}
	return err
}
