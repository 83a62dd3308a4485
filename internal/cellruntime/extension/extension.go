// Package extension has the type of additions to the session process, such as the GPU. It is separate from package host because
// host needs cgo, and the kernel process, which links those packages for their messages, is built without it.
package extension

import "context"

// An Extension is an addition to the session process that package host does not import, such as the GPU. Each field may be nil.
type Extension struct {
	// Start is called once, before the first cell.
	Start func()
	// CellStart is called before each cell, with its name such as "cell[3]". The returned function is
	// called after CellEnd.
	CellStart func(name string) (end func())
	// CellEnd is called after each cell, with a context that an interrupt cancels. Its error
	// fails a cell that has not failed.
	CellEnd func(ctx context.Context) error
	// Handlers answer calls of the kernel process by name.
	Handlers map[string]func(ctx context.Context, data []byte) ([]byte, error)
}
