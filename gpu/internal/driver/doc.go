// Package driver runs kernels on NVIDIA GPUs, through the CUDA driver API and NVRTC.
//
// Both libraries are opened at run time, so the same binary works on machines without them: New always succeeds there, and Count
// and Open return errors that say what is missing. Building this package does not need the CUDA toolkit.
//
// The package finds and binds the two libraries, implements backend.Device by calls of the driver, finds NVRTC's headers, and
// caches compiled programs on disk. Package gpu checks launch arguments and limits and handles faults, for both backends.
package driver
