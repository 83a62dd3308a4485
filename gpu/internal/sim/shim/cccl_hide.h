// Hides that CUDA C++ is compiled. For CCCL's headers this is a host's compiler, since one pass compiles both sides here: their
// code for devices is NVIDIA's assembly.
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __NVCC__
