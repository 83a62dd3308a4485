// Package kernel is the Jupyter side of gopherwarp: sockets, signatures, the dispatch of
// requests and the order in which answers go out. It runs cells through an Engine.
//
// It knows nothing of Go cells (package session), magics or CUDA.
package kernel
