// In place of Thrust's radix sort: up to CCCL 3.0 that of the host takes negative integers of 32 bits for the largest.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class Policy, class Keys> void stable_primitive_sort(execution_policy<Policy> &exec, Keys first, Keys last) {
    stable_merge_sort(exec, first, last, thrust::less<typename thrust::iterator_traits<Keys>::value_type>());
}
template <class Policy, class Keys, class Values>
void stable_primitive_sort_by_key(execution_policy<Policy> &exec, Keys first, Keys last, Values values) {
    stable_merge_sort_by_key(exec, first, last, values, thrust::less<typename thrust::iterator_traits<Keys>::value_type>());
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
