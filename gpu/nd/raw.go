package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Raw is an array as memory, for packages that hand arrays to other libraries.
type Raw struct {
	DType          DType
	Shape, Strides []int // the strides in elements
	Offset         int   // of the first element in Memory, in elements
	// Memory is what the array shares with its views.
	Memory *gpu.Buffer[byte]
}

// RawOf computes an array of any type and says where its elements are. Writing there is as with BufferOf. Keep
// the array, or Memory, reachable while that matters.
func RawOf(a Operand) Raw {
	if a == nil {
		fail("RawOf", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	n := a.core().check("RawOf").ready()
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	n.eng.own(n.mem)
	return Raw{n.dt, slices.Clone(n.lay.shape), slices.Clone(n.lay.strides), n.off, n.mem.now.buf}
}

// Packed is the array's elements in the order of C as one piece of memory: its own if they lie so, else a copy.
func Packed(a Operand) *gpu.Buffer[byte] {
	if a == nil {
		fail("Packed", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	return a.core().check("Packed").packed().buffer()
}

// Describe tells of an array of any type without computing it.
func Describe(a Operand) (dt DType, shape []int, on *gpu.Device) {
	if a == nil {
		fail("Describe", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	n := a.core().check("Describe")
	return n.dt, slices.Clone(n.lay.shape), n.Device()
}
