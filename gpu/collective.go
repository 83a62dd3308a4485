package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Reduction is the operation by which a collective combines corresponding elements of the devices.
type Reduction uint8

// The reductions.
const (
	ReduceSum Reduction = iota
	ReduceProduct
	ReduceMin
	ReduceMax
	ReduceAverage // for integers, truncated toward zero as in Go
)

func (r Reduction) String() string {
	if r > ReduceAverage {
		return fmt.Sprintf("reduction %d", uint8(r))
	}
	return [...]string{"Sum", "Product", "Min", "Max", "Average"}[r]
}

// A Communicator is a group of devices that take part in collective operations: GPUs by NCCL, which must be installed, or the devices of
// a simulator such as sim:x4. Device number i of it is member i.
//
// Collectives are queued on a stream of each device, the default stream unless On sets others. They do not wait for the devices, and are
// waited for like launches. If a device process is killed meanwhile, the work of the others is lost, too, but no buffers; the next
// collective works again.
//
// Package rank makes communicators of the devices of several processes. Each process calls the collective, with the buffers of its own devices.
type Communicator struct {
	group   *client.Group
	streams []*Stream // nil: the default streams
	ranks   *ranks    // nil if all devices are this process's
}

// NewCommunicator returns a communicator of the devices, by default of all those of the current device's kind. That takes up to a second
// on GPUs. Devices of different kinds, or one that is given twice, are an error.
func NewCommunicator(devices ...*Device) (*Communicator, error) {
	const op = "making a communicator"
	if len(devices) == 0 {
		current, err := Current()
		if err != nil {
			return nil, wrap(op, err)
		}
		if devices, err = current.Alike(); err != nil {
			return nil, wrap(op, err)
		}
	}
	links, err := linksOf(op, devices)
	if err != nil {
		return nil, err
	}
	g, err := client.NewGroup(links, nil)
	if err != nil {
		return nil, wrap(op, err)
	}
	return &Communicator{group: g}, nil
}

// linksOf opens devices that are to be members of a communicator.
func linksOf(op string, devices []*Device) ([]*client.Link, error) {
	var links []*client.Link
	for i, d := range devices {
		if d == nil {
			return nil, misuse(op, "device %d is nil", i)
		}
		if err := d.open(); err != nil {
			return nil, wrap(op, err)
		}
		if slices.Contains(links, d.link) {
			return nil, misuse(op, "%s is there twice: each member is a device of its own; sim:x4 has four", d.Name())
		}
		if len(links) > 0 && links[0].Kind() != d.link.Kind() {
			return nil, misuse(op, "%s and %s are of different kinds", devices[0].Name(), d.Name())
		}
		links = append(links, d.link)
	}
	return links, nil
}

// Devices returns the members in order, those of this process.
func (c *Communicator) Devices() []*Device {
	var list []*Device
	for _, l := range c.group.Links {
		list = append(list, deviceOf(l))
	}
	return list
}

// Members returns the number of this process's first device among all members, and the number of all.
func (c *Communicator) Members() (first, size int) {
	if c.ranks == nil {
		return 0, len(c.group.Links)
	}
	return c.ranks.peers.Place()
}

// On returns the communicator with other streams, one for each member; nil stands for the default stream.
func (c *Communicator) On(streams ...*Stream) (*Communicator, error) {
	const op = "choosing streams for collectives"
	if len(streams) != len(c.group.Links) {
		return nil, misuse(op, "there are %d streams for %d devices", len(streams), len(c.group.Links))
	}
	for i, s := range streams {
		if err := s.on(c.group.Links[i]); err != nil {
			return nil, wrap(op, err)
		}
	}
	return &Communicator{c.group, slices.Clone(streams), c.ranks}, nil
}

// Close waits for the devices and ends the connection. Using the communicator afterwards is an error.
func (c *Communicator) Close() error {
	return wrap("closing a communicator", c.group.Close())
}

// AllReduce reduces the buffers, one of each device and all of the same length, element-wise, and leaves the result in all of them. For
// complex numbers the reduction must be ReduceSum or ReduceAverage. It does not wait for the devices.
func AllReduce[T Element](c *Communicator, r Reduction, buffers ...*Buffer[T]) error {
	return collect(c, "all-reduce", routine.AllReduce, &r, 0, buffers, buffers)
}

// Reduce is like AllReduce but leaves the result in the buffer of the member with number root only. The others do not change.
func Reduce[T Element](c *Communicator, r Reduction, root int, buffers ...*Buffer[T]) error {
	return collect(c, "reduce", routine.Reduce, &r, root, buffers, buffers)
}

// Broadcast copies the buffer of the member with number root to all others, which must have the same length.
func Broadcast[T Element](c *Communicator, root int, buffers ...*Buffer[T]) error {
	return collect(c, "broadcast", routine.Broadcast, nil, root, buffers, buffers)
}

// AllGather copies the sources, one after the other, to each of the destinations, whose length must be that of all sources together.
func AllGather[T Element](c *Communicator, dst, src []*Buffer[T]) error {
	return collect(c, "all-gather", routine.AllGather, nil, 0, dst, src)
}

// ReduceScatter reduces the sources as AllReduce does, and leaves the i-th part of the result in the i-th destination. The length of all
// destinations together must be that of one source.
func ReduceScatter[T Element](c *Communicator, r Reduction, dst, src []*Buffer[T]) error {
	return collect(c, "reduce-scatter", routine.ReduceScatter, &r, 0, dst, src)
}

// SendRecv copies a buffer of one member to a buffer of another, which must have the same length.
func SendRecv[T Element](c *Communicator, dst, src *Buffer[T]) error {
	const op = "send"
	if c.ranks != nil {
		return misuse(op, "the communicator has devices of other processes: AllGather or Broadcast send to those, and gpu.Copy copies between devices of this one")
	}
	if err := errors.Join(dst.made(), src.made()); err != nil {
		return wrap(op, err)
	}
	from := slices.Index(c.group.Links, src.block.Link)
	to := slices.Index(c.group.Links, dst.block.Link)
	switch {
	case from < 0 || to < 0:
		return misuse(op, "the buffers are on %s and %s: both must be members of the communicator", src.Device().Name(), dst.Device().Name())
	case from == to:
		return misuse(op, "both buffers are on %s: gpu.Copy copies there", src.Device().Name())
	case dst.n != src.n:
		return misuse(op, "the source has %d elements, the destination %d: they must be equally long", src.n, dst.n)
	case src.n == 0:
		return nil
	}
	defer runtime.KeepAlive(src)
	defer runtime.KeepAlive(dst)
	what := routine.Collective{Type: routine.Uint8, N: src.Bytes()}
	sent, received := what, what
	sent.Kind, sent.Root, sent.Src = routine.Send, to, src.addr
	received.Kind, received.Root, received.Dst = routine.Receive, from, dst.addr
	return c.post(op, []client.Role{
		{Member: from, What: sent, Reads: src.block},
		{Member: to, What: received, Writes: dst.block},
	})
}

// collect checks the buffers of a collective and sends each member its part.
func collect[T Element](c *Communicator, op string, kind routine.CollectiveKind, r *Reduction, root int, dst, src []*Buffer[T]) error {
	here := len(c.group.Links)
	_, size := c.Members()
	if root < 0 || root >= size {
		return misuse(op, "there is no member %d: the numbers are 0 to %d", root, size-1)
	}
	if len(src) != here || len(dst) != here {
		return misuse(op, "there are %d buffers for %d devices", max(len(src), len(dst)), here)
	}
	if err := places(c, op, src, dst); err != nil {
		return err
	}
	long, short := dst[0].n, src[0].n
	if kind == routine.ReduceScatter {
		long, short = short, long
	}
	if kind != routine.AllGather && kind != routine.ReduceScatter {
		long *= size
	}
	if long != size*short {
		return misuse(op, "a source has %d elements, a destination %d: with %d devices one must be %d times as long as the other", src[0].n, dst[0].n, size, size)
	}
	what := routine.Collective{Kind: kind, Type: routine.Uint8, Root: root, N: min(dst[0].n, src[0].n)}
	if r == nil {
		what.N *= sizeOf[T]()
	} else if err := reducible[T](&what, *r); err != nil {
		return misuse(op, "%v", err)
	}
	if what.N == 0 && c.ranks == nil {
		return nil
	}
	var parts []client.Role
	for i := range here {
		t := client.Role{Member: i, What: what, Reads: src[i].block, Writes: dst[i].block}
		t.What.Src, t.What.Dst = src[i].addr, dst[i].addr
		parts = append(parts, t)
	}
	defer runtime.KeepAlive(src)
	defer runtime.KeepAlive(dst)
	return c.post(op, parts)
}

// places checks that buffer i is on device i, and that all buffers of a list have the same length.
func places[T Element](c *Communicator, op string, lists ...[]*Buffer[T]) error {
	for _, list := range lists {
		for i, b := range list {
			if err := b.made(); err != nil {
				return misuse(op, "buffer %d: it is nil: make it with gpu.Alloc, gpu.Zeros or gpu.ToDevice", i)
			}
			if want := c.group.Links[i]; b.block.Link != want {
				return misuse(op, "buffer %d is on %s, and member %d is %s", i, b.block.Link.Name(), i, want.Name())
			}
			if b.n != list[0].n {
				return misuse(op, "buffer %d has %d elements, buffer 0 has %d: they must be equally long", i, b.n, list[0].n)
			}
		}
	}
	return nil
}

// reductions has the device's numbers of the reductions.
var reductions = [...]routine.Reduction{routine.Sum, routine.Product, routine.Min, routine.Max, routine.Average}

// reducible sets the type in which elements are reduced.
func reducible[T Element](what *routine.Collective, r Reduction) error {
	if int(r) >= len(reductions) {
		return fmt.Errorf("there is no %v", r)
	}
	what.Reduce = reductions[r]
	switch name := elementName[T](); name {
	case "complex64", "complex128":
		if r != ReduceSum && r != ReduceAverage {
			return fmt.Errorf("complex numbers have no %v", r)
		}
		what.N *= 2
		what.Type = routine.Float32
		if name == "complex128" {
			what.Type = routine.Float64
		}
	default:
		t, ok := reducibleTypes[name]
		if !ok {
			return fmt.Errorf("elements of type %s cannot be reduced: the types are int8, int32, int64, their unsigned ones, gpu.Float16, gpu.BFloat16, float32, float64, complex64 and complex128", name)
		}
		what.Type = t
	}
	return nil
}

var reducibleTypes = map[string]routine.Type{
	"float32": routine.Float32, "float64": routine.Float64, "gpu.Float16": routine.Float16, "gpu.BFloat16": routine.BFloat16,
	"int8": routine.Int8, "int32": routine.Int32, "int64": routine.Int64,
	"uint8": routine.Uint8, "uint32": routine.Uint32, "uint64": routine.Uint64,
}

// post sends the parts, each on its member's stream.
func (c *Communicator) post(op string, parts []client.Role) error {
	if c.streams != nil {
		for i := range parts {
			t := &parts[i]
			s := c.streams[t.Member]
			if err := s.on(c.group.Links[t.Member]); err != nil {
				return wrap(op, err)
			}
			t.Stream = s.number()
		}
	}
	defer runtime.KeepAlive(c)
	if c.ranks != nil && !c.ranks.peers.Direct() {
		return c.throughHost(op, parts)
	}
	return wrap(op, c.group.Post(parts))
}
