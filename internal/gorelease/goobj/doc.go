// Package goobj has the numbers of Go's object files, which the releases that are known share. Package slim
// reads and writes such files with them.
package goobj
