// Package magics is the engine behind the kernel: it takes cells apart into Go and magics,
// runs the one through package session and the other through its registry, and writes
// errors for the front end.
//
// A magic is data: a name, a usage line, and what to do (see Magic). One file holds one
// magic. This is the only package that knows both Jupyter and the GPU; what a magic needs
// to have done in the session process is in internal/cellruntime: prochost, testhost and gpuhost.
// A Call has the whole engine, because magics are its commands: between them they use its session,
// variables, inputs, pipes, environment and other magics, and most use several.
package magics
