// Package gotool finds programs written in Go that the kernel works with, and builds them where
// they are missing.
package gotool
