package nd_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Views and results share the layouts that were made lately: whatever others were made before or at the same time, each has its own shape and
// strides.
func TestSharedLayouts(t *testing.T) {
	x := nd.Zeros[float32](9, 8, 7).Eval()
	var group sync.WaitGroup
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		group.Go(func() {
			for range 2000 {
				shape, strides, index := []int{}, []int{}, []nd.Index{}
				for axis, length := range []int{9, 8, 7} {
					stride := []int{56, 7, 1}[axis]
					from := random.IntN(length)
					to, by := from+1+random.IntN(length-from), 1+random.IntN(3)
					index = append(index, nd.R(from, to).By(by))
					shape, strides = append(shape, (to-from-1)/by+1), append(strides, by*stride)
					if random.IntN(4) == 0 {
						index = append(index, nd.NewAxis)
						shape, strides = append(shape, 1), append(strides, 0)
					}
				}
				view := x.Slice(index...)
				if !slices.Equal(view.Shape(), shape) || !slices.Equal(view.Strides(), strides) {
					t.Errorf("x.Slice(%+v) has shape %v and strides %v, want %v and %v", index, view.Shape(), view.Strides(), shape, strides)
				}
				slices.Reverse(shape)
				result := view.T().AddScalar(1)
				dense, step := make([]int, len(shape)), 1
				for i := len(shape) - 1; i >= 0; i-- {
					dense[i] = step
					step *= shape[i]
				}
				if !slices.Equal(result.Shape(), shape) || !slices.Equal(result.Strides(), dense) {
					t.Errorf("the sum has shape %v and strides %v, want %v and %v", result.Shape(), result.Strides(), shape, dense)
				}
			}
		})
	}
	group.Wait()
}
