// Kernels and files with kernels have all of this without including it. Files of host code have what is in the files that they
// include, as nvcc gives them to the host's compiler.
#pragma once

#ifndef __cplusplus
#error "the simulator has the CUDA runtime API for C++: compile the file as C++ (name it .cpp or .cu)"
#elif !defined(GOPHERWARP_SIM)
#include "../several.h"
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __NVCC__
#endif
