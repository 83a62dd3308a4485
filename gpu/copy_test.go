package gpu

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

func TestCopyBetweenBuffers(t *testing.T) {
	fresh(t)
	a := ToDevice([]int32{1, 2, 3, 4, 5, 6})
	b := Zeros[int32](6)
	if err := errors.Join(Copy(b, a), Copy(a.Slice(0, 2), a.Slice(4, 6)), Copy(a.Slice(0, 0), a.Slice(3, 3))); err != nil {
		t.Fatal(err)
	}
	if got, want := b.ToHost(), []int32{1, 2, 3, 4, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := a.ToHost(), []int32{5, 6, 3, 4, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("within a buffer: got %v, want %v", got, want)
	}
}

func TestCopyBetweenDevices(t *testing.T) {
	for _, lonely := range []string{"", "1"} {
		t.Run("lonely"+lonely, func(t *testing.T) {
			t.Setenv("TOY_LONELY", lonely)
			d := fresh(t)
			registry.mu.Lock()
			other := lookup("toy:1")
			registry.mu.Unlock()
			for _, n := range []int{0, 5, client.PartSize, 5*client.PartSize + 3} {
				a := Alloc[int32](n)
				a.Fill(int32(n + 7))
				b := Zeros[int32](n, other)
				if b.Device() != other || a.Device() != d {
					t.Errorf("the buffers are on %v and %v", a.Device(), b.Device())
				}
				if err := Copy(b, a); err != nil {
					t.Fatal(err)
				}
				if i := slices.IndexFunc(b.ToHost(), func(v int32) bool { return v != int32(n+7) }); i >= 0 {
					t.Errorf("%d elements: wrong from %d on", n, i)
				}
				b.Fill(1)
				s := d.NewStream()
				if err := errors.Join(CopyAsync(s, a, b), s.Sync()); err != nil {
					t.Fatal(err)
				}
				if i := slices.IndexFunc(a.ToHost(), func(v int32) bool { return v != 1 }); i >= 0 {
					t.Errorf("%d elements: wrong from %d on the way back", n, i)
				}
				if err := errors.Join(a.Free(), b.Free()); err != nil {
					t.Fatal(err)
				}
			}
			k, err := other.Compile(toySource)
			if err != nil {
				t.Fatal(err)
			}
			addone, err := k.Kernel("addone")
			if err != nil {
				t.Fatal(err)
			}
			x := ToDevice([]int32{1, 2}, other)
			g, err := other.Capture(func(s *Stream) error {
				return addone.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, x, 2)
			})
			if err != nil {
				t.Fatal(err)
			}
			s, e := other.NewStream(), other.NewEvent()
			if err := errors.Join(g.Launch(s), e.Record(s), e.Sync(), addone.Launch(For(2, 2), x, 2)); err != nil {
				t.Fatal(err)
			}
			if got := x.ToHost(); !slices.Equal(got, []int32{3, 4}) {
				t.Errorf("got %v", got)
			}
			freed := Zeros[int32](client.PartSize)
			target := Zeros[int32](client.PartSize, other)
			if err := freed.Free(); err != nil {
				t.Fatal(err)
			}
			if err := Copy(target, freed); err == nil || !strings.Contains(err.Error(), "copying between devices: the buffer was freed") {
				t.Errorf("got %v", err)
			}
			if free, total, err := other.MemInfo(); err != nil || total-free != other.Pool().Reserved {
				t.Errorf("%d of %d bytes are free and %+v: mappings are left, %v", free, total, other.Pool(), err)
			}
		})
	}
}

func TestPinned(t *testing.T) {
	d := fresh(t)
	host := Pinned[int32](3 * client.PartSize / 4)
	for i := range host {
		host[i] = int32(i)
	}
	// All of it, a part of it, and what is too short to be worth the direct way.
	for _, s := range [][]int32{host, host[5 : client.PartSize/2], host[7:9]} {
		b := ToDevice(s)
		if got := b.ToHost(); !slices.Equal(got, s) {
			t.Errorf("%d elements came back different", len(s))
		}
		back := Pinned[int32](len(s))
		if err := b.CopyTo(back); err != nil || !slices.Equal(back, s) {
			t.Errorf("%d elements to pinned memory: different, %v", len(s), err)
		}
		if err := Unpin(back); err != nil {
			t.Error(err)
		}
	}
	k := compileToy(t, "addone")
	s := NewStream()
	b := Zeros[int32](len(host))
	out := Pinned[int32](len(host))
	for round := range 2 {
		for _, err := range []error{
			b.CopyFromAsync(s, host),
			k.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, b, b.Len()),
			b.CopyToAsync(s, out),
			s.Sync(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range out {
			if v != int32(i)+1 {
				t.Fatalf("round %d: element %d is %d", round, i, v)
			}
		}
		// A new process knows the memory too.
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		clear(out)
		killed(t, d)
	}
	if err := Unpin(out); err != nil {
		t.Error(err)
	}
	if err := Unpin(host); err != nil {
		t.Error(err)
	}
	if n := len(client.PinnedList()); n != 0 {
		t.Errorf("%d pinned areas are left", n)
	}
}

func TestPinnedMisuse(t *testing.T) {
	fresh(t)
	host := Pinned[float32](3000)
	defer func() { _ = Unpin(host) }()
	b := Zeros[float32](2)
	s := NewStream()
	if err := s.Destroy(); err != nil {
		t.Fatal(err)
	}
	k := compileToy(t, "fault")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"not pinned":     {b.CopyToAsync(nil, make([]float32, 2)), "make the slice with gpu.Pinned"},
		"length":         {b.CopyToAsync(nil, host), "the slice has 3000 elements, the buffer 2"},
		"length, from":   {b.CopyFromAsync(nil, host), "the slice has 3000 elements, the buffer 2"},
		"closed stream":  {b.CopyFromAsync(s, host[:2]), "the stream was destroyed"},
		"closed, to":     {b.CopyToAsync(s, host[:2]), "the stream was destroyed"},
		"closed, fill":   {b.FillAsync(s, 1), "the stream was destroyed"},
		"ordinary":       {Unpin(make([]int, 3)), "is not one that gpu.Pinned returned"},
		"part":           {Unpin(host[1:]), "is not one that gpu.Pinned returned"},
		"mapped, no pin": {k.Launch(For(1, 1), Mapped(make([]float32, 2))), "parameter x (float *): only slices from gpu.Pinned can be mapped"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	if s := Pinned[int](0); len(s) != 0 || Unpin(s) != nil {
		t.Error("nothing cannot be pinned and unpinned")
	}
}

func TestPitched(t *testing.T) {
	d := fresh(t)
	for _, size := range [][2]int{{0, 0}, {3, 0}, {0, 3}, {1, 1}, {5, 3}, {128, 7}, {129, 40}, {1 << 20, 3}, {1<<20 + 1, 2}, {700, 5000}} {
		w, h := size[0], size[1]
		b := Pitched[int32](w, h)
		host := make([]int32, w*h)
		for i := range host {
			host[i] = int32(i * 3)
		}
		pinned := Pinned[int32](w * h)
		if err := errors.Join(b.CopyFrom(host), b.CopyTo(pinned)); err != nil {
			t.Fatal(err)
		}
		if b.Pitch()%pitchAlign != 0 || b.Pitch() < 4*w || b.PitchElements() != b.Pitch()/4 {
			t.Errorf("%v: rows are %d bytes, %d elements apart", size, b.Pitch(), b.PitchElements())
		}
		if got := b.ToHost(); !slices.Equal(got, host) || !slices.Equal(pinned, host) {
			t.Errorf("%v came back different", size)
		}
		clear(host)
		if err := errors.Join(b.CopyFrom(pinned), b.CopyTo(host)); err != nil || !slices.Equal(host, pinned) {
			t.Errorf("%v from pinned memory came back different, %v", size, err)
		}
		if err := errors.Join(Unpin(pinned), b.Free()); err != nil {
			t.Fatal(err)
		}
	}
	b := Pitched[int32](4, 3)
	b.Fill(1)
	b.Slice(1, 1, 2, 2).Fill(2)
	b.Row(2).Slice(0, 1).Fill(3)
	c := Pitched[int32](2, 3)
	if err := Copy2D(c, b.Slice(0, 0, 2, 3)); err != nil {
		t.Fatal(err)
	}
	if got, want := b.ToHost(), []int32{1, 1, 1, 1, 1, 2, 2, 1, 3, 2, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := c.ToHost(), []int32{1, 1, 1, 2, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("copied: got %v, want %v", got, want)
	}
	if got, want := b.String(), "gpu.Buffer2D[int32]: 4 × 3 elements, rows 512 bytes apart, on toy:0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *Buffer2D[int32]
	view := b.Slice(0, 0, 1, 1)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"length":     {b.CopyFrom(make([]int32, 11)), "the slice has 11 elements, the table 4 × 3"},
		"view":       {view.Free(), "free the buffer that it is a part of"},
		"size":       {Copy2D(b, c), "the source is 2 × 3, the destination 4 × 3"},
		"nil":        {Copy2D(none, b), "the table is nil"},
		"outside":    {panics(t, func() { b.Slice(3, 0, 2, 1) }), "2 × 1 elements from (3, 0) of a table of 4 × 3"},
		"row":        {panics(t, func() { b.Row(3) }), "row 3 of a table of 3 rows"},
		"negative":   {panics(t, func() { Pitched[int32](-1, 2) }), "cannot be"},
		"huge":       {panics(t, func() { Pitched[int32](1<<40, 1<<40) }), "cannot be"},
		"nil filled": {panics(t, func() { none.Fill(1) }), "the table is nil"},
		"freed":      {errors.Join(b.Free(), view.CopyTo(make([]int32, 1))), "the buffer was freed"},
		"twice":      {b.Free(), "the buffer was freed already"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	runtime.KeepAlive(c)
	if st := d.state(); st.Buffers > 1 {
		t.Errorf("%d buffers are left", st.Buffers)
	}
}

func TestHolders(t *testing.T) {
	d := fresh(t)
	small, big := Alloc[float32](10), Zeros[int64](1000)
	table := Pitched[bool](7, 2)
	_, _, line, _ := runtime.Caller(0)
	var got []string
	for _, h := range d.Holders() {
		got = append(got, h.Elem+" "+h.Site+" "+itoa(int(h.Bytes)))
	}
	want := []string{
		"int64 copy_test.go:" + itoa(line-2) + " 8192",
		"bool copy_test.go:" + itoa(line-1) + " 1024",
		"float32 copy_test.go:" + itoa(line-2) + " 256",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := big.Free(); err != nil || len(d.Holders()) != 2 {
		t.Errorf("%v, and %d are left", err, len(d.Holders()))
	}
	runtime.KeepAlive(small)
	runtime.KeepAlive(table)
}
