// Package npy reads and writes arrays in NumPy's files: .npy, which hold one array, and .npz, which hold several by
// their names.
//
//	err := npy.Save("x.npy", x)
//	x, err := npy.Load[float32]("x.npy")
//	err = npy.SaveZ("both.npz", map[string]nd.Operand{"x": x, "y": y})
//	all, err := npy.LoadZ("both.npz")
//
// Arrays are made on the current device. All types of package nd are there but bfloat16, which NumPy does not have.
// Files that another machine wrote with the bytes in the other order, or with the first axis varying fastest, are read, too. Objects,
// text, dates and structures are not: the error says what the file holds.
package npy
