package nd_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/rank"
)

// asRanks runs f as each of three ranks, which have a device each of a simulator.
func asRanks(t *testing.T, f func(r int, c *gpu.Communicator, d *gpu.Device)) {
	t.Helper()
	old, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	const size = 3
	if err := gpu.Use(fmt.Sprintf("sim:x%d", size)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gpu.Use(old.Name()); err != nil {
			t.Error(err)
		}
	})
	first, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := first.Alike()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var wg sync.WaitGroup
	for i := range size {
		wg.Go(func() {
			ctx := t.Context()
			g, err := rank.Join(ctx, rank.World{Rank: i, Size: size, Store: l.Addr().String()})
			if err != nil {
				t.Error(err)
				return
			}
			c, err := g.Communicator(ctx, devices[i])
			if err != nil {
				t.Error(err)
				return
			}
			f(i, c, devices[i])
			if err := g.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestArraysOfRanks(t *testing.T) {
	asRanks(t, func(r int, c *gpu.Communicator, d *gpu.Device) {
		a := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3).To(d).MulScalar(float32(r + 1))
		for _, k := range []struct {
			what string
			got  func() *nd.Array[float32]
			want []float32
		}{
			{"sum", func() *nd.Array[float32] { return nd.AllReduce(c, gpu.ReduceSum, a) }, []float32{6, 12, 18, 24, 30, 36}},
			{"max of a view", func() *nd.Array[float32] { return nd.AllReduce(c, gpu.ReduceMax, a.T()) }, []float32{3, 12, 6, 15, 9, 18}},
			{"a number", func() *nd.Array[float32] { return nd.AllReduce(c, gpu.ReduceMin, a.Sum()) }, []float32{21}},
			{"broadcast", func() *nd.Array[float32] { return nd.BroadcastFrom(c, 2, a.Slice(nd.At(0))) }, []float32{3, 6, 9}},
			{"gather", func() *nd.Array[float32] { return nd.AllGather(c, a.Slice(nd.All, nd.At(1))) }, []float32{2, 5, 4, 10, 6, 15}},
			{"nothing", func() *nd.Array[float32] { return nd.AllReduce(c, gpu.ReduceSum, nd.Zeros[float32](0, 2).To(d)) }, nil},
			{"the array itself", func() *nd.Array[float32] { return a.DivScalar(float32(r + 1)) }, []float32{1, 2, 3, 4, 5, 6}},
		} {
			var got []float32
			if err := nd.Try(func() { got = k.got().ToHost() }); err != nil || !slices.Equal(got, k.want) {
				t.Errorf("rank %d, %s: got %v, %v; want %v", r, k.what, got, err, k.want)
			}
		}
		g := nd.AllGather(c, nd.Zeros[bool](2, 2).To(d))
		if !slices.Equal(g.Shape(), []int{3, 2, 2}) {
			t.Errorf("gathered arrays have shape %v", g.Shape())
		}
		err := nd.Try(func() { nd.AllReduce(c, gpu.ReduceSum, nd.Zeros[int16](2).To(d)) })
		if err == nil || !strings.Contains(err.Error(), "AsType") {
			t.Errorf("got %v", err)
		}
	})
}
