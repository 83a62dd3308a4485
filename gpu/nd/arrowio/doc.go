// Package arrowio exchanges arrays with Apache Arrow: columns of record batches, files and streams of its IPC format (what pyarrow, Polars,
// DuckDB, R and Spark read and write; Feather is the same), and tensors in memory, through arrow-go.
//
//	err := arrowio.Save("x.arrow", arrowio.Column{Name: "x", Data: x}, arrowio.Column{Name: "y", Data: y})
//	table, err := arrowio.Load("x.arrow")
//	x, err := arrowio.Get[float32](table, "x")
//
// A column is an array whose first axis is the rows. One with more axes is a column of lists of a fixed size, which
// Arrow's standard extension arrow.fixed_shape_tensor describes, so pyarrow gives it back as an array of NumPy. Columns of such lists
// without the extension are read, too.
//
// Arrow has all types of package nd but bfloat16 and the complex ones. Text, dates, dictionaries and the like are refused, naming the
// column; Only leaves them out. A missing element (null) is an error, or, with Masked, false in the column's Valid.
//
// Elements go from Arrow's memory, which is the file's for Load, to the device, and from the device to Arrow's memory, without another copy on
// the host, but for bools, of which Arrow packs eight into a byte. Arrays are made on the current device.
package arrowio
