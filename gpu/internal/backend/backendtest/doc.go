// Package backendtest is the suite that every backend passes: what the session may count
// on, whichever device runs its kernels.
//
// It holds nothing about one backend alone; such tests stand beside the backend.
package backendtest
