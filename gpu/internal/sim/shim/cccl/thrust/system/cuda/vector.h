// In place of Thrust's: its system for CUDA is the one for the host here.
#pragma once
#include <thrust/system/cpp/vector.h>
#include <thrust/system/cuda/memory.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::universal_vector;
using thrust::system::cpp::vector;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::universal_vector;
using thrust::system::cuda::vector;
} // namespace cuda
THRUST_NAMESPACE_END
