package client

import (
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// connection is the way to the device process that serves at the moment.
type connection struct {
	// mu is the lock of all parts of a link: what they note of the device must agree with the commands sent, in their order.
	mu       sync.Mutex
	p        *Process // nil: not started, or not available
	started  int      // processes so far
	progress progress
	slots    chan int // slots of the ring that nobody waits in

	// These are what stop looks at, without the lock.
	serving atomic.Pointer[Process] // p
	waiting atomic.Int32            // goroutines that wait for an answer
}

// init makes a connection that was never used.
func (c *connection) init() {
	c.progress.arrived = map[uint32]uint64{}
	c.slots = make(chan int, ring.Slots)
	for i := range ring.Slots {
		c.slots <- i
	}
}

// use makes a process, or none, the one that serves. The lock is held.
func (c *connection) use(p *Process) {
	c.p = p
	c.serving.Store(p)
}

// push sends work that nobody waits for. The lock is held.
func (c *connection) push(p *Process, cmd *wire.Command, data []byte) error {
	if err := c.note(p, cmd, data); err != nil {
		return err
	}
	c.progress.given(cmd)
	return nil
}

// note sends a command that is no work: if the process exits before it is carried out, nothing is lost, since a successor is
// given the same thing, or never has it. The lock is held.
func (c *connection) note(p *Process, cmd *wire.Command, data []byte) error {
	c.progress.number(cmd, wire.NoSlot)
	return p.send(cmd, data)
}

// tell sends a command about something that a process has and its successor would not have, such as the release of a chunk: without a
// process there is nothing to do, and if it has exited, the thing is gone with it. The lock is held.
func (c *connection) tell(cmd *wire.Command) {
	if c.p != nil {
		_ = c.note(c.p, cmd, nil)
	}
}

// request sends a request on the socket and waits for its answer, which is in req then. The lock is held, so requests never overlap.
func (c *connection) request(p *Process, req wire.Request, fd int) error {
	c.waiting.Add(1)
	defer c.waiting.Add(-1)
	c.progress.seq++
	return p.call(c.progress.seq, req, fd)
}

// busy reports whether the device process has something to do.
func (c *connection) busy() bool { return c.waiting.Load() > 0 || c.progress.pending() }

// stop kills the device process if it has anything to do. It must not wait for the lock, which may be held by someone who
// waits for that process.
func (c *connection) stop() {
	if p := c.serving.Load(); p != nil && c.busy() {
		p.stopped.Store(true)
		p.Kill()
	}
}

// close ends the device process for good, for tests and for programs that are done.
func (c *connection) close() {
	c.mu.Lock()
	p := c.p
	c.use(nil)
	c.mu.Unlock()
	if p != nil {
		p.Kill()
		<-p.Down
	}
}

// sendRange tells the device process about a range of the program, if there is a process. That it has exited shows at the
// next command that does something.
func (c *connection) sendRange(cmd *wire.Command, name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p == nil {
		return false
	}
	c.progress.number(cmd, wire.NoSlot)
	return c.p.send(cmd, []byte(name)) == nil
}
