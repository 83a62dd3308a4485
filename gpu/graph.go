package gpu

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// A Graph is a sequence of work that was recorded once and is launched as a whole, with about the launch overhead of one kernel. It keeps
// the arguments of its kernels; buffers are the same at each launch, with their contents at that time.
type Graph struct {
	dev    *Device
	link   *client.Link
	handle uint32
}

// Capture returns a graph of the work that f queues on the stream s: launches, FillAsync, copies on the device, and copies from and to
// page-locked memory. Package nd makes graphs of arrays' work by nd.Loop. None of it is executed before the graph's Launch. Other streams that wait for an event of the captured one are
// recorded, too, and the captured one must finally wait for them. It is an error if f returns one or queues nothing.
func Capture(f func(s *Stream) error) (*Graph, error) {
	d, err := Current()
	if err != nil {
		return nil, wrap("capturing a graph", err)
	}
	return d.Capture(f)
}

// Capture is like the function Capture but records for this device instead of the current one.
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

// Update replaces the graph's work by that of f. If it returns an error, the graph has not changed.
func (g *Graph) Update(f func(s *Stream) error) error {
	return wrap("updating a graph", g.record(f))
}

func (g *Graph) record(f func(s *Stream) error) error {
	// What is put off would be executed in the default stream while another is captured, which CUDA refuses.
	if err := g.dev.settle(); err != nil {
		return err
	}
	s := g.dev.NewStream()
	defer func() { _ = s.Destroy() }()
	return g.link.Record(g.handle, s.handle, func() error { return f(s) })
}

// Launch queues the graph's work on the stream (nil: the default stream) and does not wait for it.
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
	checkOnly := pointer.Load[skippedLaunches](&g.dev.watchers.skipped) != nil
	return wrap(op, g.link.LaunchGraph(g.handle, s.number(), checkOnly))
}

// Destroy frees the graph. Launching it afterwards is an error. A graph that becomes unreachable is freed automatically.
func (g *Graph) Destroy() error {
	if !g.link.DropGraph(g.handle) {
		return misuse("destroying a graph", "the graph was destroyed already")
	}
	return nil
}
