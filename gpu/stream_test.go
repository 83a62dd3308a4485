package gpu

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// A wait for one stream must not keep other streams, or other goroutines, from the device:
// here the first stream's work ends only after that of the second.
func TestSyncOfOneStreamLeavesOthersAlone(t *testing.T) {
	d := fresh(t)
	gate, open, addone := compileToy(t, "gate"), compileToy(t, "open"), compileToy(t, "addone")
	testGate(t, d, gate, open, addone)
}

func testGate(t *testing.T, d *Device, gate, open, addone *Kernel) {
	t.Helper()
	a, b := NewStream(), NewStream()
	latch, x := Zeros[int32](1), Zeros[int32](8)
	// Kernels may be loaded at their first launch, which waits for the whole device.
	once := func(s *Stream) Launch { return Launch{Grid: Dim(1), Block: Dim(1), Stream: s} }
	if err := errors.Join(open.Launch(once(nil), latch), gate.Launch(once(nil), latch), addone.Launch(once(nil), x, 8), Sync()); err != nil {
		t.Fatal(err)
	}
	latch.Fill(0)
	if err := gate.Launch(once(a), latch); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- a.Sync() }()
	for !d.link.Awaited() {
	}
	if over, err := a.Query(); over || err != nil {
		t.Errorf("the first stream is done: %v, %v", over, err)
	}
	if err := addone.Launch(once(b), x, 8); err != nil {
		t.Fatal(err)
	}
	if err := b.Sync(); err != nil {
		t.Fatal(err)
	}
	if over, err := b.Query(); !over || err != nil {
		t.Errorf("the second stream is done: %v, %v", over, err)
	}
	select {
	case err := <-done:
		t.Fatalf("the wait for the first stream has ended already: %v", err)
	default:
	}
	if err := b.Destroy(); err != nil { // while someone waits for another
		t.Error(err)
	}
	c := NewStream()
	if err := open.Launch(once(c), latch); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Sync(), Sync()); err != nil {
		t.Fatal(err)
	}
	if got := x.ToHost(); !slices.Equal(got, slices.Repeat([]int32{2}, 8)) {
		t.Errorf("got %v", got)
	}
}

func TestStreams(t *testing.T) {
	d := fresh(t)
	for ask, want := range map[int]int{0: 0, -1: -1, -2: -2, -100: -2, 5: 0} {
		if s := NewStream(WithPriority(ask)); s.Priority() != want {
			t.Errorf("priority %d became %d, want %d", ask, s.Priority(), want)
		}
	}
	s, e, plain := NewStream(), NewEvent(), NewEvent(WithoutTiming())
	for name, q := range map[string]func() (bool, error){"stream": s.Query, "event": e.Query} {
		if over, err := q(); !over || err != nil {
			t.Errorf("%s with no work: %v, %v", name, over, err)
		}
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	killed(t, d) // the new process must have the same ones
	if err := errors.Join(plain.Record(s), e.Record(s), s.Wait(plain), plain.Sync(), s.Sync()); err != nil {
		t.Fatal(err)
	}
	if over, err := e.Query(); !over || err != nil {
		t.Errorf("a recorded event: %v, %v", over, err)
	}
	var none *Stream
	var noEvent *Event
	gone := NewStream()
	if err := gone.Destroy(); err != nil {
		t.Fatal(err)
	}
	_, timing := e.Since(plain)
	_, query := gone.Query()
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no clock":         {timing, "made with gpu.WithoutTiming has no time"},
		"destroyed":        {gone.Sync(), "waiting for a stream: the stream was destroyed"},
		"destroyed, query": {query, "the stream was destroyed"},
		"destroyed, event": {e.Record(gone), "recording an event: the stream was destroyed"},
		"destroyed, wait":  {gone.Wait(e), "the stream was destroyed"},
		"destroyed twice":  {gone.Destroy(), "destroying a stream: the stream was destroyed"},
		"destroyed launch": {compileToy(t, "hello").Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: gone}, 1), "launching hello at stream_test.go"},
		"nil":              {none.Sync(), "the stream is nil: make one with gpu.NewStream"},
		"nil destroyed":    {none.Destroy(), "the stream is nil"},
		"zero value":       {(&Stream{}).Sync(), "the stream is empty"},
		"nil event":        {noEvent.Sync(), "the event is nil"},
		"wait for nil":     {s.Wait(nil), "the event is nil"},
		"record nil":       {noEvent.Record(s), "the event is nil"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	if err := Sync(); err != nil {
		t.Error(err)
	}
}

// A loop that makes and frees buffers on one stream takes the same memory again, without
// waiting; a buffer that several streams use waits for all of them.
func TestAllocOn(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "addone")
	s, other := NewStream(), NewStream()
	first := uint64(0)
	for i := range 10 {
		b := AllocOn[int32](s, 1000)
		if first == 0 {
			first = b.Address()
		}
		if err := errors.Join(b.FillAsync(s, int32(i)), k.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, b, 1000)); err != nil {
			t.Fatal(err)
		}
		if b.Address() != first {
			t.Fatalf("round %d: at %#x instead of %#x", i, b.Address(), first)
		}
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
	p := d.Pool()
	if p.Reused != 9 || p.Allocations != 10 || p.Waiting != 4096 || p.Used != 4096 || p.PeakUsed != 4096 || p.Reserved != client.MinChunk || p.PeakReserved != client.MinChunk {
		t.Errorf("%+v", p)
	}
	if b := AllocOn[int32](other, 1000); b.Address() == first {
		t.Error("another stream got the memory")
	}
	// After the stream is waited for, everybody may have it.
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	b := Alloc[int32](1000)
	if p := d.Pool(); p.Waiting != 0 || b.Address() != first {
		t.Errorf("after the wait: %+v, at %#x", p, b.Address())
	}
	for _, s := range []*Stream{s, other} {
		if err := b.FillAsync(s, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.Free(), s.Sync()); err != nil {
		t.Fatal(err)
	}
	if p := d.Pool(); p.Waiting != 4096 {
		t.Errorf("two streams used it and one is done: %+v", p)
	}
	if err := d.Trim(0); err != nil {
		t.Fatal(err)
	}
	if p := d.Pool(); p.Waiting != 0 {
		t.Errorf("after Trim: %+v", p)
	}
	if b := AllocOn[int32](nil, 3); b.Len() != 3 {
		t.Error("the default stream")
	}
}

func TestTrim(t *testing.T) {
	d := fresh(t)
	var all []*Buffer[byte]
	for range 4 {
		all = append(all, Alloc[byte](client.MinChunk))
	}
	for _, b := range all[1:] {
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ keep, want uint64 }{{1 << 40, 4 * client.MinChunk}, {2 * client.MinChunk, 2 * client.MinChunk}, {0, client.MinChunk}} {
		if err := d.Trim(c.keep); err != nil {
			t.Fatal(err)
		}
		if p := d.Pool(); p.Reserved != c.want {
			t.Errorf("trimmed to %d: %+v", c.keep, p)
		}
	}
	all[0].Fill(1)
}

// A buffer that is made and freed repeatedly is reused, though there is another empty chunk.
func TestLargeBufferStaysAtHand(t *testing.T) {
	d := fresh(t)
	kept, small := Alloc[byte](3*client.MinChunk), Alloc[byte](client.MinChunk)
	large := Alloc[byte](2 * client.MinChunk)
	at := large.Address()
	if err := errors.Join(small.Free(), large.Free()); err != nil {
		t.Fatal(err)
	}
	if p := d.Pool(); p.Reserved != 6*client.MinChunk {
		t.Errorf("less is empty than in use, but it was given back: %+v", p)
	}
	if again := Alloc[byte](2 * client.MinChunk); again.Address() != at {
		t.Errorf("the memory was at %#x and is at %#x", at, again.Address())
	}
	kept.Fill(1)
}

// At the limit empty chunks are given back, and what is still held is named.
func TestLimit(t *testing.T) {
	d := fresh(t)
	d.Limit(4 * client.MinChunk)
	if err := Alloc[byte](2 * client.MinChunk).Free(); err != nil { // its chunk is kept
		t.Fatal(err)
	}
	kept := Alloc[float64](3 * client.MinChunk / 8)
	e := panics(t, func() { Alloc[byte](2 * client.MinChunk) })
	for _, want := range []string{"64.0 MiB were asked for", "Limit leaves the pool 128.0 MiB", "96.0 MiB of float64"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("got %q, want %q in it", e, want)
		}
	}
	if p := d.Pool(); e.Code != client.CodeOutOfMemory || p.PeakReserved > 4*client.MinChunk {
		t.Errorf("code %d, pool %+v", e.Code, p)
	}
	d.Limit(0)
	Alloc[byte](2 * client.MinChunk).Fill(1)
	kept.Fill(1)
}

// Launches queue up, so that the wait is there when the last has been given to the device, which then
// tells the session itself that all is done: soon, or when the session sleeps already.
func TestSyncBehindLaunches(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	const rounds, launches = 200, 30
	x := Zeros[int32](1)
	for i := range rounds {
		for range launches {
			if err := k.Launch(For(1, 32), x, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		if i%50 == 0 {
			if got, want := x.ToHost()[0], int32((i+1)*launches); got != want {
				t.Fatalf("%d after %d launches", got, want)
			}
		}
	}
	// What waits and is told so is also told of errors.
	for range launches {
		if err := k.Launch(For(1, 32), x, 1); err != nil {
			t.Fatal(err)
		}
	}
	refuse := compileToy(t, "refuse")
	if err := refuse.Launch(For(1, 32), 1); err != nil {
		t.Fatal(err)
	}
	if err := Sync(); err == nil {
		t.Error("an error of a launch was lost")
	}
}
