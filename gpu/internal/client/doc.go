// Package client is the session's side of the connection to a device process: it starts the process, sends it work, and replaces it when
// it exits.
//
//	link.go        Link, which joins the parts
//	connection.go  the connection to the current process: the ring of commands, requests
//	process.go     one process, from its start to its exit
//	progress.go    which commands have completed
//	restart.go     restores the objects of the previous process in a new one
//	suspend.go     ends the process of an idle device, and keeps its memory on the host
//	state.go       streams, events, modules, textures and graphs, which a new process is given
//	allocator.go   chunks of the device's memory, and allocations in them; quota.go: the session's limit
//	collect.go     when the garbage collector looks for unreachable buffers
//	staging.go     copies between host and device; also rows.go and fill.go
//	pins.go        page-locked memory; managed.go: memory that host and device share
//	peers.go       memory of other devices; group.go: collective operations of several devices
//	captures.go    work that is recorded for a graph
//	checks.go      check mode
//	faults.go      errors of asynchronous work, and launches.go, by which they find their launch
//
// All parts of a Link have one lock, the connection's. A method whose comment says "The lock is held" is called by With. The public
// types, such as buffers, streams and kernels, are in package gpu.
package client
