package server

import (
	"bytes"
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// graphs are sequences of commands that are launched at once. Devices that are no Capturer receive the commands one by one.
type graphs struct {
	server  *server
	capture backend.Capturer  // nil if the device has no graphs
	lists   map[uint32][]byte // the commands of each graph, if capture is nil
}

func (g *graphs) init(s *server) {
	g.server, g.lists = s, map[uint32][]byte{}
	g.capture, _ = s.dev.(backend.Capturer)
}

// make stores commands under a handle, replacing earlier ones.
func (g *graphs) make(r *wire.Graph) (err error) {
	if g.capture == nil {
		g.lists[r.Graph] = bytes.Clone(r.Commands)
		return nil
	}
	if len(r.Families) > 0 {
		l, ok := g.server.device().(backend.Lender)
		if !ok {
			return &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "routines of libraries can't be part of this device's graphs"}
		}
		if err := l.Lend(r.Stream, r.Work, r.WorkBytes, r.Families); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.Return(r.Stream)) }()
	}
	if err := g.capture.Capture(r.Stream); err != nil {
		return err
	}
	// Captured work is not executed, so it is not part of a profile.
	recorded := g.server.dev
	g.server.dev = g.server.device()
	err = g.run(r.Commands, nil)
	g.server.dev = recorded
	// The stream cannot be used until its capture has ended, successfully or not.
	if ended := g.capture.EndCapture(r.Stream, r.Graph); err == nil {
		err = ended
	}
	return err
}

// run executes commands, on the given stream instead of theirs if it is not nil.
func (g *graphs) run(list []byte, stream *uint32) error {
	return wire.Records(list, func(c *wire.Command, data []byte) error {
		if stream != nil {
			c.Stream = *stream
		}
		if c.Op == wire.OpLaunch { // a captured launch is not counted as a launch of the stream
			return g.server.dev.Launch(launchOf(c, data))
		}
		_, err := g.server.execute(c, data)
		return err
	})
}

func launchOf(c *wire.Command, data []byte) *backend.Launch {
	return &backend.Launch{
		Func: c.Func, Grid: c.Grid, Block: c.Block, SharedBytes: c.Shared, Stream: c.Stream, Args: data,
		Cooperative: c.Cooperative(), Cluster: c.Cluster(),
	}
}

func (g *graphs) launch(handle, stream uint32) error {
	if g.capture != nil {
		return g.capture.GraphLaunch(handle, stream)
	}
	list, ok := g.lists[handle]
	if !ok {
		return outOfRange("graph", uint64(handle))
	}
	return g.run(list, &stream)
}

func (g *graphs) destroy(handle uint32) error {
	if g.capture != nil {
		return g.capture.GraphDestroy(handle)
	}
	if _, ok := g.lists[handle]; !ok {
		return outOfRange("graph", uint64(handle))
	}
	delete(g.lists, handle)
	return nil
}
