// Package exit has the functions that replace os.Exit, log.Fatal and the like in cells: they end
// the cell instead of the session.
//
// It is separate from package cell because its imports are not needed by most cells, and the
// imports of package cell are linked into every cell.
package exit
