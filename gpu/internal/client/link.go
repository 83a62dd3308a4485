package client

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/statusfile"
)

// A Link is the session's end of one device, whichever process currently serves it. It joins its parts: operations that need several of
// them are its methods. All of them are guarded by the connection's lock, with the exceptions in their own comments.
type Link struct {
	asked string         // the name it was asked for by: "auto", "sim", "cuda:0"
	spec  pointer.Atomic // *string: the same until it is open, then the name it has
	hello pointer.Atomic // *wire.Hello: of the first process

	conn     connection
	mem      allocator
	copies   staging
	pinned   knownPins
	peers    peers
	state    state
	captures captures
	faults   faults
	checks   checks
	idle     idle
	status   *statusfile.File      // nil until it is first opened
	current  bool                  // whether it is the session's current device
	managed  map[*managed]struct{} // memory that kernels and the host share
	// libraries are the libraries that a device process was found to have.
	libraries map[routine.Family]bool
	operands  []routine.Operand // of the last call of one
}

// NewLink returns a link to the device of that name, which is not open yet.
func NewLink(name string) *Link {
	l := &Link{asked: name}
	l.conn.init()
	pointer.Store(&l.spec, &name)
	l.checks.conn = &l.conn
	l.mem = allocator{
		link: l, conn: &l.conn, checks: &l.checks,
		chunks: map[uint64]*chunk{},
	}
	l.copies.link = l
	l.pinned = knownPins{conn: &l.conn, known: map[uint32]*Pinned{}}
	l.peers = peers{conn: &l.conn, chunks: map[*chunk]peerChunk{}}
	l.state = newState(l)
	return l
}

// IsNamed reports whether the device has that name, or was asked for by it.
func (l *Link) IsNamed(name string) bool { return l.asked == name || l.Name() == name }

// Kind returns the backend of the device, "cuda" or "sim". The device must have been opened.
func (l *Link) Kind() string { return pointer.Load[wire.Hello](&l.hello).Backend }

// Name returns the device's name as the user writes it.
func (l *Link) Name() string { return *pointer.Load[string](&l.spec) }

// Properties returns the properties of the device, or nil before it was first opened.
func (l *Link) Properties() *backend.Properties {
	if h := pointer.Load[wire.Hello](&l.hello); h != nil {
		return &h.Properties
	}
	return nil
}

// running returns the device process, and starts it if necessary. It returns an error of lost work, so that no later work uses results
// that were not computed. The lock is held.
func (l *Link) running() (*Process, error) {
	if err := l.faults.take(); err != nil {
		return nil, err
	}
	if l.conn.p == nil {
		if err := l.start(); err != nil {
			return nil, err
		}
	}
	return l.conn.p, nil
}

// With runs fn with the device process under the lock. If the process turns out to have exited, and nothing was lost with it, fn runs a
// second time, with its successor.
func (l *Link) With(fn func(p *Process) error) error {
	for again := true; ; again = false {
		l.conn.mu.Lock()
		p, err := l.running()
		if err == nil {
			err = fn(p)
		}
		l.conn.mu.Unlock()
		if !errors.Is(err, errGone) {
			return err
		}
		if err := l.awaitCleanup(p); err != nil {
			return err
		}
		if !again {
			return exitedTwice()
		}
	}
}

// Push sends a command without waiting for it. The lock is held.
func (l *Link) Push(p *Process, c *wire.Command, data []byte) error { return l.conn.push(p, c, data) }

// Request sends a request and waits for its answer, which is then in req. The lock is held.
func (l *Link) Request(p *Process, req wire.Request) error { return l.conn.request(p, req, -1) }

// Ask is like Request but acquires the lock itself.
func (l *Link) Ask(req wire.Request) error {
	return l.With(func(p *Process) error { return l.Request(p, req) })
}

// Open starts the device process if there is none. If there is one, it takes no lock: all that is made on a device opens it first.
func (l *Link) Open() error {
	if l.Process() != nil && pointer.Load[Error](&l.faults.pending) == nil {
		return nil
	}
	return l.With(func(*Process) error { return nil })
}

// Stop kills the device process if it has unfinished work.
func (l *Link) Stop() { l.conn.stop() }

// Close ends the device process for good.
func (l *Link) Close() {
	l.conn.close()
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.mem.discardSaved()
	if l.status != nil {
		l.status.Close()
	}
}

// Launched records a kernel launch that was sent. The lock is held.
func (l *Link) Launched(c *wire.Command, kernel string, at *Place) {
	l.faults.launches.add(c.Seq, c.Stream, kernel, at)
}

// RecordingOf returns the recording of a stream's work, or nil if the stream is not captured. The lock is held.
func (l *Link) RecordingOf(stream uint32) *Recording { return l.captures[stream] }

// Process returns the current process, or nil.
func (l *Link) Process() *Process { return pointer.Load[Process](&l.conn.serving) }

// Sent returns the number of the last command.
func (l *Link) Sent() uint64 {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.conn.progress.seq
}

// Submits returns how many commands so far were work or read something, whichever process they were for. It needs no lock.
func (l *Link) Submits() uint64 { return l.conn.progress.submits.Load() }

// Awaited reports whether a goroutine waits for an answer.
func (l *Link) Awaited() bool { return l.conn.waiting.Load() > 0 }

// Serving returns the number of the command that is being executed, or 0 without a process.
func (l *Link) Serving() uint64 {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	if l.conn.p == nil {
		return 0
	}
	return l.conn.p.seg.Serving()
}

// Symbols returns the names in the source of the kernels that are loaded, by their symbols.
func (l *Link) Symbols() map[string]string {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	names := map[string]string{}
	for _, m := range l.state.modules.entries {
		for name, symbol := range m.(*LoadedModule).Image.Lowered {
			names[symbol] = name
		}
	}
	return names
}

// NewHandle returns a new handle, by which commands identify an object.
func (l *Link) NewHandle() uint32 {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.state.handle()
}

// awaitCleanup waits until an exited process has been handled and returns the error of its unfinished work.
func (l *Link) awaitCleanup(p *Process) error {
	<-p.Down
	if p.fault == nil {
		return nil
	}
	pointer.CompareAndSwap(&l.faults.pending, p.fault, nil) // it is being reported
	return p.fault
}

const (
	messageExitedTwice   = "the device process exited twice during this operation; buffers keep their contents"
	messageCompilerExits = "the compiler crashed on it, twice: compile its kernels one by one to find which one is the cause, and write that one in another " +
		"way, for instance without recursion; buffers keep their contents"
)

func exitedTwice() *Error {
	return &Error{Code: codeUnknown, Name: "CUDA_ERROR_UNKNOWN", Message: messageExitedTwice}
}

// Submit pushes work on blocks, each of which may be nil, or records it if the stream is captured. The lock is held.
func (l *Link) Submit(p *Process, c *wire.Command, data []byte, on ...*Block) error {
	if r := l.captures[c.Stream]; r != nil {
		return r.add(c, data, on...)
	}
	if err := l.conn.push(p, c, data); err != nil {
		return err
	}
	for _, b := range on {
		b.memory().Touch(c)
	}
	return nil
}

// Post submits work on a block.
func (l *Link) Post(b *Block, c *wire.Command, data []byte) error {
	err := l.With(func(p *Process) error {
		err := b.Usable()
		if c.Op == wire.OpCopy {
			err = errors.Join(err, b.TakeFault()) // it copies within the block
		}
		if err != nil {
			return err
		}
		return l.Submit(p, c, data, b)
	})
	l.Reported(b.Allocation, err)
	return err
}

// PostBetween submits a copy from one block to another.
func (l *Link) PostBetween(dst, src *Block, c *wire.Command, data []byte) error {
	err := l.With(func(p *Process) error {
		if err := errors.Join(dst.Usable(), src.Usable(), src.TakeFault()); err != nil {
			return err
		}
		return l.Submit(p, c, data, dst, src)
	})
	l.Reported(src.Allocation, err)
	return err
}

// Await sends a command and waits for its result, a number.
func (l *Link) Await(c *wire.Command) (int64, error) { return l.exchange(&roundTrip{cmd: *c}) }

// awaitOn is like Await but returns errReplaced if the process is no longer the given one.
func (l *Link) awaitOn(only *Process, c *wire.Command) error {
	_, err := l.exchange(&roundTrip{only: only, cmd: *c})
	return err
}

// read sends a command that reads bytes of an allocation, and waits for them.
func (l *Link) read(a *Allocation, c *wire.Command, out []byte) error {
	_, err := l.exchange(&roundTrip{on: a, cmd: *c, out: out})
	return err
}

// roundTrip is a command with its answer.
type roundTrip struct {
	only *Process    // that may execute it, or nil
	on   *Allocation // that it works on, or nil
	cmd  wire.Command
	data []byte // that goes with the command
	out  []byte // for the bytes of the answer
	slot int

	p        *Process // that it was sent to
	streamed bool     // streams other than 0 had work by then
}

// exchange sends a command and waits for its result. If the process exits meanwhile, and nothing is lost with it, its successor gets the
// command.
func (l *Link) exchange(t *roundTrip) (int64, error) {
	t.slot = <-l.conn.slots
	defer func() { l.conn.slots <- t.slot }()
	for range 2 {
		if err := l.With(func(p *Process) error { return l.begin(t, p) }); err != nil {
			l.Reported(t.on, err)
			return 0, err
		}
		value, err := l.finish(t)
		if !errors.Is(err, ring.ErrHungUp) {
			return value, err
		}
		if err := l.awaitCleanup(t.p); err != nil {
			l.Reported(t.on, err)
			return 0, err
		}
	}
	return 0, exitedTwice()
}

// begin sends the command of a round trip. The lock is held.
func (l *Link) begin(t *roundTrip, p *Process) error {
	if t.only != nil && p != t.only {
		return errReplaced
	}
	if err := t.on.Usable(); err != nil {
		return err
	}
	if t.cmd.Op != wire.OpUpload { // which overwrites the allocation, so nothing of it can be lost
		if err := t.on.TakeFault(); err != nil {
			return err
		}
	}
	if l.captures[t.cmd.Stream] != nil {
		return errCaptured
	}
	t.p, t.streamed = p, l.conn.progress.streamed
	p.seg.Slot(t.slot).Arm()
	l.conn.progress.number(&t.cmd, uint16(t.slot))
	l.conn.progress.submits.Add(1)
	if err := p.send(&t.cmd, t.data); err != nil {
		return err
	}
	p.users.Add(1)
	return nil
}

// finish waits for the answer of a round trip.
func (l *Link) finish(t *roundTrip) (int64, error) {
	defer t.p.users.Done()
	l.conn.waiting.Add(1)
	status, value, reply, err := t.p.seg.Wait(t.slot)
	l.conn.waiting.Add(-1)
	if err != nil {
		return 0, err
	}
	if status == wire.StatusFailed {
		f, err := wire.UnmarshalFailure(reply)
		if err != nil {
			return value, err
		}
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		return value, l.faults.attribute(f, t.p, &l.conn.progress)
	}
	copy(t.out, reply)
	l.complete(&t.cmd, t.streamed)
	return value, nil
}

// complete records that a command has completed and, if that follows, that others before it have.
func (l *Link) complete(c *wire.Command, streamed bool) {
	done, ok := completionOf(c, streamed)
	if !ok {
		return
	}
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.conn.progress.complete(done, c.Op == wire.OpSync)
	l.mem.reclaim(done.covers)
}

// Sync waits for all work.
func (l *Link) Sync() error {
	_, err := l.Await(&wire.Command{Op: wire.OpSync})
	if l.faults.unreported.Load() {
		l.conn.mu.Lock()
		l.faults.forget()
		l.conn.mu.Unlock()
	}
	return err
}

// Outstanding reports whether work was sent whose completion, or error, is not known yet.
func (l *Link) Outstanding() bool {
	return pointer.Load[Error](&l.faults.pending) != nil || l.conn.progress.pending() || l.faults.unreported.Load()
}

// linkStatus is the state of a link.
type linkStatus struct {
	Hello   *wire.Hello // nil if it was never open
	Open    bool
	Pid     int // of the device process
	Starts  int // device processes so far
	Buffers int // that exist
	Memory  memoryStats
	Saved   uint64 // bytes of the buffers that are in host memory while the device is suspended
}

func (l *Link) Status() linkStatus {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	s := linkStatus{Hello: pointer.Load[wire.Hello](&l.hello), Open: l.conn.p != nil, Starts: l.conn.started}
	s.Memory, s.Buffers = l.mem.stats()
	s.Saved = l.mem.savedBytes()
	if l.conn.p != nil {
		s.Pid = l.conn.p.pid
	}
	return s
}

// OperandsOf returns the operands of a call of a library, until the next one. The lock is held.
func (l *Link) OperandsOf(c routine.Call) []routine.Operand {
	l.operands = c.Operands(l.operands[:0])
	return l.operands
}

// NeedLibrary makes the device process load a library at its first use, so that the call, not a later wait, returns the error if it is
// missing. The lock is held.
func (l *Link) NeedLibrary(p *Process, f routine.Family) error {
	if l.libraries[f] {
		return nil
	}
	if err := l.conn.request(p, &wire.Library{Family: f}, -1); err != nil {
		return err
	}
	if l.libraries == nil {
		l.libraries = map[routine.Family]bool{}
	}
	l.libraries[f] = true
	return nil
}
