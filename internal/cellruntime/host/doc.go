// Package host is the session process: it loads the plugins that cells were compiled to,
// runs them, and tells the kernel process what happened.
//
// The process is built on the user's machine from the same sources, toolchain and flags
// as the cells, because Go loads a plugin only into such a program. Compiling cells is
// not done here (package session), nor is anything here called by cells (package cell).
package host
