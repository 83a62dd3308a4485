package server

import (
	"bytes"
	"fmt"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/inspect"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/memory"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

const (
	// movedAtOnce is how many bytes of host memory are mapped at a time, which count as memory of this process.
	movedAtOnce = 64 << 20
	// hostReserve is the host memory that saving a chunk leaves available, in bytes.
	hostReserve = 512 << 20
)

// moveChunk copies parts of a chunk to a file in host memory, or back.
func (s *server) moveChunk(r *wire.MoveChunk, fd int) error {
	var total uint64
	for _, span := range r.Spans {
		total += span.Size
	}
	if !r.Back {
		if left, err := memory.Available(); err == nil && total+hostReserve > uint64(left) {
			return fmt.Errorf("the host has %s left, which is too little for %s of the device's memory", render.Bytes(uint64(left)), render.Bytes(total))
		}
	}
	for _, span := range r.Spans {
		for done := uint64(0); done < span.Size; done += movedAtOnce {
			at := span.Offset + done
			if err := s.movePiece(r.Addr+at, fd, at, min(movedAtOnce, span.Size-done), r.Back); err != nil {
				return err
			}
		}
	}
	return nil
}

// movePiece copies n bytes between the device and the file.
func (s *server) movePiece(addr uint64, fd int, at, n uint64, back bool) (err error) {
	page := uint64(syscall.Getpagesize())
	start := at / page * page
	mem, err := syscall.Mmap(fd, int64(start), int(at-start+n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_POPULATE)
	if err != nil {
		return fmt.Errorf("mapping %s of host memory: %w", render.Bytes(n), err)
	}
	defer func() {
		if e := syscall.Munmap(mem); err == nil && e != nil {
			err = fmt.Errorf("unmapping host memory: %w", e)
		}
	}()
	if host := mem[at-start:]; back {
		err = s.dev.CopyHtoD(addr, host, 0)
	} else {
		err = s.dev.CopyDtoH(host, addr, 0)
	}
	if err != nil {
		return err
	}
	return s.dev.StreamSync(0)
}

// changed finds what would be lost with a module: a running profile, memory of the device's heap, and variables that do not have the
// value with which a new process would load them.
func (s *server) changed(r *wire.Changed) error {
	if s.recorder != nil {
		r.What = "a profile is being taken"
		return nil
	}
	variables, heap, err := inspect.Variables(r.Image)
	switch {
	case err != nil:
		return err
	case heap:
		r.What = "a kernel uses the device's heap"
		return nil
	}
	given := map[uint64][]byte{} // by address
	for _, g := range r.Globals {
		addr, _, err := s.dev.Symbol(r.Module, g.Name)
		if err != nil {
			return err
		}
		given[addr] = g.Data
	}
	for _, v := range variables {
		same, err := s.unchanged(r.Module, v, given)
		if err != nil {
			return err
		}
		if !same {
			r.What = "a kernel has written the variable " + v.Symbol
			return nil
		}
	}
	return nil
}

// unchanged reports whether a variable has its initial value, or the one that the host has given it.
func (s *server) unchanged(module uint32, v inspect.Variable, given map[uint64][]byte) (bool, error) {
	addr, size, err := s.dev.Symbol(module, v.Symbol)
	if err != nil {
		return false, err
	}
	want := make([]byte, size)
	copy(want, v.Initial)
	copy(want, given[addr])
	now := make([]byte, size)
	if err := s.dev.CopyDtoH(now, addr, 0); err != nil {
		return false, err
	}
	if err := s.dev.StreamSync(0); err != nil {
		return false, err
	}
	return bytes.Equal(now, want), nil
}
