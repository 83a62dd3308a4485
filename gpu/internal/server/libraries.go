package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// librarian returns the device as a Librarian.
func (s *server) librarian() (backend.Librarian, error) {
	l, ok := s.device().(backend.Librarian)
	if !ok {
		return nil, &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this device has no numerical libraries"}
	}
	return l, nil
}

// library loads a library.
func (s *server) library(r *wire.Library) error {
	l, err := s.librarian()
	if err != nil {
		return err
	}
	return l.Library(r.Family)
}

// call submits a routine to a stream.
func (s *server) call(cmd *wire.Command, data []byte) error {
	l, err := s.librarian()
	if err != nil {
		return err
	}
	c, err := routine.Parse(routine.Routine(cmd.Func), data)
	if err != nil {
		return brokenError{err}
	}
	return l.Call(c, cmd.Stream)
}
