// Package kernel is the Jupyter side of gopherwarp: sockets, signatures, the dispatch of requests and the order of replies. It runs cells
// through an Engine. It also has a client, which starts a kernel and communicates with it as a front end does.
//
// From the bottom up: frames.go and sockets.go transport messages, message.go decodes and signs them, iopub.go broadcasts, dispatch.go
// and execute.go answer requests, output.go, help.go and input.go are the output and input of a running cell. aside.go is for requests
// that do not wait for one. comm.go, subshell.go and history.go have the state that outlives a request. Besides Engine there are small
// interfaces that an engine may implement: Helper, Evaluator, CommOpener, Inspector, Debugger.
//
// This package does not depend on Go cells (package session), magics or CUDA.
package kernel
