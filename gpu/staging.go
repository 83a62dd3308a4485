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
	partSize  = 2 << 20
	partCount = 16
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
	if err := l.request(p, &wire.Stage{}, l.staging.fd); err != nil {
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
	lanes := lanesFor(len(src))
	if lanes == 1 {
		return l.uploadLane(parts, a, dst, src, stream, true)
	}
	// The first part alone may find the old contents lost.
	if err := l.uploadLane(parts, a, dst, src[:partSize], stream, true); err != nil {
		return err
	}
	dst, src = dst+partSize, src[partSize:]
	return inLanes(src, lanes, func(at int, piece []byte) error {
		return l.uploadLane(parts, a, dst+uint64(at), piece, stream, false)
	})
}

// uploadLane does what one lane of an upload does.
func (l *link) uploadLane(parts chan *part, a *allocation, dst uint64, src []byte, stream uint32, first bool) error {
	for len(src) > 0 {
		t := <-parts
		err := l.free(t)
		if err == nil || errors.Is(err, errReplaced) {
			n := copy(t.mem, src)
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

// download copies device memory at src, within the allocation, to the host.
func (l *link) download(a *allocation, dst []byte, src uint64, stream uint32) error {
	err := l.downloadParts(a, dst, src, stream)
	if w := l.witness.Load(); w != nil && err == nil {
		w.add(dst)
	}
	return err
}

// downloadParts is download, with several parts under way at a time.
func (l *link) downloadParts(a *allocation, dst []byte, src uint64, stream uint32) error {
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
	lanes := lanesFor(len(dst))
	return inLanes(dst, lanes, func(at int, piece []byte) error {
		return l.downloadLane(parts, partCount/lanes, a, piece, src+uint64(at), stream)
	})
}

// downloadLane does what one lane of a download does, with at most so many parts at a time.
func (l *link) downloadLane(parts chan *part, most int, a *allocation, dst []byte, src uint64, stream uint32) error {
	var flying []*part // the oldest first
	defer func() {
		for _, t := range flying {
			parts <- t
		}
	}()
	asked, done := 0, 0
	for done < len(dst) {
		if t := nextPart(parts, len(flying) == 0, asked < len(dst) && len(flying) < most); t != nil {
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
		done += copy(dst[done:min(done+partSize, len(dst))], t.mem)
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

// A lane is a goroutine that moves its own piece of a large copy from or to one part after the other. One
// alone cannot keep up with the link to a GPU. To share each part among several would be simpler, but waking them
// takes as long as copying it does.

// lanesFor is how many lanes a copy has, where that many threads are likely to be free.
func lanesFor(bytes int) int {
	const most = 8
	return max(min(bytes/partSize, most, runtime.GOMAXPROCS(0)/2), 1)
}

// inLanes has f called for as many pieces of memory at a time, each with its offset.
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
