// In place of Thrust's: its system for CUDA is the one for the host here.
#pragma once
#include <thrust/system/cpp/memory_resource.h>
#include <thrust/system/cuda/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::memory_resource;
using thrust::system::cpp::universal_host_pinned_memory_resource;
using thrust::system::cpp::universal_memory_resource;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::memory_resource;
using thrust::system::cuda::universal_host_pinned_memory_resource;
using thrust::system::cuda::universal_memory_resource;
} // namespace cuda
THRUST_NAMESPACE_END
