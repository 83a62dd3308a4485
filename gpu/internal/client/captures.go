package client

import (
	"errors"
	"maps"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// captures are the streams whose work is recorded for a graph instead of being executed. The connection's lock guards it. It is usually
// nil, for which lookups are fast.
type captures map[uint32]*Recording

// start begins recording the work of a stream.
func (c *captures) start(r *Recording) {
	if *c == nil {
		*c = captures{}
	}
	(*c)[r.stream] = r
}

// end ends a recording.
func (c captures) end(r *Recording) {
	maps.DeleteFunc(c, func(_ uint32, x *Recording) bool { return x == r })
}

// join adds a stream that waits for an event of a recording to that recording.
func (c captures) join(stream, event uint32) {
	for _, r := range c {
		if r.events[event] {
			c[stream] = r
			r.streams[stream] = true
			return
		}
	}
}

var errCaptured = invalid("a stream that is captured has done nothing yet, so nothing can be waited for or read: do that after the graph's launch")

var errPageable = invalid("ordinary host memory can't be part of a graph, since it may be gone at the launch: copy from and to gpu.Pinned memory. Fill is limited to patterns of 4 bytes there")

// recorded are the routines that graphs can have, with their libraries. Their workspace is part of the graph.
var recorded = map[routine.Routine]routine.Family{routine.RoutineGemm: routine.BLAS, routine.RoutineCSRMul: routine.Sparse}

// recordedWork is the size of that workspace in bytes: what cuBLAS uses on the newest GPUs, so that it chooses the same algorithms.
const recordedWork = 32 << 20

// A Recording is the work of a graph.
type Recording struct {
	stream   uint32 // the one that was captured
	commands []byte
	allocs   []*Allocation
	keep     []any // objects that must remain reachable: blocks and textures of the work
	pins     []*Pinned
	launches []launchRecord
	streams  map[uint32]bool // that have joined it by events
	events   map[uint32]bool // that were recorded in it
	link     *Link
	families []routine.Family // whose routines it has
	work     *Block           // memory for these, or nil
	broken   error            // why it could not be restored in a new process
}

// Record records the work that f queues on the stream, instead of executing it, and makes it the graph with that handle.
func (l *Link) Record(handle, stream uint32, f func() error) error {
	r := &Recording{stream: stream, link: l, streams: map[uint32]bool{stream: true}, events: map[uint32]bool{}}
	l.conn.mu.Lock()
	l.captures.start(r)
	l.conn.mu.Unlock()
	err := f()
	l.conn.mu.Lock()
	l.captures.end(r)
	l.conn.mu.Unlock()
	if err != nil {
		return err
	}
	if len(r.commands) == 0 {
		return invalid("nothing was recorded: give the launches the stream, as in gpu.Launch{…, Stream: s}")
	}
	if err := r.allocateWork(); err != nil {
		return err
	}
	return l.With(func(p *Process) error {
		if err := l.sendGraph(p, handle, r); err != nil {
			return err
		}
		l.state.graphs.keep(handle, r)
		return nil
	})
}

// allocateWork gives routines of libraries memory, unless the device needs none.
func (r *Recording) allocateWork() error {
	if len(r.families) == 0 || r.link.Properties().Simulated {
		return nil
	}
	b, err := r.link.Alloc(recordedWork, Origin{Elem: (*byte)(nil)})
	if err != nil {
		return err
	}
	r.work = b
	r.allocs = append(r.allocs, b.Allocation)
	return nil
}

// Captured reports whether the stream's work is being recorded.
func (l *Link) Captured(stream uint32) bool {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.captures[stream] != nil
}

// sendGraph sends a recording to a process. Its streams and events may have been destroyed by then, so it makes others with the same
// handles. The lock is held.
func (l *Link) sendGraph(p *Process, handle uint32, r *Recording) error {
	undoStreams, err := l.state.streams.substitute(p, r.streams, int32(0))
	if err != nil {
		return err
	}
	undoEvents, err := l.state.events.substitute(p, r.events, true)
	if err != nil {
		return err
	}
	req := &wire.Graph{Graph: handle, Stream: r.stream, Families: r.families, Commands: r.commands}
	if r.work != nil {
		req.Work, req.WorkBytes = r.work.Allocation.Addr, recordedWork
	}
	err = l.conn.request(p, req, -1)
	for _, c := range append(undoStreams, undoEvents...) {
		err = errors.Join(err, l.conn.push(p, &c, nil))
	}
	return err
}

// AddLaunch records a launch. The connection's lock is held.
func (r *Recording) AddLaunch(c *wire.Command, args []byte, kernel string, at *Place) {
	r.launches = append(r.launches, launchRecord{kernel: kernel, stream: c.Stream, at: *at})
	r.commands = wire.AppendRecord(r.commands, c, args)
}

// AddBlock adds a block that recorded work uses. The connection's lock is held.
func (r *Recording) AddBlock(b *Block) {
	r.keep = append(r.keep, b)
	r.allocs = append(r.allocs, b.Allocation)
}

// AddKept adds another object that must remain reachable, such as a texture. The connection's lock is held.
func (r *Recording) AddKept(v any) { r.keep = append(r.keep, v) }

// add records other work. The connection's lock is held.
func (r *Recording) add(c *wire.Command, data []byte, on ...*Block) error {
	c.Slot = wire.NoSlot
	switch c.Op {
	case wire.OpCopy, wire.OpFill:
	case wire.OpUpload, wire.OpDownload:
		if c.Arg == wire.Staging {
			return errPageable
		}
		r.pins = append(r.pins, r.link.pinned.known[c.Arg])
	case wire.OpEventRecord:
		r.events[c.Event] = true
	case wire.OpStreamWait:
		if !r.events[c.Event] {
			return invalid("a stream that is captured can only wait for events that were recorded in the same capture")
		}
	case wire.OpCall:
		f, ok := recorded[routine.Routine(c.Func)]
		if !ok {
			return invalid("only products of matrices can be part of a graph: other routines of libraries use memory that belongs to the stream")
		}
		if c.Stream != r.stream {
			return invalid("a product can only be part of a graph on the stream that is captured, not on one that has joined it, since both would use the same memory")
		}
		if !slices.Contains(r.families, f) {
			r.families = append(r.families, f)
		}
	default:
		return errPageable
	}
	for _, b := range on {
		if b != nil {
			r.AddBlock(b)
		}
	}
	r.commands = wire.AppendRecord(r.commands, c, data)
	return nil
}

// ready returns an error if something that the graph needs no longer exists. The connection's lock is held.
func (r *Recording) ready() error {
	if r == nil {
		return invalid("the graph was destroyed")
	}
	if r.broken != nil {
		return invalid("it could not be made again after the device process was replaced (%v); capture it again", r.broken)
	}
	for _, a := range r.allocs {
		var gone *Error
		if errors.As(a.Usable(), &gone) {
			return invalid("one of its buffers: %s", gone.Message)
		}
		if err := a.TakeFault(); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(r.pins, func(m *Pinned) bool { return m == nil || r.link.pinned.known[m.Number] != m }) {
		return invalid("pinned memory that it copies was given back")
	}
	return nil
}

// LaunchGraph queues the work of the graph with that handle on a stream. With checkOnly it only checks whether it could.
func (l *Link) LaunchGraph(handle, stream uint32, checkOnly bool) error {
	return l.With(func(p *Process) error {
		r := entry[*Recording](&l.state.graphs, handle)
		if err := r.ready(); err != nil || checkOnly {
			return err
		}
		if l.captures[stream] != nil {
			return invalid("a graph can't be part of another one")
		}
		c := &wire.Command{Op: wire.OpGraphLaunch, Arg: handle, Stream: stream}
		if err := l.conn.push(p, c, nil); err != nil {
			return err
		}
		for _, a := range r.allocs {
			a.Touch(c)
		}
		for i := range r.launches {
			l.Launched(c, r.launches[i].kernel, &r.launches[i].at)
		}
		return nil
	})
}
