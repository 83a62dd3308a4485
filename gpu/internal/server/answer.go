package server

import (
	"fmt"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// answer receives one request and sends its answer. An error of the request is sent as its answer; answer also returns it if it
// is fatal. It also returns errors of the connection.
func (s *server) answer() error {
	msg, fd, err := s.conn.Receive()
	if err != nil {
		return brokenError{fmt.Errorf("receive a request: %w", err)}
	}
	if fd >= 0 {
		defer syscall.Close(fd)
	}
	req, err := wire.UnmarshalRequest(msg)
	if err != nil {
		return brokenError{fmt.Errorf("decode a request: %w", err)}
	}
	failed := s.handle(req, fd)
	if err := s.conn.Answer(req, failed); err != nil {
		return brokenError{fmt.Errorf("answer a request: %w", err)}
	}
	if err := wire.AsError(failed); err != nil && err.Fatal {
		return err
	}
	return nil
}

// handle executes a request and sets its answer. The caller closes the descriptor that came with the request.
func (s *server) handle(req wire.Request, fd int) error {
	switch r := req.(type) {
	case *wire.Stage:
		return s.stage(fd)
	case *wire.CreateChunk:
		return s.createChunk(r)
	case *wire.ImportChunk:
		return s.dev.ImportChunk(backend.Chunk{Addr: r.Addr, Size: r.Size, FD: fd})
	case *wire.MoveChunk:
		return s.moveChunk(r, fd)
	case *wire.Changed:
		return s.changed(r)
	case *wire.MapPeer:
		return s.mapPeer(r, fd)
	case *wire.Pin:
		return s.pin(r, fd)
	case *wire.MemInfo:
		return s.memInfo(r)
	case *wire.Compile:
		return s.compile(r)
	case *wire.Signatures:
		return s.signatures(r)
	case *wire.Build:
		return s.build(r)
	case *wire.Load:
		return s.load(r)
	case *wire.ReadGlobal:
		return s.readGlobal(r)
	case *wire.WriteGlobal:
		return s.writeGlobal(r)
	case *wire.Occupancy:
		return s.occupancy(r)
	case *wire.Graph:
		return s.graphs.make(r)
	case *wire.Texture:
		return s.texture(r)
	case *wire.Library:
		return s.library(r)
	case *wire.GroupID:
		return s.groups.id(r)
	case *wire.Join:
		return s.groups.join(r, fd)
	case *wire.StartProfile:
		return s.startProfile(r)
	case *wire.StopProfile:
		return s.stopProfile(r)
	case *wire.Report:
		return s.report(r)
	}
	return fmt.Errorf("requests of type %T are not implemented", req)
}

// stage makes memory of the session the staging area.
func (s *server) stage(fd int) error {
	mem, err := ring.MapMemory(fd)
	if err != nil {
		return err
	}
	s.areas[wire.Staging] = mem
	return s.dev.RegisterHost(mem)
}

func (s *server) createChunk(r *wire.CreateChunk) error {
	c, err := s.dev.CreateChunk(r.Size, r.Addr)
	if err == nil {
		r.Chunk = c
	}
	return err
}

func (s *server) mapPeer(r *wire.MapPeer, fd int) (err error) {
	r.Addr, err = s.dev.MapPeer(backend.Chunk{Addr: r.PeerAddr, Size: r.Size, FD: fd})
	return err
}

func (s *server) memInfo(r *wire.MemInfo) (err error) {
	r.Free, r.Total, err = s.dev.MemInfo()
	return err
}

// compile compiles a program and sets the parameters of its kernels.
func (s *server) compile(r *wire.Compile) error {
	kernels, wanted, err := signatures(r.Program)
	if err != nil {
		return err
	}
	program := r.Program
	program.Kernels = wanted
	s.watched(&program)
	if r.Image, err = s.dev.Compile(program); err != nil {
		return err
	}
	r.Kernels = kernels
	return nil
}

func (s *server) signatures(r *wire.Signatures) (err error) {
	r.Kernels, err = declared(r.Program)
	return err
}

// load loads an image and sets the kernels' information.
func (s *server) load(r *wire.Load) error {
	if err := s.dev.Load(r.Module, r.Image); err != nil {
		return err
	}
	if err := s.loaded(r); err != nil {
		return err
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		var err error
		if k.Info, err = s.dev.Function(k.Func, r.Module, k.Name); err != nil {
			return fmt.Errorf("kernel %s: %w", k.Name, err)
		}
		if at := textures(k.Params); at.Any() {
			if err := s.textureArguments(k.Func, at); err != nil {
				return fmt.Errorf("kernel %s: %w", k.Name, err)
			}
		}
	}
	return nil
}

// readGlobal reads a variable of a module, in the order of the default stream.
func (s *server) readGlobal(r *wire.ReadGlobal) error {
	addr, size, err := s.dev.Symbol(r.Module, r.Name)
	if err != nil {
		return err
	}
	if r.Size = size; r.Bytes > size {
		return outOfRange("read past the end of a variable, bytes", r.Bytes)
	}
	r.Data = make([]byte, r.Bytes)
	if err := s.dev.CopyDtoH(r.Data, addr, 0); err != nil {
		return err
	}
	return s.dev.StreamSync(0)
}

// writeGlobal sets a variable of a module, in the order of the default stream.
func (s *server) writeGlobal(r *wire.WriteGlobal) error {
	addr, size, err := s.dev.Symbol(r.Module, r.Name)
	if err != nil {
		return err
	}
	if n := uint64(len(r.Data)); n > size {
		return outOfRange("write past the end of a variable, bytes", n)
	}
	if s.watcher != nil {
		s.watcher.SetGlobal(r.Module, r.Name)
	}
	return s.dev.CopyHtoD(addr, r.Data, 0)
}

// occupancy computes the number of blocks of a kernel that can be resident on a multiprocessor, and, if the request has no number
// of threads, the largest number of threads per block with the maximum occupancy.
func (s *server) occupancy(r *wire.Occupancy) (err error) {
	if r.Threads > 0 {
		r.Blocks, err = s.dev.Occupancy(r.Func, r.Threads, r.SharedBytes)
		return err
	}
	p := s.dev.Properties()
	for n := p.MaxThreadsPerBlock; n > 0; n -= max(p.WarpSize, 1) {
		// Devices refuse numbers of threads that are invalid for the kernel.
		blocks, refused := s.dev.Occupancy(r.Func, n, r.SharedBytes)
		if refused != nil {
			err = refused
		} else if blocks*n > r.Blocks*r.Threads {
			r.Blocks, r.Threads = blocks, n
		}
	}
	if r.Blocks > 0 {
		return nil
	}
	return err
}
