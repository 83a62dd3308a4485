// In place of Thrust's: its system for CUDA is the one for the host here. All work on a stream is done when calls return.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/detail/execute_with_allocator.h>
#include <thrust/system/cpp/execution_policy.h>

#include "../../../../thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

using thrust::system::cpp::execution_policy;
using thrust::system::cpp::tag;

namespace detail {

// With is a policy with an allocator that takes a stream, too.
template <class Allocator> struct With : thrust::detail::execute_with_allocator<Allocator, thrust::system::cpp::execution_policy> {
    using thrust::detail::execute_with_allocator<Allocator, thrust::system::cpp::execution_policy>::execute_with_allocator;
    const With &on(cudaStream_t) const { return *this; }
};

struct par_t : thrust::system::cpp::execution_policy<par_t> {
    const par_t &on(cudaStream_t) const { return *this; }
    template <class Allocator> With<Allocator &> operator()(Allocator &a) const { return With<Allocator &>(a); }
    template <class Allocator> With<Allocator> operator()(const Allocator &a) const { return With<Allocator>(a); }
    template <class Resource> auto operator()(Resource *r) const { return thrust::system::cpp::par(r); }
};

} // namespace detail

static const detail::par_t par{};
static const detail::par_t par_nosync{};

} // namespace cuda
} // namespace system

namespace cuda {
using thrust::system::cuda::execution_policy;
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
using thrust::system::cuda::tag;
} // namespace cuda
namespace cuda_cub = cuda;
THRUST_NAMESPACE_END
