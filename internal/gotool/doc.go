// Package gotool finds programs written in Go that the kernel uses, and builds them if they are
// missing.
package gotool
