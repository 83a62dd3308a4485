// Package client is the session's end of a device process: it starts the process, gives it work, and replaces it when it exits.
//
//	link.go        Link, which joins the parts
//	connection.go  the way to the process that serves: the ring of commands, requests
//	process.go     one process, from its start to its exit
//	progress.go    which commands have ended
//	restart.go     a new process gets what the one before it had
//	state.go       streams, events, modules, textures and graphs, as a new process is given them
//	allocator.go   chunks of the device's memory, and allocations in them
//	staging.go     copies between host and device; rows.go and fill.go likewise
//	pins.go        page-locked memory; managed.go: memory that both sides use
//	peers.go       memory of other devices; group.go: devices that do things together
//	captures.go    work that is recorded for a graph
//	checks.go      check mode
//	faults.go      errors of work that nobody waited for, and launches.go, by which they find their launch
//
// All parts of a Link have one lock, the connection's. A method whose comment says "The lock is held" is called by With. What users
// see of buffers, streams and kernels is package gpu.
package client
