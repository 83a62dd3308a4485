// In place of Thrust's: its system for CUDA is the one for the host here.
#pragma once
#include <thrust/system/cpp/memory.h>
#include <thrust/system/cuda/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::allocator;
using thrust::system::cpp::free;
using thrust::system::cpp::malloc;
using thrust::system::cpp::universal_allocator;
using thrust::system::cpp::universal_host_pinned_allocator;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::allocator;
using thrust::system::cuda::free;
using thrust::system::cuda::malloc;
using thrust::system::cuda::universal_allocator;
using thrust::system::cuda::universal_host_pinned_allocator;
} // namespace cuda
THRUST_NAMESPACE_END
