// Package backendtest has the tests that every backend passes, whichever device runs its kernels. Tests of a single backend are
// in its own package.
package backendtest
