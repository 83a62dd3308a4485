// Package render formats tables (table.go) and the progress of work (bar.go) as text and as HTML, quantities with their units (units.go), and
// lines of text (wrap.go).
//
// It is linked into session processes, too, so it imports only the standard library.
package render
