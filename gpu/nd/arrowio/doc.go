// Package arrowio exchanges arrays with Apache Arrow: columns of record batches, files and streams of its IPC format (what pyarrow, Polars,
// DuckDB, R and Spark read and write; Feather is the same), and tensors in memory, through arrow-go.
//
//	err := arrowio.Save("x.arrow", arrowio.Column{Name: "x", Data: x}, arrowio.Column{Name: "y", Data: y})
//	table, err := arrowio.Load("x.arrow")
//	x, err := arrowio.Get[float32](table, "x")
//
// A column is an array whose first axis is the rows. An array with more axes is a column of fixed-size lists, described by Arrow's
// standard extension arrow.fixed_shape_tensor, which pyarrow converts to a NumPy array. Columns of such lists without the extension are
// read, too.
//
// Arrow has all types of package nd except bfloat16 and the complex ones. Columns of other types (text, dates, dictionaries) are an error
// that names the column; Only leaves them out. A missing element (null) is an error, or, with Masked, false in the column's Valid.
//
// Elements are copied between Arrow's memory, which is the mapped file for Load, and the device without another copy on the host, except
// for bools, of which Arrow packs eight into a byte. Arrays are made on the current device.
package arrowio
