// Package kerneltest has an engine for tests of what sits on top of a kernel: it runs cells of
// a few commands without compiling anything. Only tests import it.
package kerneltest
