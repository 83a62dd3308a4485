// Package server is the device process: it opens one device of a backend and executes the session's commands, in order and on one
// thread, until the session exits or the device has a fatal error.
//
// It has no state that cannot be restored: the session has the descriptors of the memory and can create all other objects again.
// So this process may exit at any time. Package client starts and replaces it; the backend runs the kernels.
package server
