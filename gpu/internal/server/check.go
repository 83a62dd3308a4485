package server

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// checker returns a Checker for the device: the device itself, or a Watcher.
func (s *server) checker() (backend.Checker, error) {
	if c, ok := s.device().(backend.Checker); ok {
		return c, nil
	}
	if s.watcher == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the program that checks kernels: %w", err)
		}
		tool := ""
		if s.backend == "cuda" {
			tool = driver.FindTool("compute-sanitizer")
		}
		timeout := time.Duration(0)
		if text := os.Getenv(sanitizer.TimeoutEnv); text != "" {
			if timeout, err = time.ParseDuration(text); err != nil || timeout <= 0 {
				return nil, fmt.Errorf("%s is %q, which is not a duration such as 30s", sanitizer.TimeoutEnv, text)
			}
		}
		s.watcher = sanitizer.New(s.device(), sanitizer.Config{
			Sanitizer: tool,
			Timeout:   timeout,
			Helper:    []string{self, "device", "--watched", "--backend", s.backend, "--ordinal", strconv.Itoa(s.dev.Properties().Ordinal)},
			Simulator: []string{self, "device", "--watched", "--backend", "sim"},
			Texture: func(handle uint32) (backend.Texture, bool) {
				t, ok := s.textures[handle]
				return t, ok
			},
		})
	}
	return s.watcher, nil
}

// watched prepares the compilation of a program for check mode on a device that is no Checker: its tools need line information.
func (s *server) watched(p *backend.Program) {
	if _, ok := s.device().(backend.Checker); p.Check && !ok {
		p.Check = false
		p.Options = append(slices.Clone(p.Options), "-lineinfo")
	}
}

// loaded registers a program that is to be checked with the watcher.
func (s *server) loaded(r *wire.Load) error {
	if !r.Program.Check {
		return nil
	}
	if _, err := s.checker(); err != nil || s.watcher == nil {
		return err
	}
	s.watcher.Loaded(r.Module, r.Program, r.Image)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		s.watcher.Bound(k.Func, r.Module, k.Name, structs(k.Params), textures(k.Params))
	}
	return nil
}

// structs returns the parts of a kernel's arguments that are structs.
func structs(params []wire.Param) []sanitizer.Part {
	var list []sanitizer.Part
	places(params, func(p *wire.Param, at int) {
		if p.Kind == wire.ParamStruct {
			list = append(list, sanitizer.Part{Start: at, End: at + p.Size})
		}
	})
	return list
}

// places calls f for each parameter with its offset in the arguments, in bytes.
func places(params []wire.Param, f func(p *wire.Param, at int)) {
	end := 0
	for i := range params {
		p := &params[i]
		if p.Align > 0 {
			end = (end + p.Align - 1) / p.Align * p.Align
		}
		f(p, end)
		end += p.Size
	}
}

// wanted lets the watcher, if there is one, check a launch. It reports whether the device is to execute the launch.
func (s *server) wanted(l *backend.Launch) (bool, error) {
	w := s.watcher
	if w == nil {
		return true, nil
	}
	if w.Watches() {
		return w.Launch(l)
	}
	w.WrittenAnywhere()
	return true, nil
}

// heed informs the watcher, if there is one, about the memory or module that a command changes.
func (s *server) heed(cmd *wire.Command) {
	w := s.watcher
	if w == nil {
		return
	}
	switch cmd.Op {
	case wire.OpGraphLaunch, wire.OpCall, wire.OpCollective:
		w.WrittenAnywhere()
	case wire.OpWrite, wire.OpUpload, wire.OpCopy, wire.OpFill:
		w.Written(cmd.Dst)
	case wire.OpUnload:
		w.Unloaded(cmd.Arg)
	}
}

// allocated informs check mode that a buffer was allocated.
func (s *server) allocated(cmd *wire.Command, _ []byte) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	return c.Allocated(cmd.Dst, cmd.N, cmd.Arg != 0)
}

// freed informs check mode that a buffer was freed.
func (s *server) freed(cmd *wire.Command, _ []byte) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	return c.Freed(cmd.Dst)
}

// views sets the memory that the next launch may use, for check mode.
func (s *server) views(cmd *wire.Command, data []byte) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	views, err := wire.UnmarshalViews(data)
	if err != nil {
		return brokenError{err}
	}
	if s.watcher != nil {
		s.watcher.Simulate(cmd.Arg&wire.ViewsSimulated != 0)
	}
	return c.Views(views, backend.Blocks{First: cmd.Dst, N: cmd.N, Locals: cmd.Arg&wire.ViewsLocals != 0})
}

// report answers a request for the report of check mode.
func (s *server) report(req *wire.Report) error {
	c, err := s.checker()
	if err != nil {
		return err
	}
	req.Report, err = c.Report()
	return err
}
