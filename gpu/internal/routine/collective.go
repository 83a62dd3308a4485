package routine

import "unsafe"

// CollectiveKind is the kind of a collective operation.
type CollectiveKind uint32

// The kinds. All members of a group must call the same one, except Send and Receive, which are called by two members.
const (
	AllReduce     CollectiveKind = iota + 1 // Dst of each member receives the reduction of all members' Src
	Reduce                                  // Dst of member Root receives the reduction of all members' Src
	Broadcast                               // Dst of each member receives Root's Src
	AllGather                               // Dst of each member receives all members' Src, one after the other
	ReduceScatter                           // Dst of each member receives its part of the result of AllReduce
	Send                                    // Src is sent to member Root
	Receive                                 // Dst receives the elements sent by member Root
)

// Reduction is the operation that combines the elements of all members.
type Reduction uint32

// The values are NCCL's.
const (
	Sum Reduction = iota
	Product
	Max
	Min
	Average
)

// A Collective is one member's part of a collective operation.
type Collective struct {
	Kind     CollectiveKind
	Type     Type // not complex
	Reduce   Reduction
	Root     int // a member's rank
	N        int // number of elements in Src, or in Dst for ReduceScatter
	Src, Dst uint64
}

// Bytes returns the memory of c, as it is sent to the device process.
func (c *Collective) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(c)), unsafe.Sizeof(*c))
}

// ParseCollective is the inverse of Bytes. It returns nil if the data have the wrong size.
func ParseCollective(data []byte) *Collective {
	c := &Collective{}
	if len(data) != len(c.Bytes()) {
		return nil
	}
	copy(c.Bytes(), data)
	return c
}
