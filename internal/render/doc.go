// Package render writes tables as text and as HTML (table.go), and quantities with their units (units.go).
//
// It is linked into session processes as well, so it imports nothing but the standard library.
package render
