package driver

import (
	"slices"
	"testing"

	"github.com/ebitengine/purego"
)

// TestCallKept calls a C function, made by purego, with each number of arguments up to the maximum.
func TestCallKept(t *testing.T) {
	var got []uintptr
	callback := purego.NewCallback(func(a, b, c, d, e, f, g, h, i, j, k uintptr) uintptr {
		got = []uintptr{a, b, c, d, e, f, g, h, i, j, k}
		return ^uintptr(6)
	})
	want := make([]uintptr, maxDirect)
	for n := range want {
		want[n] = uintptr(n+1) << 40 // larger than the lower half of a register
	}
	for range 3 {
		if r := symbol(callback).callKept(want); r != -7 || !slices.Equal(got, want) {
			t.Fatalf("called with %#x, returned %d; want %#x and -7", got, r, want)
		}
	}
	if r := symbol(callback).callKept(want[:2]); r != -7 || !slices.Equal(got[:2], want[:2]) {
		t.Errorf("called with %#x, returned %d", got[:2], r)
	}
}
