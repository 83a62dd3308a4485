package server

import (
	"context"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/inspect"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// buildTimeout is much longer than NVIDIA's tools need for a program.
const buildTimeout = time.Minute

// build compiles a program with NVIDIA's compiler, on any device.
func (s *server) build(r *wire.Build) error {
	props := s.dev.Properties()
	if s.translator == nil {
		t, err := driver.NewTranslator(props.DriverVersion)
		if err != nil {
			return err // not stored: NVRTC may be installed later
		}
		s.translator = t
	}
	cc := 10*props.ComputeMajor + props.ComputeMinor
	_, wanted, err := signatures(r.Program)
	if err != nil {
		return err
	}
	program := r.Program
	program.Kernels = wanted
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	b, err := inspect.Program(ctx, s.translator, program, cc, r.SASS)
	if err != nil {
		return err
	}
	r.Build = *b
	return nil
}
