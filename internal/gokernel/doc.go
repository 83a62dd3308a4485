// Package gokernel translates kernels that are written in Go to CUDA C++.
//
// A kernel is a function with the comment //gpu:kernel. Go's type checker has accepted it before it comes here. The CUDA code keeps Go's
// meaning where C++ has another: integers overflow by wrapping, shifts may be wider than the operand, a division by zero and an index out
// of range end the kernel with a message. What a GPU cannot do is refused at its line.
//
// The files, in the order of the work:
//
//	find.go       the kernels of a file, and their directives
//	load.go       declarations of several files, checked as one package
//	packages.go   the sources of imported packages
//	translate.go  kernels and all that they call → one CUDA program
//	function.go   one function (param.go: the parameters of a kernel)
//	types.go      types (generic.go: of type parameters)
//	names.go      names
//	stmt.go       statements (loop.go, switch.go, assign.go)
//	expr.go       expressions (ops.go: operators, conv.go: conversions, constant.go: constants)
//	call.go       calls: Go's own functions, those of the program, closures
//	tables.go     variables that nothing changes
//	view.go       elements in rows and columns
//	texture.go    textures
//	arrayfunc.go  functions that package nd calls for elements of arrays
//	cuda.go       calls from and to CUDA C++
//	device.go     package gpu's functions for kernels
//	group.go      tiles of a warp, and matrices for tensor cores
//	half.go       gpu.Float16 and gpu.BFloat16
//	mathcall.go   packages math and math/bits
//	refuse.go     why something cannot run on a GPU
//	prelude.h     what the CUDA code calls (prelude.go: the part that a program needs)
//	launcher.go   the Go code that launches a kernel, or runs it as plain Go
//	generate.go   a file of such code beside the kernels of a package
package gokernel
