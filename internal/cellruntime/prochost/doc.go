// Package prochost does in the session process what magics ask for that is about the
// process and its Go: the working folder and the environment, variables, timing and tests.
// Package magics is its counterpart in the kernel process; what is about the GPU is in
// package gpuhost.
package prochost
