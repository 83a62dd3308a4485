package gpu

import (
	"errors"
	"maps"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Graph is a sequence of work that was recorded once and is launched as a whole, which costs
// about as much as one kernel. It keeps the arguments that its kernels were given; the
// buffers are the same at each launch, with whatever they hold by then.
type Graph struct {
	link   *link
	handle uint32
}

// recording is what a graph does.
type recording struct {
	stream   uint32 // the one that was captured
	commands []byte
	allocs   []*allocation
	blocks   []*block // keep the buffers of launches alive
	textures []*Texture
	pins     []*pinned
	launches []mark
	streams  map[uint32]bool // that have been drawn in by events
	events   map[uint32]bool // that were recorded in it
	link     *link
	broken   error // why a new process could not have it
}

var errCaptured = misuse("", "a stream that is captured has done nothing yet, so nothing can be waited for or read: do that after the graph's launch")

// Capture records what f gives to the stream that it gets: launches with that Stream, FillAsync,
// copies on the device, copies from and to pinned memory. Nothing of it is carried out before
// the graph's Launch. Other streams that wait for an event of the captured one are recorded
// too, and must be waited for in the end by the captured one.
func Capture(f func(s *Stream) error) (*Graph, error) {
	d, err := Current()
	if err != nil {
		return nil, wrap("capturing a graph", err)
	}
	return d.Capture(f)
}

// Capture is the function Capture for this device instead of the current one.
func (d *Device) Capture(f func(s *Stream) error) (*Graph, error) {
	const op = "capturing a graph"
	l := d.link
	g := &Graph{link: l}
	l.mu.Lock()
	g.handle = l.handle()
	l.mu.Unlock()
	if err := g.record(f); err != nil {
		return nil, wrap(op, err)
	}
	runtime.AddCleanup(g, func(h uint32) { l.dropGraph(h) }, g.handle)
	return g, nil
}

// Update records f in the place of what the graph did. If that fails the graph is as before.
func (g *Graph) Update(f func(s *Stream) error) error {
	return wrap("updating a graph", g.record(f))
}

func (g *Graph) record(f func(s *Stream) error) error {
	l := g.link
	s := deviceOf(l).NewStream()
	defer func() { _ = s.Destroy() }()
	r := &recording{stream: s.handle, link: l, streams: map[uint32]bool{s.handle: true}, events: map[uint32]bool{}}
	l.setCaptures(r, s.handle)
	err := f(s)
	l.mu.Lock()
	maps.DeleteFunc(l.captures, func(_ uint32, x *recording) bool { return x == r })
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if len(r.commands) == 0 {
		return misuse("", "nothing was recorded: give the launches the stream, as in gpu.Launch{…, Stream: s}")
	}
	return l.with(func(p *process) error {
		if err := l.sendGraph(p, g.handle, r); err != nil {
			return err
		}
		l.graphs[g.handle] = r
		return nil
	})
}

// setCaptures has what the stream is given recorded. The map is made anew, so that the
// ordinary case is a look into a nil one.
func (l *link) setCaptures(r *recording, stream uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.captures == nil {
		l.captures = map[uint32]*recording{}
	}
	l.captures[stream] = r
}

// sendGraph gives a recording to a process. The streams and events that it was made with may be
// gone by then, so others of the same handles are made for it. The lock is held.
func (l *link) sendGraph(p *process, handle uint32, r *recording) error {
	var undo []*wire.Command
	for h := range r.streams {
		if _, ok := l.streams[h]; ok {
			continue
		}
		if err := l.push(p, &wire.Command{Op: wire.OpStreamCreate, Stream: h}, nil); err != nil {
			return err
		}
		undo = append(undo, &wire.Command{Op: wire.OpStreamDestroy, Stream: h})
	}
	for h := range r.events {
		if _, ok := l.events[h]; ok {
			continue
		}
		if err := l.push(p, &wire.Command{Op: wire.OpEventCreate, Event: h, Arg: flag(true)}, nil); err != nil {
			return err
		}
		undo = append(undo, &wire.Command{Op: wire.OpEventDestroy, Event: h})
	}
	err := l.request(p, &wire.Graph{Graph: handle, Stream: r.stream, Commands: r.commands}, -1)
	for _, c := range undo {
		err = errors.Join(err, l.push(p, c, nil))
	}
	return err
}

// addLaunch records a launch. The link's lock is held.
func (r *recording) addLaunch(c *wire.Command, call *Call, at place) error {
	for i := range call.refs {
		r.blocks = append(r.blocks, call.refs[i].block)
		r.allocs = append(r.allocs, call.refs[i].block.allocation)
	}
	r.textures = append(r.textures, call.textures...)
	r.launches = append(r.launches, mark{0, call.k, c.Stream, at})
	r.commands = wire.AppendRecord(r.commands, c, call.args)
	return nil
}

// add records other work. The link's lock is held.
func (r *recording) add(c *wire.Command, data []byte, on ...*allocation) error {
	c.Slot = wire.NoSlot
	switch c.Op {
	case wire.OpCopy, wire.OpFill:
	case wire.OpUpload, wire.OpDownload:
		if c.Arg == wire.Staging {
			return errPageable
		}
		r.pins = append(r.pins, r.link.pinned[c.Arg])
	case wire.OpEventRecord:
		r.events[c.Event] = true
	case wire.OpStreamWait:
		if !r.events[c.Event] {
			return misuse("", "a stream that is captured can only wait for events that were recorded in the same capture")
		}
	case wire.OpCall:
		return misuse("", "a routine of a library can't be part of a graph, since its workspace belongs to the stream")
	default:
		return errPageable
	}
	for _, a := range on {
		if a != nil {
			r.allocs = append(r.allocs, a)
		}
	}
	r.commands = wire.AppendRecord(r.commands, c, data)
	return nil
}

var errPageable = misuse("", "ordinary host memory can't be part of a graph, since it may be gone at the launch: copy from and to gpu.Pinned memory. Fill is limited to patterns of 4 bytes there")

// draw has a stream recorded too if it waits for an event of a capture. The link's lock is held.
func (l *link) draw(stream, event uint32) {
	for _, r := range l.captures {
		if r.events[event] {
			l.captures[stream] = r
			r.streams[stream] = true
			return
		}
	}
}

// Launch has the device do what the graph holds, as work of the stream (nil: the default
// stream).
func (g *Graph) Launch(s *Stream) error {
	const op = "launching a graph"
	if g == nil || g.link == nil {
		return misuse(op, "the graph is nil: make it with gpu.Capture")
	}
	if err := s.on(g.link); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(g)
	defer runtime.KeepAlive(s)
	l := g.link
	return wrap(op, l.with(func(p *process) error {
		r := l.graphs[g.handle]
		if r == nil {
			return misuse("", "the graph was destroyed")
		}
		if r.broken != nil {
			return misuse("", "it could not be made again after the device process was replaced (%v); capture it again", r.broken)
		}
		for _, a := range r.allocs {
			var gone *Error
			if errors.As(a.usable(), &gone) {
				return misuse("", "one of its buffers: %s", gone.Message)
			}
			if err := a.lost(); err != nil {
				return err
			}
		}
		if i := slices.IndexFunc(r.pins, func(m *pinned) bool { return m == nil || l.pinned[m.number] != m }); i >= 0 {
			return misuse("", "pinned memory that it copies was given back")
		}
		if l.idle.Load() != nil {
			return nil
		}
		c := &wire.Command{Op: wire.OpGraphLaunch, Arg: g.handle, Stream: s.number()}
		if l.captures[c.Stream] != nil {
			return misuse("", "a graph can't be part of another one")
		}
		if err := l.push(p, c, nil); err != nil {
			return err
		}
		for _, a := range r.allocs {
			a.touch(c.Seq, c.Stream)
		}
		for _, m := range r.launches {
			m.seq, m.stream = c.Seq, c.Stream
			l.marks.add(m)
		}
		return nil
	}))
}

// Destroy frees the graph. Launching it afterwards is an error. A graph that nobody can reach
// any more is freed by itself.
func (g *Graph) Destroy() error {
	if !g.link.dropGraph(g.handle) {
		return misuse("destroying a graph", "the graph was destroyed already")
	}
	return nil
}

func (l *link) dropGraph(handle uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.graphs[handle] == nil {
		return false
	}
	delete(l.graphs, handle)
	if l.p != nil {
		// If the process is dead, the graph is gone with it.
		_ = l.push(l.p, &wire.Command{Op: wire.OpGraphDestroy, Arg: handle}, nil)
	}
	return true
}
