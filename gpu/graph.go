package gpu

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// Graph is a sequence of work that was recorded once and is launched as a whole, which costs
// about as much as one kernel. It keeps the arguments that its kernels were given; the
// buffers are the same at each launch, with whatever they hold by then.
type Graph struct {
	dev    *Device
	link   *client.Link
	handle uint32
}

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
	g := &Graph{dev: d, link: l, handle: l.NewHandle()}
	if err := g.record(f); err != nil {
		return nil, wrap(op, err)
	}
	runtime.AddCleanup(g, func(h uint32) { l.DropGraph(h) }, g.handle)
	return g, nil
}

// Update records f in the place of what the graph did. If that fails the graph is as before.
func (g *Graph) Update(f func(s *Stream) error) error {
	return wrap("updating a graph", g.record(f))
}

func (g *Graph) record(f func(s *Stream) error) error {
	s := g.dev.NewStream()
	defer func() { _ = s.Destroy() }()
	return g.link.Record(g.handle, s.handle, func() error { return f(s) })
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
	checkOnly := g.dev.watchers.skipped.Load() != nil
	return wrap(op, g.link.LaunchGraph(g.handle, s.number(), checkOnly))
}

// Destroy frees the graph. Launching it afterwards is an error. A graph that nobody can reach
// any more is freed by itself.
func (g *Graph) Destroy() error {
	if !g.link.DropGraph(g.handle) {
		return misuse("destroying a graph", "the graph was destroyed already")
	}
	return nil
}
