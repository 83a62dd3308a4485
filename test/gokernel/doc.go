// Package gokernel has kernels in Go for all that the language of kernels has. Its tests run them on the device and as plain Go, and
// compare the results.
package gokernel
