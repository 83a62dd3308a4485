// Package prochost handles those requests of magics in the session process that are about the
// process and Go: the working directory and the environment, variables, timing and tests. Package
// magics is its counterpart in the kernel process; requests about the GPU are handled by package
// gpuhost.
package prochost
