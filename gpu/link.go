package gpu

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A link is the session's end of one device, whichever process serves it at the moment.
// Commands go to the present process; what a new one must be given to take over (chunks,
// modules, streams, events) is kept here.
type link struct {
	asked string              // the name it was asked for by: "auto", "sim", "cuda:0"
	spec  pointer[string]     // the same until it is open, then the name it has
	hello pointer[wire.Hello] // of the first process
	slots chan int            // slots of the ring that nobody waits in
	parts chan *part          // the staging area
	meter pointer[meter]      // while Time finds out what a run uses
	// copyRate is that of copies on the device, once measured, as a float64's bits.
	copyRate atomic.Uint64
	fault    pointer[Error] // of lost work; handed to whoever asks next
	// These are what stop may look at without the lock.
	serving pointer[process]
	waiting atomic.Int32  // goroutines in await or request
	unheard atomic.Bool   // there are losses
	work    atomic.Uint64 // last command sent that changes something on the device
	settled atomic.Uint64 // every command up to here is known to be done

	mu      sync.Mutex
	p       *process // nil: not started, or not to be had
	staging *staging
	seq     uint64            // last command sent
	started int               // processes started, for Status
	marks   marks             // launches of late
	arrived map[uint32]uint64 // by stream: the last command known to be done, if later than settled
	losses  []loss            // since the last Sync

	checks   checks
	shuffle  atomic.Uint32           // see Shuffle
	witness  atomic.Pointer[witness] // see Downloads
	idle     atomic.Pointer[leftOut] // see Idle
	profile  *profile                // nil: none is under way
	heap     heap.Heap
	pool     pool
	chunks   map[uint64]*chunk // by address
	live     map[*allocation]struct{}
	unused   []*allocation      // freed, but perhaps still in use by a stream
	pinned   map[uint32]*pinned // host memory that the process knows, by its number
	streamed bool               // work was given to other streams than 0 since the last Sync
	modules  map[uint32]*loaded
	graphs   map[uint32]*recording
	textures map[uint32]*textureState
	peers    map[*chunk]peerChunk  // other devices' memory
	captures map[uint32]*recording // by stream: what it is given is recorded
	streams  map[uint32]int32      // handle to priority
	events   map[uint32]bool       // handle to whether it has no clock
	handles  uint32                // last one given out
	managed  map[*managed]struct{} // memory that kernels and the host share
	// libraries are those that a device process was found to have.
	libraries map[routine.Family]bool
	// collect is the size of the heap at which the garbage collector is asked whether
	// there are buffers that nobody can reach any more.
	collect uint64
	limit   uint64 // of the heap's size; 0 if there is none
}

// pointer is atomic.Pointer under a name that reads well in a struct.
type pointer[T any] = atomic.Pointer[T]

func newLink(spec string) *link {
	l := &link{
		asked:   spec,
		slots:   make(chan int, ring.Slots),
		chunks:  map[uint64]*chunk{},
		modules: map[uint32]*loaded{},
		streams: map[uint32]int32{},
		events:  map[uint32]bool{},
		live:    map[*allocation]struct{}{},
		pinned:  map[uint32]*pinned{},
		graphs:  map[uint32]*recording{},

		textures: map[uint32]*textureState{},
		peers:    map[*chunk]peerChunk{},
		arrived:  map[uint32]uint64{},
		collect:  firstCollect,
	}
	l.spec.Store(&spec)
	for i := range ring.Slots {
		l.slots <- i
	}
	return l
}

// running returns the device process, starting it if need be. An error of lost work comes
// out here, so that nothing is built on results that never came about. The lock is held.
func (l *link) running() (*process, error) {
	if l.fault.Load() != nil { // looking is cheaper than taking
		if f := l.fault.Swap(nil); f != nil {
			return nil, f
		}
	}
	if l.p == nil {
		if err := l.start(); err != nil {
			return nil, err
		}
	}
	return l.p, nil
}

// with runs fn with the device process under the lock. If the process turns out to be
// dead, and nothing was lost with it, fn runs a second time, with its successor.
func (l *link) with(fn func(p *process) error) error {
	for again := true; ; again = false {
		l.mu.Lock()
		p, err := l.running()
		if err == nil {
			err = fn(p)
		}
		l.mu.Unlock()
		if !errors.Is(err, errGone) {
			return err
		}
		if err := l.mourn(p); err != nil {
			return err
		}
		if !again {
			return l.died()
		}
	}
}

// mourn waits until a dead process has been dealt with and returns what was lost with it.
func (l *link) mourn(p *process) error {
	<-p.down
	if p.fault == nil {
		return nil
	}
	l.fault.CompareAndSwap(p.fault, nil) // it is being reported
	return p.fault
}

func (l *link) died() *Error {
	return &Error{
		Code: codeUnknown, Name: "CUDA_ERROR_UNKNOWN",
		Message: "the device process died twice while carrying this out; buffers keep their contents",
	}
}

// push sends a command that nobody waits for. The lock is held.
func (l *link) push(p *process, c *wire.Command, data []byte) error {
	l.seq++
	c.Seq, c.Slot = l.seq, wire.NoSlot
	if err := p.send(c, data); err != nil {
		return err
	}
	l.work.Store(l.seq)
	if c.Stream != 0 {
		l.streamed = true
	}
	return nil
}

// submit is push of work on allocations, each of which may be nil, or its recording if the
// stream is captured. The lock is held.
func (l *link) submit(p *process, c *wire.Command, data []byte, on ...*allocation) error {
	if r := l.captures[c.Stream]; r != nil {
		return r.add(c, data, on...)
	}
	if err := l.push(p, c, data); err != nil {
		return err
	}
	for _, a := range on {
		a.touch(c.Seq, c.Stream)
	}
	return nil
}

// post sends a command that nobody waits for, about an allocation (or nil).
func (l *link) post(a *allocation, c *wire.Command, data []byte) error {
	err := l.with(func(p *process) error {
		err := a.usable()
		if c.Op == wire.OpCopy {
			err = errors.Join(err, a.lost()) // it copies within the allocation
		}
		if err != nil {
			return err
		}
		return l.submit(p, c, data, a)
	})
	l.told(a, err)
	return err
}

// await sends a command and waits for its result, a number.
func (l *link) await(c *wire.Command) (int64, error) { return l.exchange(nil, nil, c, nil, nil) }

// awaitOn is await if the process is still the given one. Otherwise the error is
// errReplaced.
func (l *link) awaitOn(only *process, c *wire.Command) error {
	_, err := l.exchange(only, nil, c, nil, nil)
	return err
}

// read is await for bytes of an allocation.
func (l *link) read(a *allocation, c *wire.Command, out []byte) error {
	_, err := l.exchange(nil, a, c, nil, out)
	return err
}

// exchange is all of these. An OpUpload overwrites the allocation, so nothing of it can be lost.
func (l *link) exchange(only *process, a *allocation, c *wire.Command, data, out []byte) (int64, error) {
	slot := <-l.slots
	defer func() { l.slots <- slot }()
	for again := true; ; again = false {
		var p *process
		var streamed bool
		err := l.with(func(q *process) error {
			if only != nil && q != only {
				return errReplaced
			}
			if err := a.usable(); err != nil {
				return err
			}
			if c.Op != wire.OpUpload {
				if err := a.lost(); err != nil {
					return err
				}
			}
			if l.captures[c.Stream] != nil {
				return errCaptured
			}
			p, streamed = q, l.streamed
			q.seg.Slot(slot).Arm()
			l.seq++
			c.Seq, c.Slot = l.seq, uint16(slot)
			if err := q.send(c, data); err != nil {
				return err
			}
			q.users.Add(1)
			return nil
		})
		if err != nil {
			l.told(a, err)
			return 0, err
		}
		l.waiting.Add(1)
		status, value, reply, err := p.seg.Wait(slot)
		l.waiting.Add(-1)
		if err == nil && status == wire.StatusFailed {
			var f *wire.Failure
			if f, err = wire.UnmarshalFailure(reply); err == nil {
				err = l.explain(f, p)
			}
		} else if err == nil {
			copy(out, reply)
			l.settle(c, streamed)
		}
		p.users.Done()
		if !errors.Is(err, ring.ErrHungUp) {
			return value, err
		}
		if err := l.mourn(p); err != nil {
			l.told(a, err)
			return 0, err
		}
		if !again {
			return 0, l.died()
		}
	}
}

// settle notes that a command has ended and, if that means so, that everything before it
// has. Work of other streams is only known to have ended by a Sync.
func (l *link) settle(c *wire.Command, streamed bool) {
	switch c.Op {
	case wire.OpSync, wire.OpStreamSync, wire.OpRead, wire.OpUpload, wire.OpDownload:
	default:
		return
	}
	all := c.Op == wire.OpSync || c.Stream == 0 && !streamed
	if !all && c.Op != wire.OpStreamSync {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !all {
		l.reclaim(func(a *allocation) bool { return a.stream == c.Stream && !a.several && a.touched <= c.Seq })
		l.arrived[c.Stream] = max(l.arrived[c.Stream], c.Seq)
		return
	}
	clear(l.arrived)
	l.settled.Store(max(l.settled.Load(), c.Seq))
	l.reclaim(func(a *allocation) bool { return a.touched <= c.Seq })
	if c.Op == wire.OpSync && l.work.Load() <= c.Seq {
		l.streamed = false
	}
}

// sync waits for everything.
func (l *link) sync() error {
	_, err := l.await(&wire.Command{Op: wire.OpSync})
	if l.unheard.Load() {
		l.mu.Lock()
		l.losses = nil
		l.unheard.Store(false)
		l.mu.Unlock()
	}
	return err
}

// outstanding says whether work was sent of which the end, or the error, is not known.
func (l *link) outstanding() bool {
	return l.fault.Load() != nil || l.work.Load() > l.settled.Load() || l.unheard.Load()
}

// busy says whether the device process has something to do.
func (l *link) busy() bool { return l.waiting.Load() > 0 || l.work.Load() > l.settled.Load() }

// request sends a request on the socket and waits for its answer, which is in req then. The lock is
// held, so requests never overlap.
func (l *link) request(p *process, req wire.Request, fd int) error {
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	l.seq++
	return p.call(l.seq, req, fd)
}

// handle returns a number that was not given out before. The lock is held.
func (l *link) handle() uint32 {
	l.handles++
	return l.handles
}

// wrap gives an error of the link the operation it happened in. Errors that speak of
// something else, such as an earlier launch, have one already.
func wrap(op string, err error) error {
	if err == nil {
		return nil // apart from the rest, whose variables are allocated
	}
	return named(op, err)
}

func named(op string, err error) error {
	var e *Error
	var b *backend.Error
	var c *CompileError
	switch {
	case errors.As(err, &c):
		return c
	case errors.As(err, &e):
		if e.Op != "" {
			return e
		}
		named := *e
		named.Op = op
		return &named
	case errors.As(err, &b):
		return fromBackend(op, b)
	case errors.Is(err, io.EOF):
		return unavailable(op, errGone)
	}
	return unavailable(op, err)
}
