// Package exit has what os.Exit, log.Fatal and their like become in cells: they end the
// cell and not the session.
//
// It is apart from package cell because it needs packages that most cells do not, and
// what package cell imports is linked into every cell.
package exit
