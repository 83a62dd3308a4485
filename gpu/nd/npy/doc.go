// Package npy reads and writes arrays in NumPy's file formats: .npy, which has one array, and .npz, which has several by name.
//
//	err := npy.Save("x.npy", x)
//	x, err := npy.Load[float32]("x.npy")
//	err = npy.SaveZ("both.npz", map[string]nd.Operand{"x": x, "y": y})
//	all, err := npy.LoadZ("both.npz")
//
// Arrays are made on the current device. All types of package nd are supported except bfloat16, which NumPy does not have. Files with the
// other byte order, or in column-major (Fortran) order, are read, too. Objects, text, dates and structures are an error that names the
// type in the file.
package npy
