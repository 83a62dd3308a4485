package routine

import "unsafe"

// CollectiveKind is what several devices do together.
type CollectiveKind uint32

// The kinds. All members of a group must be given the same one, but for Send and Receive, which two
// members are given.
const (
	AllReduce     CollectiveKind = iota + 1 // Dst gets the elements of all members' Src, reduced
	Reduce                                  // Root's Dst does
	Broadcast                               // Dst gets what Root's Src has
	AllGather                               // Dst gets every member's Src, one after the other
	ReduceScatter                           // Dst gets this member's part of what AllReduce would give
	Send                                    // Src goes to member Root
	Receive                                 // Dst gets what member Root sends
)

// Reduction makes one element of one of each member.
type Reduction uint32

// The values are NCCL's.
const (
	Sum Reduction = iota
	Product
	Max
	Min
	Average
)

// Collective is one member's part of a collective.
type Collective struct {
	Kind     CollectiveKind
	Type     Type // not complex
	Reduce   Reduction
	Root     int // a member's number
	N        int // elements: those of Src, but of Dst for ReduceScatter
	Src, Dst uint64
}

// Bytes is how it travels.
func (c *Collective) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(c)), unsafe.Sizeof(*c))
}

// ParseCollective is the inverse of Bytes; it is nil if the data are none.
func ParseCollective(data []byte) *Collective {
	c := &Collective{}
	if len(data) != len(c.Bytes()) {
		return nil
	}
	copy(c.Bytes(), data)
	return c
}
