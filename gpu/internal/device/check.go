package device

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// checker is the device as one with a check mode.
func (s *server) checker() (backend.Checker, error) {
	c, ok := s.device().(backend.Checker)
	if !ok {
		return nil, &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this device has no check mode"}
	}
	return c, nil
}

// checks carries out the commands of check mode.
func (s *server) checks(cmd *wire.Command, data []byte) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	switch cmd.Op {
	case wire.OpAllocated:
		return c.Allocated(cmd.Dst, cmd.N, cmd.Arg != 0)
	case wire.OpFreed:
		return c.Freed(cmd.Dst)
	}
	views, err := wire.UnmarshalViews(data)
	if err != nil {
		return brokenError{err}
	}
	return c.Views(views)
}

// report answers a request for what check mode has seen.
func (s *server) report(reply *wire.Reply) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	r, err := c.Report()
	reply.Report = &r
	return err
}
