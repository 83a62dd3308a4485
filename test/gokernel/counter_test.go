package gokernel

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd/random"
)

// Random numbers are the same in kernels and in plain Go.
func TestRandomNumbers(t *testing.T) {
	const n = 20_000
	seeds := []uint64{0, 1, 42, 0x9876543210abcdef, ^uint64(0), 1 << 63, 1<<32 + 1}
	for _, first := range []int{0, 1<<40 + 3} {
		compare(t, "randomNumbers", randomNumbers, gpu.For(n, 128), 0, seeds, first, make([]uint32, n), make([]uint64, n), make([]uint64, n),
			make([]float32, n), make([]float32, n), make([]float32, n), make([]float64, n), make([]float64, n), make([]float64, n))
	}
}

// They are those of the arrays that package random fills.
func TestRandomLikeArrays(t *testing.T) {
	const n, seed = 1003, 0x123456789abcdef
	compare(t, "randomLike", randomLike, gpu.For(n, 128), 0, []uint64{seed}, n, make([]float32, n), make([]float32, n),
		make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n))
	uniform, normal, dice := gpu.Zeros[float32](n), gpu.Zeros[float32](n), gpu.Zeros[int32](n)
	uniform64, normal64, exponential64 := gpu.Zeros[float64](n), gpu.Zeros[float64](n), gpu.Zeros[float64](n)
	k := compile(t)["randomLike"]
	call := k.Begin(gpu.For(n, 128))
	gpu.PassSlice(call, gpu.In([]uint64{seed}))
	call.Int(n)
	gpu.PassSlice(call, uniform)
	gpu.PassSlice(call, normal)
	gpu.PassSlice(call, uniform64)
	gpu.PassSlice(call, normal64)
	gpu.PassSlice(call, exponential64)
	gpu.PassSlice(call, dice)
	if err := call.Do(); err != nil {
		t.Fatal(err)
	}
	g := random.New(seed)
	sameNumbers(t, "Random[float32]", uniform.ToHost(), random.Random[float32](g, n).ToHost())
	sameNumbers(t, "Random[float64]", uniform64.ToHost(), random.Random[float64](g, n).ToHost())
	sameNumbers(t, "StandardNormal[float32]", normal.ToHost(), random.StandardNormal[float32](g, n).ToHost())
	sameNumbers(t, "StandardNormal[float64]", normal64.ToHost(), random.StandardNormal[float64](g, n).ToHost())
	sameNumbers(t, "Exponential[float64]", exponential64.ToHost(), random.Exponential[float64](g, 1, n).ToHost())
	sameNumbers(t, "Integers[int32]", dice.ToHost(), random.Integers[int32](g, 1, 7, n).ToHost())
}

func sameNumbers[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("%s: element %d is %v, the kernel has %v", what, i, want[i], v)
		}
	}
}
