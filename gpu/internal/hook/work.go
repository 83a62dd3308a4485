package hook

// Work is a piece of work that the default stream of a device was given: a launch, a copy, a fill or a product of matrices.
type Work struct {
	// What is all of it apart from the addresses of its operands: two pieces of work with the same What do the same to other memory.
	What string
	// Operands are the addresses of its operands, always in the same order, and Sizes how many bytes each has at least.
	Operands, Sizes []uint64
	// Repeat gives the same work to a *gpu.Stream, for other memory: at returns the *gpu.Buffer[byte] that begins where an operand is
	// now, or nil if it is where it was. Work keeps the memory that it was given for.
	Repeat func(stream any, at func(operand int) any) error
}

// NoteWork calls note with each piece of work that the default stream of a *gpu.Device is given until stop is called, as far as it can be
// repeated. ok is false, and nothing is noted, while work on the device is measured, checked or changed.
var NoteWork func(device any, note func(*Work)) (stop func(), ok bool)

// ResidentBlocks returns how many blocks of a *gpu.Kernel of so many threads can be on its device at the same time, as a cooperative launch
// needs. It asks the device once.
var ResidentBlocks func(kernel any, threads, sharedBytes int) (int, error)

// Submits returns how often all devices were given work or asked for something until now. If it is more than what was noted, there was
// work that cannot be repeated.
var Submits func() uint64
