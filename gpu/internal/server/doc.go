// Package server is the device process: it opens one device of a backend and carries out
// what the session asks for, in order, on one thread, until the session is gone or the
// device has failed for good.
//
// It holds no state that matters. Memory lives in chunks whose descriptors the session
// keeps, and the session can make everything else again, so this process may die at any
// time. Starting it and replacing it is package gpu's part; running kernels is the
// backend's.
package server
