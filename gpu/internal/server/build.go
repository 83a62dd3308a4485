package server

import (
	"context"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/inspect"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// buildTimeout is far more than a program takes to be read by NVIDIA's tools.
const buildTimeout = time.Minute

// build says what NVIDIA's compiler makes of a program, whatever this device is.
func (s *server) build(req *wire.Request, reply *wire.Reply) error {
	props := s.dev.Properties()
	if s.translator == nil {
		t, err := driver.NewTranslator(props.DriverVersion)
		if err != nil {
			return err // not kept: NVRTC may be installed and asked for again
		}
		s.translator = t
	}
	cc := int(req.Size)
	if cc == 0 {
		cc = 10*props.ComputeMajor + props.ComputeMinor
	}
	_, wanted, err := signatures(req.Program)
	if err != nil {
		return err
	}
	program := req.Program
	program.Kernels = wanted
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	b, err := inspect.Program(ctx, s.translator, program, cc, len(req.Data) > 0)
	if err != nil {
		return err
	}
	reply.Data = wire.MarshalBuild(b)
	return nil
}
