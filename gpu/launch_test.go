package gpu

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

func TestArgumentsArePacked(t *testing.T) {
	fresh(t)
	k := compileToy(t, "mixed")
	want := []float32{1, 2.5, -3, 4e9, 60000}
	out := Zeros[float32](5)
	if err := k.Launch(For(1, 1), true, 2.5, -3, uint64(4e9), 60000, out); err != nil {
		t.Fatal(err)
	}
	if got := out.ToHost(); !slices.Equal(got, want) {
		t.Errorf("Launch: got %v, want %v", got, want)
	}
	out.Fill(0)
	c := k.Begin(For(1, 1))
	c.Bool(true)
	c.Float64(2.5)
	c.Int(-3)
	c.Uint(4e9)
	c.Int(60000)
	PassPointer(c, out)
	if err := c.Do(); err != nil {
		t.Fatal(err)
	}
	if got := out.ToHost(); !slices.Equal(got, want) {
		t.Errorf("Begin: got %v, want %v", got, want)
	}
}

func TestHostArguments(t *testing.T) {
	d := fresh(t)
	k := compileToy(t, "saxpy")
	x := []float32{1, 2, 3}
	y := []float32{10, 20, 30}
	if err := k.Launch(For(3, 32), float32(2), In(x), InOut(y), 3); err != nil {
		t.Fatal(err)
	}
	if want := []float32{12, 24, 36}; !slices.Equal(y, want) {
		t.Errorf("got %v, want %v", y, want)
	}
	long := make([]int32, client.PartSize) // several parts
	s := NewStream()
	if err := compileToy(t, "addone").Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, InOut(long), len(long)); err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(long, func(v int32) bool { return v != 1 }); i >= 0 {
		t.Errorf("element %d is %d", i, long[i])
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	if st := d.state(); st.Buffers != 0 {
		t.Errorf("%d buffers are left over", st.Buffers)
	}
}

func TestForCovers(t *testing.T) {
	for _, c := range []struct {
		got         Launch
		grid, block Dim3
		empty       bool
	}{
		{For(1, 256), Dim(1), Dim(256), false},
		{For(256, 256), Dim(1), Dim(256), false},
		{For(257, 256), Dim(2), Dim(256), false},
		{For(0, 256), Dim(1), Dim(256), true},
		{For(1<<62, 1), Dim(1 << 62), Dim(1), false},
		{For2D(33, 16, 16, 16), Dim(3, 1), Dim(16, 16), false},
		{For2D(33, 0, 16, 16), Dim(3, 1), Dim(16, 16), true},
	} {
		if c.got.Grid != c.grid || c.got.Block != c.block || c.got.empty != c.empty {
			t.Errorf("got %+v, want grid %v, block %v, empty %v", c.got, c.grid, c.block, c.empty)
		}
	}
}

func TestNothingToLaunch(t *testing.T) {
	fresh(t)
	k := compileToy(t, "die") // it would be noticed
	if err := k.Launch(For(0, 256), Zeros[float32](1)); err != nil {
		t.Error(err)
	}
	if err := Sync(); err != nil {
		t.Error(err)
	}
}

func TestLaunchMisuse(t *testing.T) {
	t.Setenv("TOY_LONELY", "1")
	fresh(t)
	saxpy, addone, mixed := compileToy(t, "saxpy"), compileToy(t, "addone"), compileToy(t, "mixed")
	x, y, n := Zeros[float32](8), Zeros[float32](8), 8
	freed := Zeros[float32](8)
	freed.Free()
	if err := Use("toy:1"); err != nil {
		t.Fatal(err)
	}
	elsewhere := Zeros[float32](8)
	stream := NewStream()
	if err := Use("toy:0"); err != nil {
		t.Fatal(err)
	}
	ok := For(8, 8)
	mixedArgs := func(c, u, s any) []any { return []any{true, 1.5, c, u, s, x} }
	for name, c := range map[string]struct {
		k    *Kernel
		cfg  Launch
		args []any
		want string
	}{
		"large block":      {saxpy, Launch{Grid: Dim(1), Block: Dim(2000)}, []any{1.0, x, y, n}, "block of 2000 threads in x: Toy allows 1024"},
		"large 2-D block":  {saxpy, Launch{Grid: Dim(1), Block: Dim(64, 32)}, []any{1.0, x, y, n}, "block of 2048 threads: Toy allows 1024 per block"},
		"deep block":       {saxpy, Launch{Grid: Dim(1), Block: Dim(1, 1, 65)}, []any{1.0, x, y, n}, "block of 65 threads in z: Toy allows 64"},
		"tall grid":        {saxpy, Launch{Grid: Dim(1, 65536), Block: Dim(1)}, []any{1.0, x, y, n}, "grid of 65536 blocks in y: Toy allows 65535"},
		"no block":         {saxpy, Launch{Grid: Dim(1)}, []any{1.0, x, y, n}, "0 threads in x"},
		"no grid":          {saxpy, Launch{Block: Dim(1)}, []any{1.0, x, y, n}, "0 blocks in x"},
		"negative block":   {saxpy, Launch{Grid: Dim(1), Block: Dim(1, -2)}, []any{1.0, x, y, n}, "-2 threads in y"},
		"negative n":       {saxpy, For(-7, 256), []any{1.0, x, y, n}, "-7 blocks in x"},
		"For, no threads":  {saxpy, For(7, 0), []any{1.0, x, y, n}, "0 threads in x"},
		"shared":           {saxpy, Launch{Grid: Dim(1), Block: Dim(1), SharedBytes: 50 << 10}, []any{1.0, x, y, n}, "51200 bytes of shared memory (0 static, 51200 dynamic): Toy allows 49152"},
		"negative shared":  {saxpy, Launch{Grid: Dim(1), Block: Dim(1), SharedBytes: -1}, []any{1.0, x, y, n}, "-1 bytes of dynamic shared memory"},
		"other's stream":   {saxpy, Launch{Grid: Dim(1), Block: Dim(1), Stream: stream}, []any{1.0, x, y, n}, "the stream is on toy:1, what it is to work on is on toy:0"},
		"too few":          {saxpy, ok, []any{1.0, x, y}, "3 arguments for the 4 parameters of saxpy(float a, const float *x, float *y, int n)"},
		"too many":         {saxpy, ok, []any{1.0, x, y, n, n, n}, "6 arguments for the 4 parameters"},
		"freed":            {saxpy, ok, []any{1.0, x, freed, n}, "parameter y (float *): the buffer was freed"},
		"other device's":   {saxpy, ok, []any{1.0, elsewhere, y, n}, "parameter x (const float *): the buffer is on toy:1, whose memory toy:0 cannot reach: copy it"},
		"nil":              {saxpy, ok, []any{1.0, nil, y, n}, "parameter x (const float *) is nil"},
		"nil buffer":       {saxpy, ok, []any{1.0, (*Buffer[float32])(nil), y, n}, "parameter x (const float *) is nil"},
		"bare slice":       {saxpy, ok, []any{1.0, []float32{1}, y, n}, "pass a buffer (gpu.ToDevice), or the slice as gpu.In"},
		"element type":     {saxpy, ok, []any{1.0, Zeros[float64](8), y, n}, "parameter x (const float *) cannot take elements of type float64: it points to float32"},
		"element of In":    {addone, ok, []any{In([]int64{1}), n}, "cannot take elements of type int64: it points to int32"},
		"Out of const":     {saxpy, ok, []any{1.0, Out([]float32{1}), y, n}, "parameter x (const float *) is const"},
		"buffer for int":   {saxpy, ok, []any{1.0, x, y, x}, "parameter n (int) cannot take a buffer"},
		"float for int":    {saxpy, ok, []any{1.0, x, y, 8.0}, "parameter n (int) cannot take a float64"},
		"string for float": {saxpy, ok, []any{"1", x, y, n}, "parameter a (float) cannot take a string"},
		"int for pointer":  {saxpy, ok, []any{1.0, 3, y, n}, "parameter x (const float *) cannot take an integer"},
		"int too large":    {saxpy, ok, []any{1.0, x, y, 1 << 31}, "parameter n (int): 2147483648 is not between -2147483648 and 2147483647"},
		"int too small":    {saxpy, ok, []any{1.0, x, y, -1<<31 - 1}, "parameter n (int): -2147483649 is not between"},
		"inexact":          {saxpy, ok, []any{1<<24 + 1, x, y, n}, "16777217 cannot be represented exactly"},
		"char too large":   {mixed, ok, mixedArgs(128, 1, 1), "parameter c (signed char): 128 is not between -128 and 127"},
		"negative u64":     {mixed, ok, mixedArgs(1, -1, 1), "-1 is not between 0 and 18446744073709551615"},
		"short too large":  {mixed, ok, mixedArgs(1, 1, 65536), "65536 is not between 0 and 65535"},
		"bool for int":     {saxpy, ok, []any{1.0, x, y, true}, "parameter n (int) cannot take a bool"},
	} {
		err := c.k.Launch(c.cfg, c.args...)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
			continue
		}
		if e.Kernel != c.k.Name() || !strings.HasPrefix(e.Site, "launch_test.go:") || !strings.HasPrefix(e.Error(), "launching "+c.k.Name()+" at launch_test.go:") {
			t.Errorf("%s: kernel %q, site %q: %v", name, e.Kernel, e.Site, e)
		}
	}
	if err := mixed.Launch(ok, mixedArgs(-128, uint64(1<<64-1), 65535)...); err != nil {
		t.Error("extreme values:", err)
	}
	if err := saxpy.Launch(ok, 2, x, y, n); err != nil {
		t.Error("an integer for a float:", err)
	}
	if err := Sync(); err != nil {
		t.Error("afterwards:", err)
	}
}

// launchSaxpy is as generated code is: one function between the user and the call.
func launchSaxpy(k *Kernel, cfg Launch, a float32, x, y Ptr[float32], n int) error {
	c := k.Begin(cfg)
	c.Float32(a)
	PassPointer(c, x)
	PassPointer(c, y)
	c.Int(n)
	return c.Do()
}

func TestTypedLaunch(t *testing.T) {
	fresh(t)
	k := compileToy(t, "saxpy")
	x, y := ToDevice([]float32{1, 2, 3}), Zeros[float32](3)
	if err := launchSaxpy(k, For(3, 32), 2, x, y, 3); err != nil {
		t.Fatal(err)
	}
	if got, want := y.ToHost(), []float32{2, 4, 6}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_, _, line, _ := runtime.Caller(0)
	err := launchSaxpy(k, For(3, 3000), 2, x, nil, 3)
	var e *Error
	if !errors.As(err, &e) || e.Site != "launch_test.go:"+itoa(line+1) {
		t.Errorf("got %v, want it at line %d", err, line+1)
	}
	if !strings.Contains(e.Error(), "parameter y (float *) is nil") {
		t.Errorf("got %v, want the first mistake", e)
	}
	if err := launchSaxpy(nil, For(3, 32), 2, x, y, 3); err == nil || !strings.Contains(err.Error(), "the kernel is nil") {
		t.Errorf("nil kernel: got %v", err)
	}
}

func TestTypedLaunchAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("SKIPPED: the race detector makes pools forget at random")
	}
	fresh(t)
	k := compileToy(t, "saxpy")
	x, y := Zeros[float32](8), Zeros[float32](8)
	n := testing.AllocsPerRun(1000, func() {
		if err := launchSaxpy(k, For(8, 32), 2, x, y, 8); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for a launch, want 0", n)
	}
}
