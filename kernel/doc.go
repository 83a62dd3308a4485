// Package kernel is the Jupyter side of gopherwarp: sockets, signatures, the dispatch of
// requests and the order in which answers go out. It runs cells through an Engine. It also has
// the other end of the line: a client that starts a kernel and talks to it as a front end does.
//
// From the wire up: frames.go and sockets.go carry messages, message.go reads and signs them,
// iopub.go broadcasts, dispatch.go and execute.go answer requests, output.go, help.go and
// input.go are what a running cell shows and asks. aside.go is for what does not wait for one. comm.go, subshell.go and history.go hold what
// outlives a request. Besides Engine there are small interfaces that an engine may implement:
// Helper, Evaluator, CommOpener.
//
// It knows nothing of Go cells (package session), magics or CUDA.
package kernel
