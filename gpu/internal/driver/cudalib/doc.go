// Package cudalib carries out the routines of package routine on an NVIDIA GPU, by cuBLAS,
// cuSOLVER, cuFFT and cuSPARSE. They are opened at run time, when a routine first needs them, from
// the toolkit or from the wheels that pip installs.
//
// Handles, plans and workspaces are kept for each stream, because two streams that use one at the
// same time would disturb each other. They are gone with the process; the next one makes them
// again when it needs them.
//
// Package driver uses it, and has the CUDA context current in the thread that calls.
package cudalib
