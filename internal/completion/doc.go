// Package completion completes and describes names in cells.
//
// The notebook is represented as one program (program.go): files with the declarations of cells, and a file with the cell
// that is being written, which is split and written as valid Go if it is incomplete (cell.go). There are two
// implementations: gopls, a process that is started when it is first needed (gopls.go, rpc.go, answers.go), and go/types in
// this process (basic.go, source.go), which is used while gopls is not available. For each kind of request an Editor
// (editor.go) first uses the better one, and then the other.
//
// No request waits for a running cell: the state of the session is read from a session.Knowledge, which is immutable. And no
// request waits for gopls for long.
//
// The package does not depend on magics, Jupyter and CUDA; completion of CUDA C++ is in package completion/cuda.
package completion
