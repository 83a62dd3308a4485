package rank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// simulated returns that many devices of a simulator.
func simulated(t *testing.T, count int) []*gpu.Device {
	t.Helper()
	t.Setenv("GOPHERWARP_DEVICE", "sim")
	if err := gpu.Use(fmt.Sprintf("sim:x%d", count)); err != nil {
		t.Fatal(err)
	}
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Alike()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// communicating runs f as each of some ranks, of which rank i has a number of the devices.
func communicating(t *testing.T, counts []int, f func(g *Group, c *gpu.Communicator, mine []*gpu.Device)) {
	t.Helper()
	total := 0
	var from []int
	for _, n := range counts {
		from = append(from, total)
		total += n
	}
	devices := simulated(t, total)
	ctx := limit(t)
	each(joined(t, len(counts)), func(g *Group) {
		mine := devices[from[g.Rank()]:][:counts[g.Rank()]]
		c, err := g.Communicator(ctx, mine...)
		if err != nil {
			t.Error(err)
			return
		}
		if first, size := c.Members(); first != from[g.Rank()] || size != total {
			t.Errorf("rank %d: its first member is %d of %d", g.Rank(), first, size)
		}
		f(g, c, mine)
	})
}

// ramp returns n numbers that differ among members.
func ramp(member, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(1000*(member+1) + i)
	}
	return s
}

func TestCollectives(t *testing.T) {
	for _, counts := range [][]int{{1, 1, 1}, {1, 2}, {2}} {
		t.Run(fmt.Sprint(counts), func(t *testing.T) {
			communicating(t, counts, func(g *Group, c *gpu.Communicator, mine []*gpu.Device) {
				testCollectives(t, c, mine)
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				if len(mine) == 1 {
					wantError(t, gpu.Broadcast(c, 0, gpu.Zeros[byte](1, mine[0])), "closed")
				}
			})
		})
	}
}

func testCollectives(t *testing.T, c *gpu.Communicator, mine []*gpu.Device) {
	first, size := c.Members()
	const n = 7
	// on makes a buffer on each device.
	on := func(f func(member int) []float32) (list []*gpu.Buffer[float32]) {
		for i, d := range mine {
			list = append(list, gpu.ToDevice(f(first+i), d))
		}
		return list
	}
	check := func(what string, err error, list []*gpu.Buffer[float32], want func(member int) []float32) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		for i, b := range list {
			if got := b.ToHost(); !slices.Equal(got, want(first+i)) {
				t.Errorf("%s, member %d: got %v, want %v", what, first+i, got, want(first+i))
			}
		}
	}
	same := func(s []float32) func(int) []float32 { return func(int) []float32 { return s } }
	own := func(member int) []float32 { return ramp(member, n) }
	last := size - 1
	var all, sum []float32
	for m := range size {
		all = append(all, ramp(m, n)...)
		for i, v := range ramp(m, n) {
			if m == 0 {
				sum = append(sum, 0)
			}
			sum[i] += v
		}
	}
	for _, r := range []gpu.Reduction{gpu.ReduceSum, gpu.ReduceMax, gpu.ReduceMin} {
		want := map[gpu.Reduction][]float32{gpu.ReduceSum: sum, gpu.ReduceMax: ramp(last, n), gpu.ReduceMin: ramp(0, n)}[r]
		b := on(own)
		check("all-reduce "+r.String(), gpu.AllReduce(c, r, b...), b, same(want))
	}
	b := on(own)
	check("reduce", gpu.Reduce(c, gpu.ReduceSum, last, b...), b, func(m int) []float32 {
		if m == last {
			return sum
		}
		return ramp(m, n)
	})
	b = on(own)
	check("broadcast", gpu.Broadcast(c, last, b...), b, same(ramp(last, n)))
	b = on(func(int) []float32 { return make([]float32, size*n) })
	check("all-gather", gpu.AllGather(c, b, on(own)), b, same(all))
	b = on(func(int) []float32 { return make([]float32, 2) })
	check("reduce-scatter", gpu.ReduceScatter(c, gpu.ReduceMax, b, on(func(m int) []float32 { return ramp(m, 2*size) })), b, func(m int) []float32 { return ramp(last, 2*size)[2*m:][:2] })
	b = on(func(int) []float32 { return nil })
	check("nothing", gpu.AllReduce(c, gpu.ReduceSum, b...), b, func(int) []float32 { return nil })
}

// TestLargeCollectives has more data than a piece.
func TestLargeCollectives(t *testing.T) {
	const n = maxPiece/8 + 100_000
	communicating(t, []int{1, 1, 1}, func(g *Group, c *gpu.Communicator, mine []*gpu.Device) {
		host := make([]float64, n)
		for i := range host {
			host[i] = float64(i%1000) + float64(g.Rank())
		}
		x := gpu.ToDevice(host, mine[0])
		all := gpu.Zeros[float64](3*n, mine[0])
		if err := gpu.AllGather(c, []*gpu.Buffer[float64]{all}, []*gpu.Buffer[float64]{x}); err != nil {
			t.Error(err)
			return
		}
		for i, v := range all.ToHost() {
			if want := float64(i%n%1000) + float64(i/n); v != want {
				t.Errorf("all-gather: element %d is %v, want %v", i, v, want)
				break
			}
		}
		if err := gpu.AllReduce(c, gpu.ReduceSum, x); err != nil {
			t.Error(err)
			return
		}
		for i, v := range x.ToHost() {
			if want := 3 * (float64(i%1000) + 1); v != want {
				t.Errorf("all-reduce: element %d is %v, want %v", i, v, want)
				break
			}
		}
	})
}

// TestOrder adds numbers whose sum depends on the order: that of the ranks, each time and at each rank.
func TestOrder(t *testing.T) {
	values := []float32{1e8, 3, -1e8, 5}
	var want float32
	for _, v := range values {
		want += v
	}
	communicating(t, []int{1, 1, 1, 1}, func(g *Group, c *gpu.Communicator, mine []*gpu.Device) {
		for range 10 {
			time.Sleep(time.Duration(3-g.Rank()) * time.Millisecond) // the last one calls first
			x := gpu.ToDevice([]float32{values[g.Rank()]}, mine[0])
			if err := gpu.AllReduce(c, gpu.ReduceSum, x); err != nil {
				t.Error(err)
				return
			}
			if got := x.ToHost()[0]; math.Float32bits(got) != math.Float32bits(want) {
				t.Errorf("rank %d has %v, want %v", g.Rank(), got, want)
			}
		}
	})
}

func TestWrongCollectives(t *testing.T) {
	communicating(t, []int{1, 1}, func(g *Group, c *gpu.Communicator, mine []*gpu.Device) {
		x := gpu.Zeros[float32](3+g.Rank(), mine[0])
		wantError(t, gpu.SendRecv(c, x, x), "devices of other processes")
		wantError(t, gpu.Broadcast(c, 2, x), "there is no member 2")
		wantError(t, gpu.AllReduce(c, gpu.ReduceSum, x, x), "2 buffers for 1 devices")
		wantError(t, gpu.AllReduce(c, gpu.ReduceSum, x), "calls an all-reduce (sum) of", "float32 where rank", "the same calls in the same order")
	})
}

// TestEndedCollective ends a rank for which another waits in a collective.
func TestEndedCollective(t *testing.T) {
	communicating(t, []int{1, 1}, func(g *Group, c *gpu.Communicator, mine []*gpu.Device) {
		if g.Rank() == 1 {
			g.conn.Close()
			return
		}
		wantError(t, gpu.AllReduce(c, gpu.ReduceSum, gpu.Zeros[float32](3, mine[0])), "rank 1 (", "has ended without leaving the group")
	})
}

// TestImpatientCommunicator has a rank that does not wait for the others: it counts as one that has made its communicator.
func TestImpatientCommunicator(t *testing.T) {
	devices := simulated(t, 2)
	groups := joined(t, 2)
	ctx := limit(t)
	at := map[*Group]*gpu.Device{groups[0]: devices[0], groups[1]: devices[1]}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err := groups[1].Communicator(short, devices[1])
	wantError(t, err, "deadline exceeded")
	if _, err := groups[0].Communicator(ctx, devices[0]); err != nil {
		t.Fatal(err)
	}
	each(groups, func(g *Group) {
		c, err := g.Communicator(ctx, at[g])
		if err != nil {
			t.Error(err)
			return
		}
		done := make(chan error, 1)
		go func() {
			done <- gpu.AllReduce(c, gpu.ReduceSum, gpu.Zeros[int32](1, at[g]))
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the second communicators do not belong together")
		}
	})
}

func TestUse(t *testing.T) {
	t.Setenv("GOPHERWARP_DEVICE", "sim:x2")
	w := World{Size: 1}
	d, err := w.Use()
	if err != nil || !strings.HasPrefix(d.Name(), "sim") {
		t.Errorf("got %v, %v", d, err)
	}
	g, err := Join(limit(t), w)
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Communicator(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	x := gpu.ToDevice([]int64{3}, c.Devices()[0])
	if err := gpu.AllReduce(c, gpu.ReduceSum, x); err != nil || x.ToHost()[0] != 3 {
		t.Errorf("got %v, %v", x.ToHost(), err)
	}
}

// Close waits for the devices: where they are connected by their library, others may wait for work that this rank has queued. Here it fails.
func TestCloseWaitsForDevices(t *testing.T) {
	d := simulated(t, 1)[0]
	ctx := limit(t)
	g := joined(t, 1)[0]
	if _, err := g.Communicator(ctx, d); err != nil {
		t.Fatal(err)
	}
	misbehave(t, d)
	wantError(t, g.Close(ctx), "waiting for "+d.Name())
	wantError(t, g.Close(ctx), "closed")
}

// misbehave launches a kernel that fails.
func misbehave(t *testing.T, d *gpu.Device) {
	t.Helper()
	m, err := d.Compile(`extern "C" __global__ void wrong(float *x) { x[1ll << 40] = 1; }`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("wrong")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(1)}, gpu.Zeros[float32](1, d)); err != nil {
		t.Fatal(err)
	}
}

// A rank whose devices fail before it leaves fails the group: its part of a collective may be missing, for which devices that their library
// connects would wait for ever.
func TestCloseAfterFault(t *testing.T) {
	ctx := limit(t)
	devices, groups := simulated(t, 2), joined(t, 2)
	at := map[*Group]*gpu.Device{groups[0]: devices[0], groups[1]: devices[1]}
	each(groups, func(g *Group) {
		if _, err := g.Communicator(ctx, at[g]); err != nil {
			t.Error(err)
		}
	})
	misbehave(t, devices[1])
	wantError(t, groups[1].Close(ctx), "waiting for "+devices[1].Name())
	wantError(t, groups[1].Close(ctx), "closed")
	_, err := groups[0].Get(ctx, "key")
	wantError(t, err, "rank 1 has given up: waiting for "+devices[1].Name())
}
