package gpu

import (
	"errors"
	"fmt"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

// together runs a test with several simulated devices, and with two GPUs.
func together(t *testing.T, f func(t *testing.T, devices []*Device)) {
	for _, names := range [][]string{{"sim:x3", "sim:x3:1", "sim:x3:2"}, {"cuda:0", "cuda:1"}} {
		t.Run(names[0], func(t *testing.T) {
			kind, _, _ := strings.Cut(names[0], ":")
			if kind == "cuda" {
				needDevice(t, "cuda:1")
			} else {
				needDevice(t, kind)
			}
			freshDevice(t, names[0])
			var devices []*Device
			registry.mu.Lock()
			for _, name := range names {
				devices = append(devices, lookup(name))
			}
			registry.mu.Unlock()
			f(t, devices)
		})
	}
}

// communicator connects all of the devices there are, which must be these.
func communicator(t *testing.T, devices []*Device) *Communicator {
	t.Helper()
	c, err := NewCommunicator()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Devices(); !slices.Equal(got[:len(devices)], devices) {
		t.Fatalf("the members are %v", got)
	}
	if len(c.Devices()) > len(devices) { // a machine with more GPUs
		if c, err = NewCommunicator(devices...); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// on makes a buffer on each device, of what f says of it.
func on[T Element](devices []*Device, f func(member int) []T) []*Buffer[T] {
	var list []*Buffer[T]
	for i, d := range devices {
		list = append(list, ToDevice(f(i), d))
	}
	return list
}

// small are n numbers, different for each member, that all types hold and of which a few have
// sums and products that they hold too.
func small[T any](convert func(int) T, n int) func(member int) []T {
	return func(member int) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = convert((i+2*member)%4 + 1)
		}
		return s
	}
}

// reduceHost returns the element-wise reduction of the buffers of small.
func reduceHost(r Reduction, size, n int) []int {
	all := make([][]int, size)
	for m := range all {
		all[m] = small(func(v int) int { return v }, n)(m)
	}
	out := make([]int, n)
	for i := range out {
		v := all[0][i]
		for _, s := range all[1:] {
			switch r {
			case ReduceProduct:
				v *= s[i]
			case ReduceMin:
				v = min(v, s[i])
			case ReduceMax:
				v = max(v, s[i])
			default:
				v += s[i]
			}
		}
		out[i] = v
	}
	return out
}

func testReductions[T Element](t *testing.T, c *Communicator, convert func(int) T) {
	devices := c.Devices()
	for _, n := range []int{1, 1000, 300_001} {
		for _, r := range []Reduction{ReduceSum, ReduceProduct, ReduceMin, ReduceMax} {
			want := each(reduceHost(r, len(devices), n), convert)
			b := on(devices, small(convert, n))
			if err := AllReduce(c, r, b...); err != nil {
				t.Fatal(err)
			}
			for i := range b {
				if got := b[i].ToHost(); !slices.Equal(got, want) {
					t.Fatalf("%T, %v of %d: member %d has %v…, want %v…", want[0], r, n, i, got[0], want[0])
				}
			}
			b = on(devices, small(convert, n))
			root := len(devices) - 1
			if err := Reduce(c, r, root, b...); err != nil {
				t.Fatal(err)
			}
			if got := b[root].ToHost(); !slices.Equal(got, want) || !slices.Equal(b[0].ToHost(), small(convert, n)(0)) {
				t.Fatalf("%T, %v of %d: the root has %v…, want %v…", want[0], r, n, got[0], want[0])
			}
		}
	}
}

func TestRealCollectives(t *testing.T) {
	together(t, func(t *testing.T, devices []*Device) {
		c := communicator(t, devices)
		size := len(devices)
		testReductions(t, c, func(v int) float32 { return float32(v) })
		testReductions(t, c, func(v int) float64 { return float64(v) })
		testReductions(t, c, func(v int) Float16 { return ToFloat16(float32(v)) })
		testReductions(t, c, func(v int) BFloat16 { return ToBFloat16(float32(v)) })
		testReductions(t, c, func(v int) int8 { return int8(v) })
		testReductions(t, c, func(v int) uint8 { return uint8(v) })
		testReductions(t, c, func(v int) int32 { return int32(v) })
		testReductions(t, c, func(v int) uint64 { return uint64(v) })
		testReductions(t, c, func(v int) int { return v })

		// Complex sums, and averages.
		b := on(devices, func(m int) []complex64 { return []complex64{complex(float32(m), 1), 2i} })
		if err := AllReduce(c, ReduceSum, b...); err != nil {
			t.Fatal(err)
		}
		if got := b[1].ToHost(); got[0] != complex(float32(size*(size-1)/2), float32(size)) || got[1] != complex(0, float32(2*size)) {
			t.Errorf("the complex sum is %v", got)
		}
		if err := AllReduce(c, ReduceAverage, b...); err != nil {
			t.Fatal(err)
		}
		if got := complex128(b[0].ToHost()[1]); cmplx.Abs(got-complex(0, float64(2*size))) > 1e-5 {
			t.Errorf("the average is %v", got)
		}

		// What is only copied may be of any type.
		text := func(m int) []vec.Float4 {
			return []vec.Float4{{X: float32(m), Y: 1, Z: 2, W: 3}, {X: 4, Y: 5, Z: 6, W: float32(m)}}
		}
		v := on(devices, text)
		if err := Broadcast(c, 1, v...); err != nil {
			t.Fatal(err)
		}
		all := on(devices, func(int) []uint16 { return make([]uint16, 3*size) })
		if err := AllGather(c, all, on(devices, func(m int) []uint16 { return []uint16{uint16(m), 7, uint16(10 * m)} })); err != nil {
			t.Fatal(err)
		}
		parts := on(devices, func(int) []int32 { return make([]int32, 5) })
		if err := ReduceScatter(c, ReduceSum, parts, on(devices, small(func(v int) int32 { return int32(v) }, 5*size))); err != nil {
			t.Fatal(err)
		}
		for i := range devices {
			if got := v[i].ToHost(); !slices.Equal(got, text(1)) {
				t.Errorf("member %d was sent %v", i, got)
			}
			for m := range size {
				if got := all[i].ToHost()[3*m:][:3]; !slices.Equal(got, []uint16{uint16(m), 7, uint16(10 * m)}) {
					t.Errorf("member %d gathered %v of member %d", i, got, m)
				}
			}
			want := each(reduceHost(ReduceSum, size, 5*size)[5*i:][:5], func(v int) int32 { return int32(v) })
			if got := parts[i].ToHost(); !slices.Equal(got, want) {
				t.Errorf("member %d has the sums %v, want %v", i, got, want)
			}
		}

		// From one to another, both ways at a time, on streams of their own and from part to part.
		var streams []*Stream
		for _, d := range devices {
			streams = append(streams, d.NewStream())
		}
		aside, err := c.On(streams...)
		if err != nil {
			t.Fatal(err)
		}
		x := on(devices, func(m int) []int32 { return slices.Repeat([]int32{int32(m)}, 500_000) })
		for _, err := range []error{
			SendRecv(aside, x[1].Slice(0, 250_000), x[0].Slice(250_000, 500_000)),
			SendRecv(aside, x[0].Slice(0, 250_000), x[1].Slice(250_000, 500_000)),
			streams[0].Sync(), streams[1].Sync(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for m := range 2 {
			if got := x[m].ToHost(); got[0] != int32(1-m) || got[249_999] != int32(1-m) || got[250_000] != int32(m) {
				t.Errorf("member %d has %d, %d and %d", m, got[0], got[249_999], got[250_000])
			}
		}
	})
}

func TestRealCollectiveErrors(t *testing.T) {
	together(t, func(t *testing.T, devices []*Device) {
		c := communicator(t, devices)
		size := len(devices)
		b := on(devices, func(int) []float32 { return make([]float32, 8) })
		one := func(i int, x *Buffer[float32]) []*Buffer[float32] {
			list := slices.Clone(b)
			list[i] = x
			return list
		}
		freed := Zeros[float32](8)
		if err := freed.Free(); err != nil {
			t.Fatal(err)
		}
		closed, err := NewCommunicator(devices[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
		s := devices[0].NewStream()
		for say, f := range map[string]func() error{
			fmt.Sprintf("there are 1 buffers for %d devices", size):                                    func() error { return AllReduce(c, ReduceSum, b[0]) },
			"buffer 1 has 9 elements, buffer 0 has 8":                                                  func() error { return AllReduce(c, ReduceSum, one(1, Zeros[float32](9, devices[1]))...) },
			fmt.Sprintf("buffer 1 is on %s, and member 1 is %s", devices[0].Name(), devices[1].Name()): func() error { return AllReduce(c, ReduceSum, one(1, b[0])...) },
			"buffer 1: it is nil":                     func() error { return AllReduce(c, ReduceSum, one(1, nil)...) },
			"the buffer was freed":                    func() error { return AllReduce(c, ReduceSum, one(0, freed)...) },
			"there is no reduction 9":                 func() error { return AllReduce(c, Reduction(9), b...) },
			"complex numbers have no Max":             func() error { return AllReduce(c, ReduceMax, on(devices, func(int) []complex128 { return nil })...) },
			"elements of type bool cannot be reduced": func() error { return AllReduce(c, ReduceSum, on(devices, func(int) []bool { return nil })...) },
			fmt.Sprintf("there is no member %d: the numbers are 0 to %d", size, size-1): func() error { return Broadcast(c, size, b...) },
			fmt.Sprintf("with %d devices one must be %d times as long", size, size):     func() error { return AllGather(c, b, b) },
			"a source has 8 elements, a destination 8":                                  func() error { return ReduceScatter(c, ReduceSum, b, b) },
			fmt.Sprintf("both buffers are on %s", devices[0].Name()):                    func() error { return SendRecv(c, b[0], b[0]) },
			"the source has 8 elements, the destination 3":                              func() error { return SendRecv(c, b[0].Slice(0, 3), b[1]) },
			"the communicator was closed":                                               func() error { return AllReduce(closed, ReduceSum, b[0]) },
			"it was closed already":                                                     closed.Close,
			fmt.Sprintf("%s is there twice", devices[0].Name()):                         func() error { _, err := NewCommunicator(devices[0], devices[0]); return err },
			"device 1 is nil": func() error { _, err := NewCommunicator(devices[0], nil); return err },
			fmt.Sprintf("there are 1 streams for %d devices", size):                            func() error { _, err := c.On(s); return err },
			fmt.Sprintf("the stream is on %s, what it is to work on is on", devices[0].Name()): func() error { _, err := c.On(slices.Repeat([]*Stream{s}, size)...); return err },
			"a collective can't be part of a graph": func() error {
				_, err := devices[0].Capture(func(s *Stream) error {
					on, err := c.On(append([]*Stream{s}, make([]*Stream, size-1)...)...)
					return errors.Join(err, AllReduce(on, ReduceSum, b...))
				})
				return err
			},
		} {
			if err := f(); err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("got %v, want %q", err, say)
			}
		}
		// Nothing of this has reached a device.
		if err := AllReduce(c, ReduceSum, b...); err != nil {
			t.Error(err)
		}
		for _, d := range devices {
			if err := d.Sync(); err != nil {
				t.Error(err)
			}
		}
	})
}

// If a member's process is killed, the work of those that wait for it is lost, but no buffers, and the next collective works.
func TestRealCollectiveSurvivesDeath(t *testing.T) {
	together(t, func(t *testing.T, devices []*Device) {
		c := communicator(t, devices)
		size := len(devices)
		b := on(devices, func(m int) []int32 { return slices.Repeat([]int32{int32(m + 1)}, 1000) })
		m, err := devices[1].Compile(`__global__ void gate(int *x) { while (*(volatile int *)x == 0) {} }`)
		if err != nil {
			t.Fatal(err)
		}
		gate, err := m.Kernel("gate")
		if err != nil {
			t.Fatal(err)
		}
		closed := Zeros[int32](1, devices[1])
		if err := errors.Join(gate.Launch(For(1, 1), closed), AllReduce(c, ReduceSum, b...)); err != nil {
			t.Fatal(err)
		}
		devices[1].link.Process().Kill()
		err = devices[1].Sync()
		if err == nil || !strings.Contains(err.Error(), "died") {
			t.Errorf("the dead one's error is %v", err)
		}
		err = devices[0].Sync()
		if want := fmt.Sprintf("the process of %s, which took part in a collective, died", devices[1].Name()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the forsaken one's error is %v, want %q", err, want)
		}
		for _, d := range devices {
			_ = d.Sync() // each tells its own loss
		}
		for i := range b {
			if got := b[i].ToHost(); got[0] != int32(i+1) || got[999] != int32(i+1) {
				t.Errorf("buffer %d holds %d and %d", i, got[0], got[999])
			}
		}
		for round := range 2 {
			if err := AllReduce(c, ReduceMax, b...); err != nil {
				t.Fatal(err)
			}
			for i := range b {
				if got := b[i].ToHost(); got[0] != int32(size) || got[999] != int32(size) {
					t.Errorf("round %d: buffer %d holds %d and %d", round, i, got[0], got[999])
				}
			}
			// Between collectives a death costs nothing.
			if round == 0 {
				p := devices[0].link.Process()
				p.Kill()
				<-p.Down
			}
		}
	})
}
