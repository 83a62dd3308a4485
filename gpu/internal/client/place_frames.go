//go:build amd64 || arm64

package client

// callerPCs writes the return addresses on the stack, beginning with its own, by following the
// frame pointers, which Go's functions have on these processors. It returns their number.
//
//go:noescape
func callerPCs(list *[placeDepth]uintptr) int
