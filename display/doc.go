// Package display shows values in a notebook: text, drawings, pictures and tables.
//
//	display.Markdown("**2048** blocks")        // as the cell's result
//	display.Show(display.HTML("<b>now</b>"))   // in the middle of a cell
//	display.Table(runs)                        // a slice of structs, maps or slices
//
// A value determines its appearance by a method MIMEBundle, which returns representations by MIME type; "text/plain" should be one of
// them, for terminals. If such a value is the last expression of a cell, it is shown without Show.
//
// The package has values of that kind (text, drawings, pictures, tables), Show, Live, Clear, and Ask, which reads the user's input.
// Charts are in package display/plot. How a cell's last value is shown if it has no such method is decided by the session process.
package display
