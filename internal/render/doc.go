// Package render formats tables as text and as HTML (table.go), and quantities with their units (units.go).
//
// It is linked into session processes, too, so it imports only the standard library.
package render
