// Package launcher starts a program as several processes, the ranks of a job, as torchrun and mpirun do: with the variables by which package
// gpu/rank finds them, their output with the number of the rank before each line, and one end for all of them.
//
// The files:
//
//	job.go      the processes, their signals and their end
//	program.go  the program: an executable, or a Go package that is built
//	pipe.go     the output of a process
//	lines.go    output with a prefix
package launcher
