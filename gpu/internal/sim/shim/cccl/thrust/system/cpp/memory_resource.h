// In place of Thrust's: its system for the host takes device memory of the simulator, so that copies and kernels know it.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

#include "../../../../thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system {

namespace cuda {
namespace detail {

using allocation_fn = cudaError_t (*)(void **, size_t);
using deallocation_fn = cudaError_t (*)(void *);

template <allocation_fn Allocate, deallocation_fn Free, class Pointer> class cuda_memory_resource final : public mr::memory_resource<Pointer> {
public:
    Pointer do_allocate(size_t n, size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
        void *p = nullptr;
        if (cudaError_t e = Allocate(&p, n))
            throw thrust::system::detail::bad_alloc(cudaGetErrorString(e));
        return Pointer(p);
    }
    void do_deallocate(Pointer p, size_t, size_t) override { Free(p.get()); }
};

} // namespace detail
} // namespace cuda

namespace cpp {

using memory_resource = cuda::detail::cuda_memory_resource<gwthrust::ofDevice, gwthrust::release, thrust::cpp::pointer<void>>;
using universal_memory_resource = cuda::detail::cuda_memory_resource<gwthrust::ofBoth, gwthrust::release, thrust::cpp::universal_pointer<void>>;
using universal_host_pinned_memory_resource = cuda::detail::cuda_memory_resource<gwthrust::ofHost, gwthrust::release, thrust::cpp::universal_pointer<void>>;
namespace detail {
using native_resource = memory_resource;
using universal_native_resource = universal_memory_resource;
} // namespace detail

} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END

#include <thrust/system/cuda/memory_resource.h>
