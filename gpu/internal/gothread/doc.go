// Package gothread runs kernels that are written in Go as plain Go: each block's threads on goroutines of this process, with the barrier
// and the exchange of values that a GPU's threads have. Package gpu has the functions that such kernels call.
//
// The files:
//
//	run.go      a launch: blocks in parallel, and the threads of each
//	thread.go   a thread, and how a function that it calls finds it
//	barrier.go  where threads wait for each other
//	warp.go     values that the threads of a warp exchange
//	race.go     whether the race detector watches (norace.go: it does not)
package gothread
