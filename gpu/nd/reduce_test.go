package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Few results of few values need no second kernel, which would take longer than the first.
func TestReduceOnce(t *testing.T) {
	for _, columns := range []int{8, 32, 64} {
		x := nd.Arange[float32](32*float32(columns)).Reshape(32, columns).Eval()
		for axis := range 2 {
			if got := launches(func() { x.Max(axis).Eval() }); got != 1 {
				t.Errorf("the largest along axis %d of 32 × %d: %d launches, want 1", axis, columns, got)
			}
		}
	}
}
