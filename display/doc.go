// Package display shows things in a notebook.
//
//	display.Markdown("**2048** blocks")        // as the cell's result
//	display.Show(display.HTML("<b>now</b>"))   // in the middle of a cell
//	display.Table(runs)                        // a slice of structs, maps or slices
//
// A value knows how it looks if it has a method MIMEBundle, which maps MIME types to
// representations; "text/plain" should be one of them, for terminals. Such a value that
// stands last in a cell is shown without Show.
//
// What lives here: values of that kind (text, drawings, pictures, tables), Show, Live, Clear, and Ask for what the person
// types. Charts are package display/plot. What a cell's last value looks like if it has no such method is decided by the
// session process.
package display
