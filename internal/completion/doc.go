// Package completion completes and describes what is written in cells.
//
// The notebook is one program to it (program.go): a file of what cells have declared, and
// one of the cell that is being written, taken apart and put together as Go where it is not
// finished (cell.go). Two answer questions about that program: gopls, a process that is
// started when it is first needed (gopls.go, rpc.go, answers.go), and, while there is none, go/types
// in this process (basic.go, source.go). An Editor asks the one that is better at it, and then the other.
//
// No question waits for a running cell: what the session knows is read from a
// session.Knowledge, which does not change. And none waits for gopls for long.
//
// Magics, Jupyter and CUDA are not known here; the words of CUDA are in package completion/cuda.
package completion
