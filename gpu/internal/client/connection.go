package client

import (
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// connection is the connection to the current device process.
type connection struct {
	// mu is the lock of all parts of a link: their records of the device must agree with the commands sent, in their order.
	mu       sync.Mutex
	p        *Process // nil if not started or not available
	started  int      // processes started so far
	progress progress
	slots    chan int // slots of the ring without a waiting goroutine

	// stop reads these without the lock.
	serving pointer.Atomic // *Process: p
	waiting atomic.Int32   // goroutines that wait for an answer
}

// init initializes a new connection.
func (c *connection) init() {
	c.progress.arrived = map[uint32]uint64{}
	c.slots = make(chan int, ring.Slots)
	for i := range ring.Slots {
		c.slots <- i
	}
}

// use sets the current process, which may be nil. The lock is held.
func (c *connection) use(p *Process) {
	c.p = p
	pointer.Store(&c.serving, p)
}

// push sends work without waiting for it. The lock is held.
func (c *connection) push(p *Process, cmd *wire.Command, data []byte) error {
	if err := c.note(p, cmd, data); err != nil {
		return err
	}
	c.progress.given(cmd)
	return nil
}

// note sends a command that is not work: if the process exits before it executes the command, nothing is lost, since the successor is
// restored accordingly. The lock is held.
func (c *connection) note(p *Process, cmd *wire.Command, data []byte) error {
	c.progress.number(cmd, wire.NoSlot)
	return p.send(cmd, data)
}

// tell sends a command about an object that the process has and its successor would not have, such as the release of a chunk: without a
// process, or if it has exited, there is nothing to do. The lock is held.
func (c *connection) tell(cmd *wire.Command) {
	if c.p != nil {
		_ = c.note(c.p, cmd, nil)
	}
}

// request sends a request on the socket and waits for its answer, which is then in req. The lock is held, so requests never overlap.
func (c *connection) request(p *Process, req wire.Request, fd int) error {
	c.waiting.Add(1)
	defer c.waiting.Add(-1)
	c.progress.seq++
	return p.call(c.progress.seq, req, fd)
}

// busy reports whether the device process has unfinished work.
func (c *connection) busy() bool { return c.waiting.Load() > 0 || c.progress.pending() }

// stop kills the device process if it has unfinished work. It must not wait for the lock, which may be held by a goroutine that waits for
// that process.
func (c *connection) stop() {
	if p := pointer.Load[Process](&c.serving); p != nil && c.busy() {
		p.stopped.Store(true)
		p.Kill()
	}
}

// close ends the device process for good, for tests and for programs that have finished.
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

// sendRange informs the device process of a range of the program, if there is a process. If it has exited, the next command that is work
// detects that.
func (c *connection) sendRange(cmd *wire.Command, name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p == nil {
		return false
	}
	c.progress.number(cmd, wire.NoSlot)
	return c.p.send(cmd, []byte(name)) == nil
}
