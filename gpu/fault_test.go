package gpu

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

func itoa(n int) string { return strconv.Itoa(n) }

// killed kills the device process and waits until that has been dealt with.
func killed(t *testing.T, d *Device) {
	t.Helper()
	p := d.link.Process()
	p.Kill()
	<-p.Down
}

func TestIdleDeathGoesUnnoticed(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "addone")
	s, e := NewStream(), NewEvent()
	small := ToDevice([]int32{1, 2, 3})
	big := ToDevice(slices.Repeat([]int32{5}, 3*client.PartSize))
	unused := Zeros[int32](10)
	unused.Free()
	for round := range 3 {
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		pid := d.state().Pid
		killed(t, d)
		if got, want := small.ToHost(), []int32{1, 2, 3}; !slices.Equal(got, want) {
			t.Fatalf("round %d: got %v, want %v", round, got, want)
		}
		if st := d.state(); st.Pid == pid || st.Starts != round+2 {
			t.Errorf("round %d: %+v", round, st)
		}
		if got := big.ToHost(); slices.ContainsFunc(got, func(v int32) bool { return v != int32(5+round) }) {
			t.Fatalf("round %d: the large buffer changed", round)
		}
		// Modules, streams and events are there, new buffers do not overlap old ones.
		if err := k.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, big, big.Len()); err != nil {
			t.Fatal(err)
		}
		if err := e.Record(s); err != nil {
			t.Fatal(err)
		}
		Zeros[int32](client.PartSize)
		if err := e.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	if err := cellEnd(context.Background()); err != nil {
		t.Error(err)
	}
}

// A stream or an event that is made or destroyed is no work that the exit of a process could lose. Garbage is destroyed at any time.
func TestObjectsAreNoWork(t *testing.T) {
	for name, f := range map[string]func(){
		"a stream that is destroyed": func() { _ = NewStream().Destroy() },
		"an event":                   func() { NewEvent() },
	} {
		t.Run(name, func(t *testing.T) {
			d := fresh(t)
			x := ToDevice([]int32{1, 2, 3})
			if err := Sync(); err != nil {
				t.Fatal(err)
			}
			f()
			killed(t, d)
			if err := x.CopyTo(make([]int32, 3)); err != nil {
				t.Error(err)
			}
		})
	}
}

// wait is everything at which an earlier fault can come out.
var waits = map[string]func(x *Buffer[float32], k *Kernel) error{
	"Sync":    func(*Buffer[float32], *Kernel) error { return Sync() },
	"CellEnd": func(*Buffer[float32], *Kernel) error { return cellEnd(context.Background()) },
	"CopyTo":  func(x *Buffer[float32], _ *Kernel) error { return x.CopyTo(make([]float32, x.Len())) },
	"Stream":  func(*Buffer[float32], *Kernel) error { return NewStream().Sync() },
	"Event": func(*Buffer[float32], *Kernel) error {
		e := NewEvent()
		return errors.Join(e.Record(nil), e.Sync())
	},
	"In": func(x *Buffer[float32], k *Kernel) error {
		return k.Launch(For(2, 2), 1.0, x, InOut([]float32{1, 2}), 2)
	},
}

func TestFault(t *testing.T) {
	for kernel, want := range map[string]string{
		"fault": "an illegal memory access. The device process was replaced and buffers keep their contents [CUDA_ERROR_ILLEGAL_ADDRESS, 700]",
		"die":   "the device process died (killed) and was replaced",
	} {
		for where, wait := range waits {
			t.Run(kernel+"/"+where, func(t *testing.T) {
				fresh(t)
				saxpy, bad := compileToy(t, "saxpy"), compileToy(t, kernel)
				x, y := ToDevice([]float32{1, 2}), Zeros[float32](client.PartSize)
				if err := Sync(); err != nil {
					t.Fatal(err)
				}
				_, _, line, _ := runtime.Caller(0)
				err := bad.Launch(For(1, 1), x)
				if err == nil {
					func() {
						defer func() {
							if r, ok := recover().(error); ok {
								err = r
							}
						}()
						err = wait(x, saxpy)
					}()
				}
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
					t.Fatalf("got %v, want %q", err, want)
				}
				site := "fault_test.go:" + itoa(line+1)
				if kernel == "die" && where == "In" {
					// Its launch of saxpy may be lost, too, and then nobody knows which one it was. On a busy machine the process may have died before.
					if want := "work since the last wait is lost: die (" + site + ")"; !strings.Contains(err.Error(), want) {
						t.Errorf("got %v, want %q in it", err, want)
					}
				} else if e.Kernel != kernel || e.Site != site {
					t.Errorf("kernel %q at %q, want %q at %q", e.Kernel, e.Site, kernel, site)
				}
				// It was reported, and everything works again.
				if err := cellEnd(context.Background()); err != nil {
					t.Error("reported twice:", err)
				}
				if err := saxpy.Launch(For(2, 2), 3.0, x, y.Slice(0, 2), 2); err != nil {
					t.Fatal(err)
				}
				if got, want := y.Slice(0, 3).ToHost(), []float32{3, 6, 0}; !slices.Equal(got, want) {
					t.Errorf("afterwards: got %v, want %v", got, want)
				}
			})
		}
	}
}

// Of several launches that nobody waited for, the one that failed is named: each launch is
// marked when another one follows.
func TestFaultNamesItsLaunch(t *testing.T) {
	fresh(t)
	k, bad := compileToy(t, "empty"), compileToy(t, "fault")
	x := Zeros[float32](1)
	s := NewStream()
	launch := func(k *Kernel, n int, s *Stream, args ...any) {
		t.Helper()
		for range n {
			if err := k.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		before, after int // launches of another kernel
		exact         bool
	}{
		{0, 0, true},
		{3, 0, true},
		{3, 5, true},
		{7, 3, true},
		{30, 30, false}, // in a long row only every so many launches are marked
	} {
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		launch(k, c.before, nil, x, 1.0, 1)
		launch(k, 2, s, x, 1.0, 1)
		if err := s.Sync(); err != nil {
			t.Fatal(err)
		}
		launch(bad, 1, nil, x)
		// The toy's error is found by the next launch, and returned there or by the wait.
		var err error
		for range c.after {
			err = errors.Join(err, k.Launch(For(1, 1), x, 1.0, 1))
		}
		err = errors.Join(err, Sync())
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%+v: got %v", c, err)
		}
		if c.exact && (e.Kernel != "fault" || !strings.HasPrefix(e.Site, "fault_test.go:")) {
			t.Errorf("%+v: got kernel %q, %v", c, e.Kernel, err)
		}
		if !c.exact && (e.Kernel != "" || !strings.Contains(err.Error(), "one of the kernels launched since the last wait did it: empty (fault_test.go:") ||
			!strings.Contains(err.Error(), "fault (fault_test.go:") || strings.Count(err.Error(), "empty") > 2) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// An error that does not ruin the device comes back once, names its launch, and the process
// stays.
func TestRefusedLaunch(t *testing.T) {
	d := fresh(t)
	bad, good := compileToy(t, "refuse"), compileToy(t, "empty")
	x := Zeros[float32](1)
	_, _, line, _ := runtime.Caller(0)
	if err := bad.Launch(For(1, 1), 1); err != nil {
		t.Fatal(err)
	}
	if err := good.Launch(For(1, 1), x, 1.0, 1); err != nil {
		t.Fatal(err)
	}
	err := Sync()
	var e *Error
	if !errors.As(err, &e) || e.Code != 701 || e.Kernel != "refuse" || e.Site != "fault_test.go:"+itoa(line+1) {
		t.Errorf("got %+v", e)
	}
	if err := Sync(); err != nil {
		t.Error("reported twice:", err)
	}
	if st := d.state(); st.Starts != 1 {
		t.Errorf("%d device processes, want 1", st.Starts)
	}
}

func TestUnreportedFaultComesBackFromNextLaunch(t *testing.T) {
	d := fresh(t)
	k, bad := compileToy(t, "empty"), compileToy(t, "die")
	x := Zeros[float32](1)
	p := d.link.Process()
	if err := bad.Launch(For(1, 1), x); err != nil {
		t.Fatal(err)
	}
	<-p.Down
	if err := k.Launch(For(1, 1), x, 1.0, 1); err == nil || !strings.Contains(err.Error(), "kernel") && !strings.Contains(err.Error(), "die (fault_test.go:") {
		t.Errorf("got %v", err)
	}
	if err := k.Launch(For(1, 1), x, 1.0, 1); err != nil {
		t.Error("reported twice:", err)
	}
}

func TestCellEndStopsAnEndlessKernel(t *testing.T) {
	fresh(t)
	k := compileToy(t, "hang")
	x := ToDevice([]float32{4, 5})
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(For(1, 1), x); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := cellEnd(ctx)
	if err == nil || !strings.Contains(err.Error(), "stopped") || !strings.Contains(err.Error(), "hang (fault_test.go:") {
		t.Errorf("got %v", err)
	}
	if got, want := x.ToHost(), []float32{4, 5}; !slices.Equal(got, want) {
		t.Errorf("afterwards: got %v, want %v", got, want)
	}
}

func TestInterruptWakesWhoWaits(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "hang")
	x := ToDevice([]float32{4, 5})
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	interrupt() // nothing to do: nothing happens
	if err := k.Launch(For(1, 1), x); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- x.CopyTo(make([]float32, 2)) }()
	for !d.link.Awaited() {
		runtime.Gosched()
	}
	interrupt()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("got %v", err)
	}
	if st := d.state(); st.Starts != 2 {
		t.Errorf("%d device processes, want 2", st.Starts)
	}
}

// Many goroutines work while the device process is killed a hundred times. Each operation
// either works or fails; nothing hangs, what was copied with success is right, and buffers that
// no work was under way on keep their contents.
func TestDeathUnderLoad(t *testing.T) { testDeaths(t, fresh(t), manyDeaths) }

// manyDeaths is fewer under the race detector, with which a process takes long to start.
var manyDeaths = map[bool]int{false: 100, true: 20}[raceEnabled]

func TestRealDeathUnderLoad(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) { testDeaths(t, d, manyDeaths) })
}

func testDeaths(t *testing.T, d *Device, deaths int) {
	t.Helper()
	k := compileToy(t, "addone")
	stop := make(chan struct{})
	done := make(chan error, 4)
	var succeeded atomic.Int64
	kept := map[int]*Buffer[int32]{}
	for _, n := range []int{1, 1000, client.MaxInline, client.PartSize/4 + 1, client.PartSize} {
		kept[n] = ToDevice(slices.Repeat([]int32{int32(n)}, n))
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	for g := range cap(done) {
		go func() {
			done <- func() error {
				host := make([]int32, client.PartSize/16*g+10)
				for {
					select {
					case <-stop:
						return nil
					default:
					}
					ok, err := worker(k, host, int32(g))
					if err != nil {
						return err
					}
					if ok {
						succeeded.Add(1)
					}
				}
			}()
		}()
	}
	moments := rand.New(rand.NewPCG(1, 2)) // where they fall differs all the same
	for killed := 0; killed < deaths; {
		// A GPU takes longer to open than most of these moments last, so some deaths wait for work.
		for worked := succeeded.Load(); killed%10 == 9 && succeeded.Load() == worked; {
			runtime.Gosched()
		}
		for range moments.IntN(2000) {
			runtime.Gosched()
		}
		p := d.link.Process()
		if p == nil {
			continue
		}
		p.Kill()
		<-p.Down
		killed++
	}
	close(stop)
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	_ = Sync() // an error of work that nobody waited for
	for n, b := range kept {
		if i := slices.IndexFunc(b.ToHost(), func(v int32) bool { return v != int32(n) }); i >= 0 {
			t.Errorf("a buffer of %d elements that was not in use has changed at %d", n, i)
		}
	}
	t.Logf("%d rounds of work succeeded between the deaths", succeeded.Load())
	if succeeded.Load() == 0 {
		t.Error("no work succeeded")
	}
	if st := d.state(); st.Starts < deaths {
		t.Errorf("%d device processes for %d deaths", st.Starts, deaths)
	}
}

// worker adds one on the device to a slice of v. Errors of the device are expected, wrong
// values are not. ok says that there was none.
func worker(k *Kernel, host []int32, v int32) (ok bool, err error) {
	defer func() { _ = recover() }() // ToDevice panics
	for i := range host {
		host[i] = v
	}
	b := ToDevice(host)
	defer func() { _ = b.Free() }()
	// A stream of its own now and then, so that all paths are killed.
	cfg := For(1, 64)
	if v%2 == 1 {
		cfg.Stream = NewStream()
		defer func() { _ = cfg.Stream.Destroy() }()
	}
	if k.Launch(cfg, b, len(host)) != nil || b.CopyTo(host) != nil {
		return false, nil
	}
	if i := slices.IndexFunc(host, func(x int32) bool { return x != v+1 }); i >= 0 {
		return false, errors.New("element " + itoa(i) + " is " + itoa(int(host[i])))
	}
	return true, nil
}

func TestMemoryThatCannotBeShared(t *testing.T) {
	t.Setenv("TOY_UNSHARED", "1")
	d := fresh(t)
	k := compileToy(t, "addone")
	x := ToDevice([]int32{1, 2})
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	killed(t, d)
	if err := x.CopyTo(make([]int32, 2)); err == nil || !strings.Contains(err.Error(), "contents went with the device process") {
		t.Errorf("got %v", err)
	}
	if err := k.Launch(For(2, 2), x, 2); err == nil || !strings.Contains(err.Error(), "parameter x (int *)") {
		t.Errorf("got %v", err)
	}
	y := ToDevice([]int32{1, 2})
	x.Free() // must not free what is there now
	z := ToDevice([]int32{3, 4})
	if y.addr == z.addr {
		t.Error("two buffers at one address")
	}
	if got := y.ToHost(); !slices.Equal(got, []int32{1, 2}) {
		t.Errorf("got %v", got)
	}
}
