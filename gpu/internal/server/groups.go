package server

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// groups are the groups of devices for collective operations that the device is a member of.
type groups struct {
	server  *server
	joining map[uint32]backend.Wait // until the session has waited
	shared  map[uint32][]byte
}

func (g *groups) init(s *server) {
	g.server, g.joining, g.shared = s, map[uint32]backend.Wait{}, map[uint32][]byte{}
}

func (g *groups) collector() (backend.Collector, error) {
	c, ok := g.server.device().(backend.Collector)
	if !ok {
		return nil, &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this device does not support collective operations"}
	}
	return c, nil
}

func (g *groups) id(r *wire.GroupID) error {
	c, err := g.collector()
	if err != nil {
		return err
	}
	r.ID, err = c.GroupID()
	return err
}

// join starts to make the device a member. The other members may join later.
func (g *groups) join(r *wire.Join, fd int) error {
	c, err := g.collector()
	if err != nil {
		return err
	}
	mem, err := ring.MapMemory(fd)
	if err != nil {
		return err
	}
	wait, err := c.Join(r.Group, backend.Membership{ID: r.ID, Rank: r.Rank, Size: r.Size, Shared: mem})
	if err != nil {
		return errors.Join(err, ring.UnmapMemory(mem))
	}
	g.joining[r.Group], g.shared[r.Group] = wait, mem
	return nil
}

// joined waits until all members of a group have joined.
func (s *server) joined(cmd *wire.Command, _ []byte) (r result, err error) {
	r.wait, err = s.groups.joined(cmd.Arg)
	return r, err
}

func (g *groups) joined(group uint32) (backend.Wait, error) {
	wait, ok := g.joining[group]
	if !ok {
		return nil, outOfRange("group", uint64(group))
	}
	delete(g.joining, group)
	return wait, nil
}

func (g *groups) collect(cmd *wire.Command, data []byte) error {
	c, err := g.collector()
	if err != nil {
		return err
	}
	part := routine.ParseCollective(data)
	if part == nil {
		return brokenError{wire.ErrShort}
	}
	return c.Collect(cmd.Arg, part, cmd.Stream)
}

func (g *groups) leave(group uint32) error {
	c, err := g.collector()
	if err != nil {
		return err
	}
	mem, ok := g.shared[group]
	if !ok {
		return outOfRange("group", uint64(group))
	}
	delete(g.shared, group)
	return errors.Join(c.Leave(group), ring.UnmapMemory(mem))
}
