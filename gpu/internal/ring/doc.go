// Package ring carries commands from the session process to its device process through
// shared memory, and their results back.
//
// A Segment is the memory that both map: a ring of variable-size records that one
// Producer fills and one Consumer empties, and slots in which a goroutine of the session
// waits for one result each. Either side spins for a few microseconds before it sleeps on
// a futex, so a busy pair talks without system calls and an idle pair uses no processor.
//
// The package knows nothing of what the records mean (package wire does) and nothing of
// processes (package gpu starts them). It is for Linux.
package ring
