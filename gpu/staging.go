package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const (
	// inline is the longest copy that travels in the ring itself.
	inline    = ring.SlotBytes
	partSize  = 4 << 20
	partCount = 4
	// The staging area's events have handles that the counter for others never reaches.
	firstPartEvent = 0xffff_ff00
)

// staging is host memory that the session fills or empties while the device copies from or
// to other parts of it.
type staging struct {
	fd  int
	mem []byte
}

// A part of the staging area belongs to one copy at a time.
type part struct {
	mem    []byte
	offset uint64
	event  uint32
	// busy is the process that was given a copy to or from this part, the end of which
	// nobody has waited for.
	busy *process
}

// stage gives a new process the staging area. The lock is held.
func (l *link) stage(p *process) error {
	if l.staging == nil {
		fd, err := ring.CreateMemory("gopherwarp-staging", partSize*partCount)
		if err != nil {
			return err
		}
		mem, err := ring.MapMemory(fd)
		if err != nil {
			syscall.Close(fd)
			return err
		}
		l.staging = &staging{fd: fd, mem: mem}
		l.parts = make(chan *part, partCount)
		for i := range partCount {
			at := i * partSize
			l.parts <- &part{mem: mem[at : at+partSize], offset: uint64(at), event: firstPartEvent + uint32(i)}
		}
	}
	if _, err := l.request(p, &wire.Request{Kind: wire.KindStage}, l.staging.fd); err != nil {
		return fmt.Errorf("sharing memory for copies: %w", err)
	}
	for i := range partCount {
		if err := l.push(p, &wire.Command{Op: wire.OpEventCreate, Event: firstPartEvent + uint32(i)}, nil); err != nil {
			return err
		}
	}
	return nil
}

// stagingParts waits for the device process, which makes the staging area, and returns
// the parts.
func (l *link) stagingParts() (chan *part, error) {
	var parts chan *part
	err := l.with(func(*process) error {
		parts = l.parts
		return nil
	})
	return parts, err
}

// errReplaced says that the process whose work was to be waited for is not there any more.
var errReplaced = errors.New("the device process was replaced")

// free waits until the device has done with the part. The error is errReplaced if that will
// never be, because its process is gone.
func (l *link) free(t *part) error {
	p := t.busy
	t.busy = nil
	if p == nil {
		return nil
	}
	return l.awaitOn(p, &wire.Command{Op: wire.OpEventSync, Event: t.event})
}

// postPart sends a copy to or from a part and marks the part. What came before it must not
// be lost, unless it is the first of an upload.
func (l *link) postPart(a *allocation, t *part, c *wire.Command, data []byte, first bool) error {
	c.Event = t.event
	err := l.with(func(p *process) error {
		err := a.usable()
		if !first {
			err = errors.Join(err, a.lost())
		}
		if err != nil {
			return err
		}
		touched := a
		if c.Op == wire.OpDownload {
			touched = nil
		}
		if err := l.submit(p, c, data, touched); err != nil {
			return err
		}
		t.busy = p
		return nil
	})
	l.told(a, err)
	return err
}

// upload copies host memory to dst, within the allocation. On return src may be changed; the copy to the
// device itself may still be under way.
func (l *link) upload(a *allocation, dst uint64, src []byte, stream uint32) error {
	if len(src) <= inline {
		if len(src) == 0 {
			return nil
		}
		return l.post(a, &wire.Command{Op: wire.OpWrite, Dst: dst, Stream: stream}, src)
	}
	if m, offset := findPinned(src); m != nil {
		return l.movePinned(m, a, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: offset, N: uint64(len(src)), Arg: m.number, Stream: stream}, nil)
	}
	parts, err := l.stagingParts()
	if err != nil {
		return err
	}
	first := true
	for len(src) > 0 {
		t := <-parts
		err := l.free(t)
		if err == nil || errors.Is(err, errReplaced) {
			n := copyWide(t.mem, src)
			err = l.postPart(a, t, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: t.offset, N: uint64(n), Stream: stream}, nil, first)
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

// download copies device memory at src, within the allocation, to the host, with several parts under way at a time.
func (l *link) download(a *allocation, dst []byte, src uint64, stream uint32) error {
	if len(dst) <= inline {
		if len(dst) == 0 {
			return nil
		}
		return l.read(a, &wire.Command{Op: wire.OpRead, Src: src, N: uint64(len(dst)), Stream: stream}, dst)
	}
	if m, offset := findPinned(dst); m != nil {
		return l.movePinned(m, a, &wire.Command{Op: wire.OpDownload, Dst: offset, Src: src, N: uint64(len(dst)), Arg: m.number, Stream: stream}, nil)
	}
	parts, err := l.stagingParts()
	if err != nil {
		return err
	}
	var flying []*part // the oldest first
	defer func() {
		for _, t := range flying {
			parts <- t
		}
	}()
	asked, done := 0, 0
	for done < len(dst) {
		if t := nextPart(parts, len(flying) == 0, asked < len(dst)); t != nil {
			flying = append(flying, t)
			if err := l.free(t); err != nil && !errors.Is(err, errReplaced) {
				return err
			}
			n := min(len(dst)-asked, partSize)
			err := l.postPart(a, t, &wire.Command{Op: wire.OpDownload, Dst: t.offset, Src: src + uint64(asked), N: uint64(n), Stream: stream}, nil, false)
			if err != nil {
				return err
			}
			asked += n
			continue
		}
		t := flying[0]
		p := t.busy
		if err := l.free(t); errors.Is(err, errReplaced) {
			if err := l.mourn(p); err != nil {
				return err
			}
			return l.died()
		} else if err != nil {
			return err
		}
		done += copyWide(dst[done:min(done+partSize, len(dst))], t.mem)
		flying = flying[1:]
		parts <- t
	}
	return nil
}

// nextPart takes a part for one more copy, or returns nil if the copies under way should
// go on first. Only who has none waits for a part: if all who hold some waited for more,
// they would wait for each other.
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

// copyWide is copy by several threads, where that many are likely to be free: one alone
// cannot keep up with the link to a GPU.
func copyWide(dst, src []byte) int {
	const (
		least = 256 << 10 // bytes worth another thread
		most  = 4
	)
	n := min(len(dst), len(src))
	threads := min(n/least, most, runtime.GOMAXPROCS(0)/2)
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
