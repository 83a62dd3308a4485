// Package host is the session process: it loads the plugins that cells were compiled to, runs them,
// and sends their output and outcome to the kernel process.
//
// The process is built on the user's machine from the same sources, toolchain and flags as the
// cells, because Go loads a plugin only into such a program. Package session compiles cells, and
// cells call package cell, not this package.
package host
