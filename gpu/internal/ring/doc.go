// Package ring carries commands from the session process to its device process through
// shared memory, and their results back.
//
// A Segment is the memory that both map: a ring of variable-size records that one
// Producer fills and one Consumer empties, and slots in which a goroutine of the session
// waits for one result each. Either side spins for a few microseconds before it sleeps on
// a futex, so a busy pair talks without system calls and an idle pair uses no processor.
//
// Who is about to sleep sets a mark and looks once more; who has news publishes it and looks
// for the mark. One of the two must see the other, so neither may look before its own write
// is visible. Swap sees to that always. Store does so in ordinary builds only: under the race
// detector, on memory that isn't Go's own, it is a plain write that the processor may delay
// past the look, and now and then both would wait for ever.
//
// The package knows nothing of what the records mean (package wire does) and nothing of
// processes (package gpu starts them). It is for Linux.
package ring
