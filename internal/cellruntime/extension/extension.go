// Package extension has the type by which packages add to the session process what package host does not know of. It is apart
// from host because host needs cgo, and the kernel process, which links those packages for their messages, does not.
package extension

import "context"

// An Extension adds to the session process what package host does not know of, such as the GPU. Each field may be nil.
type Extension struct {
	// Start is called once, before the first cell.
	Start func()
	// CellStart is called before each cell, with its name such as "cell[3]". What it returns is called
	// after CellEnd.
	CellStart func(name string) (end func())
	// CellEnd is called after each cell, with a context that an interrupt ends. Its error
	// fails a cell that did not fail itself.
	CellEnd func(ctx context.Context) error
	// Handlers answer calls of the kernel process by name.
	Handlers map[string]func(ctx context.Context, data []byte) ([]byte, error)
}
