// Package export makes a Go program of a notebook: a module with its declarations, its kernels and its statements, which does what running all
// cells does.
//
// The files, in the order of their work:
//
//	export.go   a notebook → its program, or the reason why there is none
//	cells.go    cells → parts that package session translates (package magics splits them)
//	magic.go    what a magic is in a program
//	cuda.go     %%cuda: the kernels and their source
//	program.go  the text of main.go
//	module.go   go.mod and go.sum
//	write.go    the program's directory
package export
