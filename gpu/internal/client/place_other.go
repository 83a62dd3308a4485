//go:build !amd64 && !arm64

package client

import "runtime"

// callerPCs writes the return addresses on the stack, beginning with the one in its caller, and returns
// their number.
func callerPCs(list *[placeDepth]uintptr) int { return runtime.Callers(2, list[:]) }
