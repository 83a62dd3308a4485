package nd_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// mine is the tile whose kernel is run in the tests of look-backs. It learns from hundreds of others, which on the simulator have finished
// before usually.
const mine = 300

// runTile runs the kernel that f launches with so many blocks, of which the first one has tile mine and the others nothing to do, where the
// tiles before it have that state.
func runTile(t *testing.T, f func(), name string, blocks, threads int, words []int, state []uint64, out, in any) []uint64 {
	t.Helper()
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	var text string
	for _, s := range nd.Sources(f) {
		if strings.Contains(s, name+"(") {
			text = s
		}
	}
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	mod, err := d.Compile(text, gpu.WithFlags("-fmad=false"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := mod.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	var args []byte
	for _, w := range words {
		args = binary.LittleEndian.AppendUint64(args, uint64(w))
	}
	states := gpu.Alloc[uint64](len(state))
	if err := states.CopyFrom(state); err != nil {
		t.Fatal(err)
	}
	c := k.Begin(gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: threads, Y: 1, Z: 1}})
	pass := func(a any) {
		switch a := a.(type) {
		case *gpu.Buffer[int32]:
			gpu.PassPointer(c, a)
		case *gpu.Buffer[float32]:
			gpu.PassPointer(c, a)
		}
	}
	pass(out)
	if name == "compact_greater" {
		gpu.PassPointer(c, states)
		pass(in)
	} else {
		pass(in)
		gpu.PassPointer(c, states)
	}
	c.Bytes(args)
	if err := c.Do(); err != nil {
		t.Fatal(err)
	}
	if err := states.CopyTo(state); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestLookBackOfMask(t *testing.T) {
	for _, whole := range []int{0, 1, 31, 32, 100, 127, 128, 129, 171, 172, 299} { // the last tile that knows all before it
		const tile, blocks = 8192, mine + 1
		host := make([]float32, (mine+1)*tile)
		host[mine*tile+7], host[mine*tile+8000] = 2, 3
		in := gpu.Alloc[float32](len(host))
		if err := in.CopyFrom(host); err != nil {
			t.Fatal(err)
		}
		state, before := make([]uint64, 2+mine+blocks), 0
		state[0] = mine
		for i := range mine {
			count := i % 5
			switch {
			case i < whole:
				state[2+i] = 1<<62 | 999 // does not count
			case i == whole:
				state[2+i], before = 2<<62|1000, 1000
			default:
				state[2+i] = 1<<62 | uint64(count)
				before += count
			}
		}
		out := gpu.Alloc[float32](5000)
		a := nd.Empty[float32](70)
		got := runTile(t, func() { nd.Mask(a, a.GreaterScalar(1)) }, "compact_greater", blocks, 512, []int{len(host), 0, 0, 1, 1, int(math.Float32bits(1)), 5000}, state, out, in)
		if int(got[1]) != before+2 || got[2+mine] != 2<<62|uint64(before+2) {
			t.Errorf("after whole tile %d there are %d, the state is %x, want %d", whole, got[1], got[2+mine], before+2)
		}
		list := make([]float32, 5000)
		if err := out.CopyTo(list); err != nil {
			t.Fatal(err)
		}
		if list[before] != 2 || list[before+1] != 3 {
			t.Errorf("after whole tile %d the elements are %v", whole, list[before:before+2])
		}
	}
}
