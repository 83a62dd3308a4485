package client

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

const (
	// MaxInline is the maximum size in bytes of a copy whose data is in the ring itself.
	MaxInline = ring.SlotBytes
	PartSize  = 2 << 20
	partCount = 16
	// The staging area's events have handles that the counter for others never reaches.
	firstPartEvent = 0xffff_ff00
)

// staging copies between host and device, by page-locked memory that the session fills or empties while the device copies from or to
// other parts of it. The connection's lock guards fd, mem and parts, which are set once.
type staging struct {
	link  *Link
	fd    int
	mem   []byte     // nil until the first process has started
	parts chan *part // those that no copy uses
	// onDownload is called with all data that is copied to the host, if it is set.
	onDownload pointer.Atomic // *func(data []byte)
}

// A part of the staging area belongs to one copy at a time.
type part struct {
	mem    []byte
	offset uint64
	event  uint32
	// busy is the process with a pending copy to or from this part that was not waited for.
	busy *Process
}

// restore gives a new process the staging area. The lock is held.
func (s *staging) restore(p *Process) error {
	if s.mem == nil {
		if err := s.make(); err != nil {
			return err
		}
	}
	if err := s.link.conn.request(p, &wire.Stage{}, s.fd); err != nil {
		return fmt.Errorf("sharing memory for copies: %w", err)
	}
	for i := range partCount {
		if err := s.link.conn.push(p, &wire.Command{Op: wire.OpEventCreate, Event: firstPartEvent + uint32(i)}, nil); err != nil {
			return err
		}
	}
	return nil
}

// make allocates the staging area.
func (s *staging) make() error {
	fd, err := memfd.Create("gopherwarp-staging", PartSize*partCount)
	if err != nil {
		return err
	}
	mem, err := ring.MapMemory(fd)
	if err != nil {
		syscall.Close(fd)
		return err
	}
	s.fd, s.mem = fd, mem
	s.parts = make(chan *part, partCount)
	for i := range partCount {
		at := i * PartSize
		s.parts <- &part{mem: mem[at : at+PartSize], offset: uint64(at), event: firstPartEvent + uint32(i)}
	}
	return nil
}

// ObserveDownloads calls f with all data that is copied to the host until the returned function is called.
func (l *Link) ObserveDownloads(f func(data []byte)) (end func()) {
	before := pointer.Swap(&l.copies.onDownload, &f)
	return func() { pointer.Store(&l.copies.onDownload, before) }
}

// ready starts the device process, if necessary, and returns the parts.
func (s *staging) ready() (chan *part, error) {
	var parts chan *part
	err := s.link.With(func(*Process) error {
		parts = s.parts
		return nil
	})
	return parts, err
}

// errReplaced is the error of waiting for work of a process that was replaced.
var errReplaced = errors.New("the device process was replaced")

// settle waits until the device has finished with the part. It returns errReplaced if the process has exited.
func (s *staging) settle(t *part) error {
	p := t.busy
	t.busy = nil
	if p == nil {
		return nil
	}
	return s.link.awaitOn(p, &wire.Command{Op: wire.OpEventSync, Event: t.event})
}

// postPart sends a copy to or from a part and marks the part as busy. Earlier work must not have been lost, unless it is the first part
// of an upload.
func (s *staging) postPart(b *Block, t *part, c *wire.Command, data []byte, first bool) error {
	c.Event = t.event
	err := s.link.With(func(p *Process) error {
		err := b.Usable()
		if !first {
			err = errors.Join(err, b.TakeFault())
		}
		if err != nil {
			return err
		}
		touched := b
		if c.Op == wire.OpDownload {
			touched = nil
		}
		if err := s.link.Submit(p, c, data, touched); err != nil {
			return err
		}
		t.busy = p
		return nil
	})
	s.link.Reported(b.Allocation, err)
	return err
}

// upload copies host memory to dst, which is in the block. src may be changed when it returns; the copy to the device may not have
// completed.
func (s *staging) upload(b *Block, dst uint64, src []byte, stream uint32) error {
	if len(src) <= MaxInline {
		if len(src) == 0 {
			return nil
		}
		return s.link.Post(b, &wire.Command{Op: wire.OpWrite, Dst: dst, Stream: stream}, src)
	}
	if m, offset := FindPinned(src); m != nil {
		return s.link.movePinned(m, b, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: offset, N: uint64(len(src)), Arg: m.Number, Stream: stream}, nil)
	}
	parts, err := s.ready()
	if err != nil {
		return err
	}
	lanes := lanesFor(len(src))
	if lanes == 1 {
		return s.uploadLane(parts, b, dst, src, stream, true)
	}
	// Only before the first part may the old contents have been lost.
	if err := s.uploadLane(parts, b, dst, src[:PartSize], stream, true); err != nil {
		return err
	}
	dst, src = dst+PartSize, src[PartSize:]
	return inLanes(src, lanes, func(at int, piece []byte) error {
		return s.uploadLane(parts, b, dst+uint64(at), piece, stream, false)
	})
}

// uploadLane copies the piece of one lane of an upload.
func (s *staging) uploadLane(parts chan *part, b *Block, dst uint64, src []byte, stream uint32, first bool) error {
	for len(src) > 0 {
		t := <-parts
		err := s.settle(t)
		if err == nil || errors.Is(err, errReplaced) {
			n := copy(t.mem, src)
			err = s.postPart(b, t, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: t.offset, N: uint64(n), Stream: stream}, nil, first)
			first = false
			dst, src = dst+uint64(n), src[n:]
		}
		parts <- t
		if err != nil {
			return err
		}
	}
	return nil
}

// download copies device memory at src, which is in the block, to the host.
func (s *staging) download(b *Block, dst []byte, src uint64, stream uint32) error {
	err := s.downloadParts(b, dst, src, stream)
	if f := pointer.Load[func(data []byte)](&s.onDownload); f != nil && err == nil {
		(*f)(dst)
	}
	return err
}

// downloadParts is like download but has several parts in flight.
func (s *staging) downloadParts(b *Block, dst []byte, src uint64, stream uint32) error {
	if len(dst) <= MaxInline {
		if len(dst) == 0 {
			return nil
		}
		return s.link.read(b.Allocation, &wire.Command{Op: wire.OpRead, Src: src, N: uint64(len(dst)), Stream: stream}, dst)
	}
	if m, offset := FindPinned(dst); m != nil {
		return s.link.movePinned(m, b, &wire.Command{Op: wire.OpDownload, Dst: offset, Src: src, N: uint64(len(dst)), Arg: m.Number, Stream: stream}, nil)
	}
	parts, err := s.ready()
	if err != nil {
		return err
	}
	lanes := lanesFor(len(dst))
	return inLanes(dst, lanes, func(at int, piece []byte) error {
		return s.downloadLane(parts, partCount/lanes, b, piece, src+uint64(at), stream)
	})
}

// downloadLane copies the piece of one lane of a download, with at most maxParts parts in flight.
func (s *staging) downloadLane(parts chan *part, maxParts int, b *Block, dst []byte, src uint64, stream uint32) error {
	var pending []*part // the oldest first
	defer func() {
		for _, t := range pending {
			parts <- t
		}
	}()
	asked, done := 0, 0
	for done < len(dst) {
		if t := nextPart(parts, len(pending) == 0, asked < len(dst) && len(pending) < maxParts); t != nil {
			pending = append(pending, t)
			if err := s.settle(t); err != nil && !errors.Is(err, errReplaced) {
				return err
			}
			n := min(len(dst)-asked, PartSize)
			err := s.postPart(b, t, &wire.Command{Op: wire.OpDownload, Dst: t.offset, Src: src + uint64(asked), N: uint64(n), Stream: stream}, nil, false)
			if err != nil {
				return err
			}
			asked += n
			continue
		}
		t := pending[0]
		p := t.busy
		if err := s.settle(t); errors.Is(err, errReplaced) {
			if err := s.link.awaitCleanup(p); err != nil {
				return err
			}
			return exitedTwice()
		} else if err != nil {
			return err
		}
		done += copy(dst[done:min(done+PartSize, len(dst))], t.mem)
		pending = pending[1:]
		parts <- t
	}
	return nil
}

// nextPart returns a part for one more copy, or nil if the pending copies should continue first. Only a copy without a part waits for
// one: if all copies that have some waited for more, they would wait for each other.
func nextPart(parts chan *part, none, more bool) *part {
	switch {
	case !more:
		return nil
	case none:
		return <-parts
	}
	select {
	case t := <-parts:
		return t
	default:
		return nil
	}
}

// A lane is a goroutine that moves its own piece of a large copy from or to one part after the other. One
// alone cannot keep up with the link to a GPU. To share each part among several would be simpler, but waking them
// takes as long as copying it does.

// lanesFor returns how many lanes a copy has, if that many threads are likely to be free.
func lanesFor(bytes int) int {
	const maxLanes = 8
	return max(min(bytes/PartSize, maxLanes, runtime.GOMAXPROCS(0)/2), 1)
}

// inLanes calls f concurrently for that many pieces of memory, each with its offset.
func inLanes(mem []byte, lanes int, f func(at int, piece []byte) error) error {
	if lanes == 1 {
		return f(0, mem)
	}
	const page = 4 << 10
	step := (len(mem)/lanes + page) &^ (page - 1)
	errs := make([]error, lanes)
	var wg sync.WaitGroup
	for i := range lanes {
		from, to := min(i*step, len(mem)), min((i+1)*step, len(mem))
		wg.Go(func() { errs[i] = f(from, mem[from:to]) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err // the others are about the same
		}
	}
	return nil
}

// copyWide is like copy but uses several threads, if they are likely to be free: a single one is slower than the link to a GPU.
func copyWide(dst, src []byte) int {
	const (
		minBytes   = 256 << 10 // bytes worth another thread
		maxThreads = 4
	)
	n := min(len(dst), len(src))
	threads := min(n/minBytes, maxThreads, runtime.GOMAXPROCS(0)/2)
	if threads < 2 {
		return copy(dst, src)
	}
	var wg sync.WaitGroup
	for i := range threads {
		from, to := i*n/threads, (i+1)*n/threads
		wg.Go(func() { copy(dst[from:to], src[from:to]) })
	}
	wg.Wait()
	return n
}
