package nd_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Views and results share the layouts that were made lately: whatever others are made before or at the same time, each has its own shape and
// strides.
func TestSharedLayoutsAtOnce(t *testing.T) {
	x := nd.Zeros[float32](9, 8, 7).Eval()
	var group sync.WaitGroup
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		group.Go(func() {
			for range 2000 {
				testLayouts(t, random, x)
			}
		})
	}
	group.Wait()
}

// testLayouts slices an array of shape (9, 8, 7), and adds a number to the transposed slice. There are 54 slices, more than layouts are kept.
func testLayouts(t *testing.T, random *rand.Rand, x *nd.Array[float32]) {
	t.Helper()
	shape, strides, index := []int{}, []int{}, []nd.Index{}
	for axis, length := range []int{9, 8, 7} {
		stride, from, by := []int{56, 7, 1}[axis], random.IntN(3), 1
		if axis == 0 {
			by = 1 + random.IntN(2)
		}
		index = append(index, nd.From(from).By(by))
		shape, strides = append(shape, (length-from-1)/by+1), append(strides, by*stride)
	}
	view := x.Slice(index...)
	sameLayout(t, view, shape, strides)
	slices.Reverse(shape)
	dense, step := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		dense[i] = step
		step *= shape[i]
	}
	sameLayout(t, view.T().AddScalar(1), shape, dense)
}

// sameLayout compares what an array tells of its layout.
func sameLayout(t *testing.T, x *nd.Array[float32], shape, strides []int) {
	t.Helper()
	size, step, contiguous := 1, 1, true
	for i := len(shape) - 1; i >= 0; i-- {
		contiguous = contiguous && (strides[i] == step || shape[i] == 1)
		size *= shape[i]
		step *= shape[i]
	}
	if !slices.Equal(x.Shape(), shape) || !slices.Equal(x.Strides(), strides) || x.Size() != size || x.Contiguous() != contiguous {
		t.Errorf("the array has shape %v, strides %v, size %d, contiguous %v, want %v, %v, %d, %v",
			x.Shape(), x.Strides(), x.Size(), x.Contiguous(), shape, strides, size, contiguous)
	}
}
