package trace

// The kinds of events. The first ones are the operations of check mode.
const (
	Read = iota
	Write
	Atomic
	VolatileRead
	VolatileWrite
	LineRuns      = iota + 3 // a thread begins a line; Address is its stack pointer, Before its frame pointer
	BarrierPassed            // all threads of the block have met
	WarpMet                  // all lanes of the warp of Thread have met
	Stray                    // an access to memory that is not the kernel's; Region is the operation
	FrameHas                 // 16 bytes of the frame of the function whose line has begun, from Address: Before and After
)

// An Event is something that a thread did. The simulator's runtime writes it (Event in its check.h).
type Event struct {
	Address       uint64 // in shared memory from its start
	Before, After uint64 // the bytes in memory before and after an access
	PC            uint32 // in the program
	Block         uint32 // the linear index of its block
	Thread        uint16 // in the block
	Kind          uint8
	SizeAndSpace  uint8  // bytes of the access, at most 8, and inShared
	Region        uint32 // the number of the memory
}

// inShared marks accesses to shared memory.
const inShared = 0x80

// size returns the size of the access in bytes.
func (e *Event) size() int { return int(e.SizeAndSpace &^ inShared) }

func (e *Event) op() string {
	kind := uint32(e.Kind)
	if e.Kind == Stray {
		kind = e.Region
	}
	switch kind {
	case Atomic:
		return "a"
	case Write, VolatileWrite:
		return "w"
	}
	return "r"
}

// A Region is memory that a kernel may use.
type Region struct {
	Name        string
	Shared      bool
	Start, Size uint64 // in bytes
	Base        uint64 // where shared memory begins
	Elem        int    // bytes of an element; 0 if unknown
	Type        string // of the elements, in Go's words; "" if unknown
	Dims        []int64
	// Before is what the beginning of the memory held before the launch; nil if that is not known.
	Before []byte
}
