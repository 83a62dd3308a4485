// Package ring carries commands from the session process to its device process through shared memory, and their results back.
//
// A Segment is the memory that both processes map: a ring of variable-size records, which one Producer writes and one Consumer
// reads, and slots, in each of which a goroutine of the session waits for one result. Both sides spin for a few microseconds
// before they sleep on a futex, so two busy processes communicate without system calls, and idle ones use no processor time.
//
// A side that is about to sleep sets a flag and then checks the condition once more; the other side changes the condition and
// then checks the flag. At least one of the two must see the other's write, so neither may check before its own write is visible.
// Swap always guarantees that. Store does so in ordinary builds only: under the race detector, on memory that isn't Go's own, it
// is a plain write, which the processor may delay until after the check, and then both sides could wait forever.
//
// The contents of the records are defined by package wire, and the processes are started by package client. This package works on
// Linux only.
package ring
