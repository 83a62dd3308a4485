// In place of Thrust's: its system for CUDA is the one for the host here.
#pragma once
#include <thrust/system/cpp/pointer.h>
#include <thrust/system/cuda/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::pointer;
using thrust::system::cpp::reference;
using thrust::system::cpp::universal_pointer;
} // namespace cuda
} // namespace system
namespace cuda {
using thrust::system::cuda::pointer;
using thrust::system::cuda::reference;
using thrust::system::cuda::universal_pointer;
} // namespace cuda
THRUST_NAMESPACE_END
