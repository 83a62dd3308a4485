// In place of Thrust's: thrust::malloc is device memory of the simulator, and what algorithms need for themselves is not.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/detail/pointer.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>
// Programs take these for granted, since the system for CUDA includes them.
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/tuple.h>

#include <cuda/std/utility>

#include "../../../../../thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class Policy> inline void *malloc(execution_policy<Policy> &, size_t n) {
    void *p = nullptr;
    return cudaMalloc(&p, n) == cudaSuccess ? p : nullptr;
}
template <class Policy, class Pointer> inline void free(execution_policy<Policy> &, Pointer p) { cudaFree(thrust::raw_pointer_cast(p)); }

template <class T, class Policy> inline ::cuda::std::pair<thrust::pointer<T, Policy>, ptrdiff_t> get_temporary_buffer(execution_policy<Policy> &, ptrdiff_t n) {
    T *p = static_cast<T *>(::malloc(n * sizeof(T)));
    return {thrust::pointer<T, Policy>(p), p == nullptr ? 0 : n};
}
template <class Policy, class Pointer> inline void return_temporary_buffer(execution_policy<Policy> &, Pointer p, ptrdiff_t) {
    ::free(thrust::raw_pointer_cast(p));
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
