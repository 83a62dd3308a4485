package server

import (
	"errors"
	"fmt"
	"strconv"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

func itoa(v uint64) string { return strconv.FormatUint(v, 10) }

// answer reads one request and answers it. What goes wrong with the request travels in the
// reply; a fatal error is returned as well, and so is one of the connection.
func (s *server) answer() error {
	msg, fd, err := s.conn.Receive()
	if err != nil {
		return brokenError{fmt.Errorf("receiving a request: %w", err)}
	}
	if fd >= 0 {
		defer syscall.Close(fd)
	}
	req, err := wire.UnmarshalRequest(msg)
	if err != nil {
		return brokenError{fmt.Errorf("reading a request: %w", err)}
	}
	reply := &wire.Reply{}
	reply.Chunk.FD = -1
	err = s.handle(req, fd, reply)
	if !errors.As(err, &reply.Compile) {
		reply.Err = wire.AsError(err)
	}
	sent := s.conn.Send(reply.Marshal(), reply.Chunk.FD)
	if reply.Chunk.FD >= 0 {
		syscall.Close(reply.Chunk.FD)
	}
	if sent != nil {
		return brokenError{fmt.Errorf("answering a request: %w", sent)}
	}
	if reply.Err != nil && reply.Err.Fatal {
		return reply.Err
	}
	return nil
}

func (s *server) handle(req *wire.Request, fd int, reply *wire.Reply) (err error) {
	switch req.Kind {
	case wire.KindStage:
		mem, err := ring.MapMemory(fd)
		if err != nil {
			return err
		}
		s.areas[wire.Staging] = mem
		return s.dev.RegisterHost(mem)
	case wire.KindSignatures:
		reply.Kernels, err = declared(req.Program)
		return err
	case wire.KindReadGlobal, wire.KindWriteGlobal:
		return s.global(req, reply)
	case wire.KindOccupancy:
		return s.occupancy(req, reply)
	case wire.KindGraph:
		return s.graphs.make(req.Module, req.Stream, req.Data)
	case wire.KindPin:
		return s.pin(req.Module, req.Chunk, fd)
	case wire.KindCreateChunk:
		reply.Chunk, err = s.dev.CreateChunk(req.Size)
		if err != nil {
			reply.Chunk.FD = -1
		}
		return err
	case wire.KindImportChunk:
		return s.dev.ImportChunk(backend.Chunk{Addr: req.Chunk.Addr, Size: req.Chunk.Size, FD: fd})
	case wire.KindMapPeer:
		reply.Chunk.Size = req.Chunk.Size
		reply.Chunk.Addr, err = s.dev.MapPeer(backend.Chunk{Addr: req.Chunk.Addr, Size: req.Chunk.Size, FD: fd})
		return err
	case wire.KindCompile:
		return s.compile(req, reply)
	case wire.KindLoad:
		return s.load(req, reply)
	case wire.KindStartProfile:
		return s.startProfile(req.Size == 0)
	case wire.KindStopProfile:
		return s.stopProfile(reply)
	case wire.KindGroupID:
		reply.Data, err = s.groups.id()
		return err
	case wire.KindJoin:
		return s.groups.join(req, fd)
	case wire.KindLibrary:
		return s.library(routine.Family(req.Module))
	case wire.KindBuild:
		return s.build(req, reply)
	case wire.KindTexture:
		return s.texture(req)
	case wire.KindReport:
		return s.report(reply)
	case wire.KindMemInfo:
		reply.Free, reply.Total, err = s.dev.MemInfo()
		return err
	}
	return outOfRange("request", uint64(req.Kind))
}

// compile translates a program and says what its kernels take.
func (s *server) compile(req *wire.Request, reply *wire.Reply) (err error) {
	kernels, wanted, err := signatures(req.Program)
	if err != nil {
		return err
	}
	program := req.Program
	program.Kernels = wanted
	s.watched(&program)
	if reply.Image, err = s.dev.Compile(program); err != nil {
		return err
	}
	reply.Kernels = kernels
	return nil
}

// load makes an image's kernels ready to be launched.
func (s *server) load(req *wire.Request, reply *wire.Reply) error {
	if err := s.dev.Load(req.Module, req.Image); err != nil {
		return err
	}
	if err := s.loaded(req); err != nil {
		return err
	}
	reply.Kernels = req.Kernels
	for i := range reply.Kernels {
		k := &reply.Kernels[i]
		var err error
		if k.Info, err = s.dev.Function(k.Func, req.Module, k.Name); err != nil {
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

// global copies a variable of a module. Work of the default stream comes before and after.
func (s *server) global(req *wire.Request, reply *wire.Reply) error {
	addr, size, err := s.dev.Symbol(req.Module, req.Program.Name)
	if err != nil {
		return err
	}
	reply.Size = size
	if req.Kind == wire.KindWriteGlobal {
		if n := uint64(len(req.Data)); n > size {
			return outOfRange("writing past the end of a variable, with bytes", n)
		}
		if s.watcher != nil {
			s.watcher.SetGlobal(req.Module, req.Program.Name)
		}
		return s.dev.CopyHtoD(addr, req.Data, 0)
	}
	if req.Size > size {
		return outOfRange("reading past the end of a variable, with bytes", req.Size)
	}
	reply.Data = make([]byte, req.Size)
	if err := s.dev.CopyDtoH(reply.Data, addr, 0); err != nil {
		return err
	}
	return s.dev.StreamSync(0)
}

// occupancy tells how many blocks of a kernel fit on a multiprocessor, and finds the number of
// threads for which the most threads do, if none is given. Of several the largest is taken.
func (s *server) occupancy(req *wire.Request, reply *wire.Reply) (err error) {
	if n := int(req.Chunk.Size); n > 0 {
		reply.Threads = n
		reply.Blocks, err = s.dev.Occupancy(req.Module, n, uint32(req.Size))
		return err
	}
	p := s.dev.Properties()
	for n := p.MaxThreadsPerBlock; n > 0; n -= max(p.WarpSize, 1) {
		// Devices refuse to think about blocks that the kernel cannot have.
		blocks, refused := s.dev.Occupancy(req.Module, n, uint32(req.Size))
		if refused != nil {
			err = refused
		} else if blocks*n > reply.Blocks*reply.Threads {
			reply.Blocks, reply.Threads = blocks, n
		}
	}
	if reply.Blocks > 0 {
		return nil
	}
	return err
}
