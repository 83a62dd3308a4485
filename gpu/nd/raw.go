package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/fresh"
)

// Raw describes an array as memory, for packages that pass arrays to other libraries.
type Raw struct {
	DType          DType
	Shape, Strides []int // the strides in elements
	Offset         int   // of the first element in Memory, in elements
	// Memory is shared by the array and its views.
	Memory *gpu.Buffer[byte]
}

// RawOf computes an array of any dtype and describes its memory, which is a copy if the array is split over devices, or a view of one that
// is. Writing to the array's memory has the effects described at BufferOf. Keep the array, or
// Memory, reachable while the description is used.
func RawOf(a Operand) Raw {
	if a == nil {
		fail("RawOf", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	n := nodeIn(a).check("RawOf").ready()
	if !n.writable() {
		n = n.copied()
	}
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	n.eng.own(n.mem)
	n.mem.open = true
	return Raw{n.dt, slices.Clone(n.lay.shape), slices.Clone(n.lay.strides), n.off, bufferOf(n.mem.now.buf)}
}

// Packed returns the array's elements in row-major order in contiguous memory: the array's own if it is contiguous, else a copy.
func Packed(a Operand) *gpu.Buffer[byte] {
	if a == nil {
		fail("Packed", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	p := nodeIn(a).check("Packed").packed()
	p.eng.mu.Lock()
	defer p.eng.mu.Unlock()
	p.eng.flush()
	p.eng.storeUsed(p.mem.now.buf)
	p.mem.open = true
	return bufferOf(p.span())
}

// Describe returns the dtype, shape and device of an array without computing it.
func Describe(a Operand) (dt DType, shape []int, on *gpu.Device) {
	if a == nil {
		fail("Describe", "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	n := nodeIn(a).check("Describe")
	return n.dt, slices.Clone(n.lay.shape), n.Device()
}

func init() {
	fresh.Memory = func(array any) *gpu.Buffer[byte] { return bufferOf(nodeIn(array.(Operand)).ready().mem.now.buf) }
}
