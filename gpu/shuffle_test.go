package gpu

import (
	"slices"
	"testing"
)

// The order in which threads come shows in what an atomic counter gives them.
func TestShuffle(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, err := Compile(`__global__ void arrive(int *next, int *place) {
	place[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1);
}`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("arrive")
	if err != nil {
		t.Fatal(err)
	}
	const n = 256
	places := func() []int32 {
		next, place := Zeros[int32](1), Zeros[int32](n)
		if err := k.Launch(For(n, 64), next, place); err != nil {
			t.Fatal(err)
		}
		return place.ToHost()
	}
	shuffled := func(seed uint32) (p []int32) {
		if err := shuffle(seed, func() error { p = places(); return nil }); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := shuffle(0, func() error { return nil }); err == nil {
		t.Error("seed 0 is taken")
	}
	one := shuffled(1)
	if again := shuffled(1); !slices.Equal(one, again) {
		t.Error("one seed gives two orders")
	}
	if slices.Equal(one, shuffled(2)) {
		t.Error("two seeds give one order")
	}
	if plain := places(); slices.Equal(one, plain) {
		t.Error("the order stays random behind Shuffle")
	}
}
