// In place of Thrust's: errors of the CUDA runtime as exceptions.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/system/error_code.h>
#include <thrust/system_error.h>

#include <cuda_runtime.h>

#include <string>

THRUST_NAMESPACE_BEGIN
namespace system {

inline const error_category &cuda_category() {
    struct Category : error_category {
        const char *name() const override { return "cuda"; }
        std::string message(int e) const override { return std::string(cudaGetErrorName(cudaError_t(e))) + ": " + cudaGetErrorString(cudaError_t(e)); }
    };
    static const Category category;
    return category;
}

} // namespace system
using system::cuda_category;
THRUST_NAMESPACE_END
