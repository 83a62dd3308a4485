package gpu

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func TestGlobal(t *testing.T) {
	d := fresh(t)
	m, err := Compile(toySource)
	if err != nil {
		t.Fatal(err)
	}
	g, err := GlobalOf[float32](m, "coef")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.String(), "gpu.Global[float32] coef: 4 elements on toy:0"; got != want || g.Len() != 4 {
		t.Errorf("got %q with %d elements, want %q", got, g.Len(), want)
	}
	want := []float32{1, 2, 3, 4}
	if err := g.CopyFrom(want); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := g.ToHost(); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		killed(t, d) // the next process has it too
	}
	_, missing := GlobalOf[int32](m, "nope")
	_, none := GlobalOf[int32](nil, "coef")
	for want, err := range map[string]error{
		"looking for variable nope: no variable nope": missing,
		"the module is nil":                           none,
		"the slice has 3 elements, the variable 4":    g.CopyFrom(want[:3]),
		"the slice has 5 elements, the variable 4":    g.CopyTo(make([]float32, 5)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestLoadImage(t *testing.T) {
	fresh(t)
	m, err := Compile(toySource)
	if err != nil {
		t.Fatal(err)
	}
	again, err := LoadImage(m.Image(), WithName("kept"), WithDeclarations("__global__ void addone(int *x, int n);"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := again.Kernel("addone")
	if err != nil {
		t.Fatal(err)
	}
	x := ToDevice([]int32{1, 2})
	if err := k.Launch(For(2, 2), x, 2); err != nil {
		t.Fatal(err)
	}
	if got := x.ToHost(); !slices.Equal(got, []int32{2, 3}) {
		t.Errorf("got %v", got)
	}
	_, undeclared := LoadImage(m.Image())
	_, broken := LoadImage(m.Image(), WithDeclarations("__global__ void f(int"))
	for want, err := range map[string]error{
		"loading image: an image does not tell what its kernels take: say so with gpu.WithDeclarations": undeclared,
		"does not compile": broken,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestPackedImages(t *testing.T) {
	img := backend.Image{Data: []byte("program"), Lowered: map[string]string{"k<int>": "gw_0", "a::b": "gw_1"}}
	packed := pack(img)
	got := unpack(packed)
	if string(got.Data) != "program" || !maps.Equal(got.Lowered, img.Lowered) {
		t.Errorf("got %+v", got)
	}
	// Cut or damaged ones are left to whoever loads them.
	for _, b := range [][]byte{nil, []byte(namesEnd), packed[:len(packed)-1], append(slices.Repeat([]byte{255}, 8), namesEnd...)} {
		if got := unpack(b); !slices.Equal(got.Data, b) || got.Lowered != nil {
			t.Errorf("%q became %+v", b, got)
		}
	}
}

func TestOccupancy(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	o, err := k.Occupancy(512, 0)
	if want := (Occupancy{Threads: 512, Blocks: 4, Warps: 64, Fraction: 1}); o != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", o, err, want)
	}
	if got, want := o.String(), "4 blocks of 512 threads on a multiprocessor: 64 warps, 100 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if o, err := k.Occupancy(1024, 0); o.Blocks != 0 || err != nil {
		t.Errorf("a block that does not fit: %+v, %v", o, err)
	}
	if o, err := k.SuggestBlock(0); o.Threads != 512 || err != nil {
		t.Errorf("suggested %+v, %v", o, err)
	}
	if _, err := k.Occupancy(0, 0); err == nil {
		t.Error("a block of no threads has an occupancy")
	}
	if _, err := k.SuggestBlock(-1); err == nil {
		t.Error("negative shared memory was accepted")
	}
}

func TestSpecialLaunches(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](4)
	for name, c := range map[string]struct {
		cfg  Launch
		want string
	}{
		"cooperative":       {Launch{Grid: Dim(16), Block: Dim(256), Cooperative: true}, ""},
		"too many at once":  {Launch{Grid: Dim(17), Block: Dim(256), Cooperative: true}, "cooperative launch of 17 blocks: Toy can run 16 of 256 threads at the same time"},
		"clusters":          {Launch{Grid: Dim(16, 2), Block: Dim(1), Cluster: Dim(4, 2)}, ""},
		"not a multiple":    {Launch{Grid: Dim(16, 3), Block: Dim(1), Cluster: Dim(4, 2)}, "grid of 3 blocks in y: it must be a multiple of the cluster's 2"},
		"large cluster":     {Launch{Grid: Dim(16), Block: Dim(1), Cluster: Dim(16)}, "cluster of 16 blocks: Toy allows 8"},
		"negative clusters": {Launch{Grid: Dim(16), Block: Dim(1), Cluster: Dim(-1)}, "multiple of the cluster's -1"},
	} {
		err := k.Launch(c.cfg, x, 4)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if err := Sync(); err != nil {
		t.Error(err)
	}
	if got := x.ToHost(); !slices.Equal(got, slices.Repeat([]int32{2}, 4)) {
		t.Errorf("got %v", got)
	}
}

func TestGraph(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "addone")
	one := func(s *Stream) Launch { return Launch{Grid: Dim(1), Block: Dim(1), Stream: s} }
	x, y := Zeros[int32](4), Zeros[int32](4)
	in, out := Pinned[int32](4), Pinned[int32](4)
	work := func(times int) func(s *Stream) error {
		return func(s *Stream) error {
			var errs []error
			errs = append(errs, x.CopyFromAsync(s, in))
			for range times {
				errs = append(errs, k.Launch(one(s), x, 4))
			}
			// Another stream does a part of it.
			fork, join, other := NewEvent(WithoutTiming()), NewEvent(WithoutTiming()), NewStream()
			errs = append(errs, fork.Record(s), other.Wait(fork), CopyAsync(other, y, x), join.Record(other), s.Wait(join))
			return errors.Join(append(errs, y.CopyToAsync(s, out))...)
		}
	}
	g, err := Capture(work(2))
	if err != nil {
		t.Fatal(err)
	}
	if got := x.ToHost(); got[0] != 0 {
		t.Errorf("capturing did something: %v", got)
	}
	launch := func(first, want int32) {
		t.Helper()
		in[0] = first
		if err := errors.Join(g.Launch(nil), Sync()); err != nil {
			t.Fatal(err)
		}
		if out[0] != want || y.ToHost()[0] != want {
			t.Errorf("got %v and %v, want %d", out, y.ToHost(), want)
		}
	}
	launch(10, 12)
	launch(20, 22)
	killed(t, d) // the next process gets the graph again
	launch(30, 32)
	if err := g.Update(work(5)); err != nil {
		t.Fatal(err)
	}
	launch(40, 45)
	if err := g.Update(func(*Stream) error { return errors.New("no") }); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("got %v", err)
	}
	launch(50, 55)

	z := Zeros[int32](4)
	freed, err := Capture(func(s *Stream) error { return z.FillAsync(s, 1) })
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Free(); err != nil {
		t.Fatal(err)
	}
	capture := func(f func(s *Stream) error) error {
		_, err := Capture(f)
		return err
	}
	var none *Graph
	for want, err := range map[string]error{
		"nothing was recorded":           capture(func(*Stream) error { return nil }),
		"copy from and to gpu.Pinned":    capture(func(s *Stream) error { return x.CopyFromAsync(s, []int32{1, 2, 3, 4}) }),
		"nothing can be waited for":      capture(func(s *Stream) error { return s.Sync() }),
		"part of another one":            capture(func(s *Stream) error { return g.Launch(s) }),
		"recorded in the same capture":   capture(func(s *Stream) error { return s.Wait(NewEvent()) }),
		"no, says f":                     capture(func(s *Stream) error { return errors.New("no, says f") }),
		"one of its buffers: the buffer": freed.Launch(nil),
		"the graph is nil":               none.Launch(nil),
		"the graph was destroyed":        errors.Join(freed.Destroy(), freed.Launch(nil)),
		"destroyed already":              freed.Destroy(),
		"pinned memory that it copies":   errors.Join(Unpin(in), g.Launch(nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := errors.Join(Unpin(out), Sync()); err != nil {
		t.Error(err)
	}
}

// A graph keeps the buffers of its copies and fills, as it keeps those of its launches.
func TestGraphKeepsBuffers(t *testing.T) {
	fresh(t)
	out := Pinned[int32](4)
	g, err := func() (*Graph, error) {
		x, y := Zeros[int32](4), Zeros[int32](4)
		return Capture(func(s *Stream) error {
			return errors.Join(x.FillAsync(s, 7), CopyAsync(s, y, x), y.CopyToAsync(s, out))
		})
	}()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // buffers that nothing refers to are freed by the third
		runtime.GC()
		if err := errors.Join(g.Launch(nil), Sync()); err != nil {
			t.Fatal(err)
		}
	}
	if out[3] != 7 {
		t.Errorf("got %v", out)
	}
}

// A fault within a graph names its kernels.
func TestGraphFault(t *testing.T) {
	fresh(t)
	bad := compileToy(t, "fault")
	x := Zeros[float32](1)
	g, err := Capture(func(s *Stream) error {
		return bad.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, x)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Launch(nil); err != nil {
		t.Fatal(err)
	}
	err = Sync()
	var e *Error
	if !errors.As(err, &e) || e.Kernel != "fault" || !strings.HasPrefix(e.Site, "module_test.go:") {
		t.Errorf("got %v", err)
	}
}

// A compiler that crashes costs the device process and nothing else, and the error says what to do.
func TestCompilerThatCrashes(t *testing.T) {
	fresh(t)
	x := ToDevice([]int32{1, 2})
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	_, err := Compile("// crash the compiler")
	if e := new(Error); !errors.As(err, &e) || !strings.Contains(e.Error(), "compiling program.cu: the compiler crashed on it") {
		t.Errorf("got %v", err)
	}
	if got := x.ToHost(); !slices.Equal(got, []int32{1, 2}) {
		t.Errorf("then the buffer holds %v", got)
	}
}
