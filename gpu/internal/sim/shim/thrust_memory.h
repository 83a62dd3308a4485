// Memory for Thrust, whose algorithms run on the host.
#pragma once
#include <cuda_runtime.h>

namespace gwthrust {

// Algorithms write device memory unseen by check mode, for which it counts as initialised from here on.
static const bool written = gwrt::hostWrites = true;

inline cudaError_t ofDevice(void **p, size_t n) { return gwrt::mallocOfDevice(p, n); }
inline cudaError_t ofBoth(void **p, size_t n) { return cudaMallocManaged(p, n); }
inline cudaError_t ofHost(void **p, size_t n) { return cudaMallocHost(p, n); }
inline cudaError_t release(void *p) { return cudaFree(p); }

} // namespace gwthrust
