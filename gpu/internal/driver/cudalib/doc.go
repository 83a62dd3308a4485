// Package cudalib executes the routines of package routine on an NVIDIA GPU, by cuBLAS, cuSOLVER, cuFFT, cuSPARSE and NCCL. They
// are opened at run time, when a routine first needs them, from the CUDA toolkit or from packages installed by pip.
//
// Each stream has its own handles, plans and workspaces, because two streams must not use the same ones at the same time. They
// are lost when the process exits; the next process creates them when it needs them.
//
// Package driver uses this package, and makes the CUDA context current on the calling thread.
package cudalib
