package nd_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Arrays of more elements than 30 or 31 bits can count are sorted, summed up and scanned as others are.
func TestLarge(t *testing.T) {
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	if free, _, err := d.MemInfo(); d.Name() == "sim" || err != nil || free < 40<<30 {
		t.Skipf("SKIPPED: arrays of more than 2^31 elements need a GPU with 40 GiB of free memory; this is %s with %d, %v", d.Name(), free, err)
	}
	n := 1<<30 + 3
	a := nd.AsType[uint8](nd.Arange(int64(n)).MulScalar(0x9e3779b97f4a7c1).RshScalar(40)).Eval()
	sorted := nd.Sort(a)
	if !sorted.Slice(nd.From(1)).GreaterEqual(sorted.Slice(nd.To(n - 1))).All().Item() {
		t.Error("the array is not sorted")
	}
	for _, v := range []uint8{0, 1, 200, 255} {
		if got, want := nd.CountNonzero(sorted.EqualScalar(v)).Item(), nd.CountNonzero(a.EqualScalar(v)).Item(); got != want {
			t.Errorf("%d is there %d times, want %d", v, got, want)
		}
	}
	n = 1<<31 + 7
	ones := nd.Ones[uint8](n)
	if sum := nd.SumAs[int64](ones).Item(); sum != int64(n) {
		t.Errorf("the sum is %d, want %d", sum, n)
	}
	if !nd.Cumsum(ones).Equal(nd.AsType[uint8](nd.Arange(int64(n)).AddScalar(1))).All().Item() {
		t.Error("the cumulative sum is wrong")
	}
	if at := nd.Argmax(ones).Item(); at != 0 {
		t.Errorf("the greatest element is at %d", at)
	}
}

// Views whose offsets need more than 31 bits are read with indices of 64 bits, however small they are.
func TestFarViews(t *testing.T) {
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	if free, _, err := d.MemInfo(); err != nil || free < 4<<30 {
		t.Skipf("SKIPPED: an array of 2^31 elements needs 4 GiB of free memory; there are %d, %v", free, err)
	}
	x := nd.Empty[uint8](1<<31 + 1<<12)
	far := x.Slice(nd.From(1<<31)).Reshape(64, 64)
	look := func(run func()) {
		for _, text := range nd.Sources(run) {
			if strings.Contains(text, "(int)a.v[") {
				t.Errorf("the kernel reads arguments as ints:\n%s", text)
			}
		}
	}
	// While an expression needs the memory, an assignment would copy it.
	look(func() { far.Assign(nd.Empty[uint8](64, 64)) })
	near := nd.AsType[uint8](nd.Arange[int32](64*64).MulScalar(7)).Reshape(64, 64)
	far.Assign(near)
	if !around(far).Eval().Equal(around(near.Copy())).All().Item() {
		t.Error("a stencil of a far view is wrong")
	}
	filter := func(x *nd.Array[uint8]) *nd.Array[uint8] {
		return filtered(x, 5, func(i int) uint8 { return uint8(i) })
	}
	if !filter(far).Eval().Equal(filter(near.Copy())).All().Item() {
		t.Error("a filter of a far view is wrong")
	}
	for _, run := range []func(){
		func() { far.Neg().Eval() },
		func() { far.T().Neg().Eval() },
		func() { far.Sum(0) },
		func() { far.Sub(far.Max(1).ExpandDims(1)).Eval() },
		func() { around(far).Eval() },
		func() { filter(far).Eval() },
	} {
		look(run)
	}
}
