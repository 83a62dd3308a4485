package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

func TestCopiesOfAllSizes(t *testing.T) {
	fresh(t)
	// Around the borders between the ways to copy: maxInline, one part, several parts, all.
	for _, n := range []int{0, 1, 3, client.MaxInline - 1, client.MaxInline, client.MaxInline + 1, client.PartSize, client.PartSize + 5, 6*client.PartSize + 7} {
		host := make([]byte, n)
		for i := range host {
			host[i] = byte(i * 7 / 3)
		}
		b := ToDevice(host)
		if b.Len() != n || b.Bytes() != n {
			t.Errorf("%d: Len %d, Bytes %d", n, b.Len(), b.Bytes())
		}
		got := make([]byte, n)
		if err := b.CopyTo(got); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		if !slices.Equal(got, host) {
			t.Errorf("%d bytes came back different", n)
		}
		b.Free()
	}
}

func TestConcurrentCopies(t *testing.T) {
	fresh(t)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			host := slices.Repeat([]uint16{uint16(g)}, client.PartSize+g)
			for range 5 {
				b := ToDevice(host)
				if got := b.ToHost(); !slices.Equal(got, host) {
					t.Errorf("goroutine %d got something else back", g)
				}
				b.Free()
			}
		})
	}
	wg.Wait()
}

// fillWith makes a buffer of n elements of v, between two others that must stay.
func fillWith[T Element](t *testing.T, n int, v, other T) {
	t.Helper()
	b := Alloc[T](n + 2)
	b.Fill(other)
	b.Slice(1, n+1).Fill(v)
	for i, got := range b.ToHost() {
		want := v
		if i == 0 || i == n+1 {
			want = other
		}
		if got != want {
			t.Errorf("%T: element %d of %d is %v, want %v", v, i, n, got, want)
			return
		}
	}
}

func TestFill(t *testing.T) {
	fresh(t)
	for _, n := range []int{0, 1, 7, 1000, 5000} {
		fillWith[bool](t, n, true, false)
		fillWith[int8](t, n, -3, 1)
		fillWith[uint16](t, n, 0xabcd, 1)
		fillWith[float32](t, n, 2.5, 1)
		fillWith[float64](t, n, 3.25, 1)
		fillWith[int](t, n, -5, 0)
		fillWith[complex128](t, n, complex(1, 2), 0)
		fillWith(t, n, vec.Float3{X: 1, Y: 2, Z: 3}, vec.Float3{}) // 12 bytes: no power of two
		fillWith(t, n, Float16(7), 1)
	}
	for i, v := range Zeros[int64](3000).ToHost() {
		if v != 0 {
			t.Fatalf("element %d of zeros is %d", i, v)
		}
	}
}

func TestSliceShares(t *testing.T) {
	fresh(t)
	b := ToDevice([]int32{0, 1, 2, 3, 4, 5})
	v := b.Slice(2, 5).Slice(1, 3)
	if err := v.CopyFrom([]int32{33, 44}); err != nil {
		t.Fatal(err)
	}
	if err := v.Free(); err == nil || !strings.Contains(err.Error(), "free the buffer that it is a part of") {
		t.Errorf("freeing a view: got %v", err)
	}
	if got, want := b.ToHost(), []int32{0, 1, 2, 33, 44, 5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// panics returns what f panics with, as an error of this package.
func panics(t *testing.T, f func()) (e *Error) {
	t.Helper()
	defer func() {
		r := recover()
		err, ok := r.(error)
		if !ok || !errors.As(err, &e) {
			t.Fatalf("panicked with %v, want an *Error", r)
		}
	}()
	f()
	return nil
}

func TestBufferMisuse(t *testing.T) {
	fresh(t)
	b := Zeros[float32](4)
	freed := Zeros[float32](4)
	view := freed.Slice(0, 2)
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	var none *Buffer[float32]
	for name, c := range map[string]struct {
		do   func() error
		want string
	}{
		"short slice":   {func() error { return b.CopyFrom(make([]float32, 3)) }, "the slice has 3 elements, the buffer 4"},
		"long slice":    {func() error { return b.CopyTo(make([]float32, 5)) }, "the slice has 5 elements, the buffer 4"},
		"freed":         {func() error { return freed.CopyFrom(make([]float32, 4)) }, "the buffer was freed"},
		"view of freed": {func() error { return view.CopyTo(make([]float32, 2)) }, "the buffer was freed"},
		"fill freed":    {func() error { return panics(t, func() { freed.Fill(1) }) }, "the buffer was freed"},
		"negative":      {func() error { return panics(t, func() { Alloc[int8](-1) }) }, "-1 elements"},
		"huge":          {func() error { return panics(t, func() { Alloc[int64](1 << 60) }) }, "cannot be"},
		"view":          {func() error { return panics(t, func() { b.Slice(2, 5) }) }, "[2:5] of a buffer of 4"},
		"freed twice":   {func() error { return freed.Free() }, "freeing a buffer: the buffer was freed already"},
		"copy freed":    {func() error { return Copy(b, freed) }, "copying on the device: the buffer was freed"},
		"copy to freed": {func() error { return Copy(freed, b) }, "the buffer was freed"},
		"other length":  {func() error { return Copy(b, b.Slice(0, 2)) }, "the source has 2 elements, the destination 4"},
		"overlap":       {func() error { return Copy(b.Slice(0, 2), b.Slice(1, 3)) }, "overlap"},
		"nil":           {func() error { return none.CopyTo(nil) }, "the buffer is nil"},
		"nil to host":   {func() error { return panics(t, func() { none.ToHost() }) }, "the buffer is nil"},
		"nil filled":    {func() error { return panics(t, func() { none.Fill(1) }) }, "the buffer is nil"},
		"nil view":      {func() error { return panics(t, func() { none.Slice(0, 0) }) }, "the buffer is nil"},
		"nil freed":     {func() error { return none.Free() }, "the buffer is nil"},
		"zero value":    {func() error { return Copy(b, &Buffer[float32]{}) }, "the buffer is nil"},
		"out of memory": {
			func() error { return panics(t, func() { Alloc[byte](toyTotal + 1) }) },
			"making a buffer of 256.0 MiB on toy:0: 256.0 MiB were asked for, and 224.0 MiB of 256.0 MiB are free; " +
				"this session holds 256 B in 1 buffers: 256 B of float32 made at buffer_test.go:",
		},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if got := b.ToHost(); !slices.Equal(got, make([]float32, 4)) {
		t.Errorf("afterwards: %v", got)
	}
}

// Buffers that nobody holds are freed, so a loop that makes one after the other does not run
// out of memory: here 40 times what the device has.
func TestUnreachableBuffersAreFreed(t *testing.T) {
	fresh(t)
	const size = toyTotal / 4
	for i := range 160 {
		b := Alloc[byte](size)
		b.Slice(0, 1).Fill(byte(i))
	}
}

func TestViewKeepsBuffer(t *testing.T) {
	fresh(t)
	v := ToDevice(slices.Repeat([]int32{7}, 1000)).Slice(10, 20)
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		Alloc[int32](1000).Fill(1)
	}
	if got := v.ToHost(); !slices.Equal(got, slices.Repeat([]int32{7}, 10)) {
		t.Errorf("the view holds %v", got)
	}
}

func TestFreedMemoryIsUsedAgain(t *testing.T) {
	d := fresh(t)
	for range 100 {
		a, b := Alloc[byte](10<<20), Alloc[byte](20<<20)
		a.Free()
		b.Free()
	}
	if st := d.state(); st.Buffers != 0 || st.BufferBytes != 0 || st.ReservedBytes > client.MinChunk {
		t.Errorf("after freeing everything: %+v", st)
	}
}

// TestSmallBuffersLeaveLargeChunks makes a small and a large buffer again and again. The small one does not take a piece of the memory of the
// large one, for which there would be a new chunk each time.
func TestSmallBuffersLeaveLargeChunks(t *testing.T) {
	d := fresh(t)
	const large = 2 * client.MinChunk
	small := Alloc[byte](1)
	kept := Alloc[byte](large)
	small.Free()
	Alloc[byte](large).Free()
	for range 3 {
		a, b := Alloc[byte](1), Alloc[byte](large)
		a.Free()
		b.Free()
	}
	if st := d.Pool(); st.PeakReserved != 2*large+client.MinChunk {
		t.Errorf("%d MiB were reserved for two large buffers of %d MiB and a small one", st.PeakReserved>>20, large>>20)
	}
	kept.Free()
}

// With other streams at work a freed buffer may still be in use: its memory must wait for
// the next Sync.
func TestFreedMemoryWaitsForStreams(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "addone")
	s := NewStream()
	x := Zeros[int32](100)
	if err := k.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, x, 100); err != nil {
		t.Fatal(err)
	}
	addr := x.addr
	x.Free()
	if y := Alloc[int32](100); y.addr == addr {
		t.Error("the memory was handed out again while a stream may use it")
	}
	if st := d.state(); st.Buffers != 1 {
		t.Errorf("%d buffers alive, want 1", st.Buffers)
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	if y := Alloc[int32](100); y.addr != addr {
		t.Errorf("after Sync the memory at %#x was not handed out again, but %#x", addr, y.addr)
	}
}

func TestBufferString(t *testing.T) {
	fresh(t)
	for want, b := range map[string]fmt.Stringer{
		"gpu.Buffer[float32]: 1000 elements, 3.9 KiB on toy:0": Alloc[float32](1000),
		"gpu.Buffer[bool]: 0 elements, 0 B on toy:0":           Alloc[bool](0),
	} {
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
