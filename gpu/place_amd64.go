package gpu

// callerPCs writes the return addresses on the stack, beginning with its own, by following the
// frame pointers, which Go's functions have on this architecture.
//
//go:noescape
func callerPCs(list *[placeDepth]uintptr)
