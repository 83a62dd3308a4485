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
	for what, run := range map[string]func(){
		"map":     func() { far.Neg().Eval() },
		"into":    func() { far.Assign(nd.Empty[uint8](64, 64)) },
		"tile":    func() { far.T().Neg().Eval() },
		"reduce":  func() { far.Sum(0) },
		"rows":    func() { far.Sub(far.Max(1).ExpandDims(1)).Eval() },
		"stencil": func() { far.Slice(nd.From(2)).Add(far.Slice(nd.To(-2))).Add(far.Slice(nd.R(1, -1))).Eval() },
	} {
		for _, text := range nd.Sources(run) {
			if strings.Contains(text, "(int)a.v[") {
				t.Errorf("%s: the kernel reads arguments as ints:\n%s", what, text)
			}
		}
	}
}
