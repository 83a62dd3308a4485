// Package magics is the engine of the kernel: it splits cells into Go and magics, runs Go through package session and magics through its
// registry, and formats errors for the front end.
//
// A magic is data: a name, a usage line, and a function (see Magic). One file has one magic. This is the only package that depends on
// both Jupyter and the GPU; the parts of magics that run in the session process are in internal/cellruntime: prochost, testhost and
// gpuhost. A Call has the whole engine, because magics are its commands: between them they use its session, variables, inputs, pipes,
// environment and other magics, and most use several.
package magics
