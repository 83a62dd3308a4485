// Package driver runs kernels on NVIDIA GPUs, through the CUDA driver API and NVRTC.
//
// Both libraries are opened at run time, so the same binary works on a machine that has
// neither: New always succeeds there, and Count and Open say what is missing. Nothing
// of the CUDA toolkit is needed to build this package.
//
// What lives here: finding and binding the two libraries, the translation of package
// backend's Device to driver calls, the search for NVRTC and its headers, and the disk
// cache of compiled programs. What does not: checks of launch arguments and limits, and
// the handling of faults, which package gpu does for both backends.
package driver
