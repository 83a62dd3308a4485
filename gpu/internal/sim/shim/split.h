// What split kernels are made of: functions that run a whole block, with loops over its
// threads between the barriers.
#pragma once

// The dimensions are copied, because the compiler knows of a local constant that nothing
// in a loop changes it.
#define GW_SPLIT_BEGIN                                                                                                   \
    [[maybe_unused]] const dim3 blockDim = ::blockDim, gridDim = ::gridDim;                                              \
    [[maybe_unused]] const uint3 blockIdx = ::blockIdx;                                                                 \
    [[maybe_unused]] const unsigned gw_threads = blockDim.x * blockDim.y * blockDim.z;
#define GW_EACH_THREAD                                                                                                   \
    for (unsigned gw_z = 0, gw_row = 0; gw_z < blockDim.z; gw_z++)                                                       \
        for (unsigned gw_y = 0; gw_y < blockDim.y; gw_y++, gw_row += blockDim.x)                                         \
            for (unsigned gw_x = 0; gw_x < blockDim.x; gw_x++)
#define GW_THREAD_BEGIN [[maybe_unused]] const uint3 threadIdx = {gw_x, gw_y, gw_z};

namespace gwsim {

// keep gives a thread's variable its first value.
template <class T> inline __attribute__((always_inline)) void keep(T &to, const T &from) { to = from; }
template <class T, size_t count> inline __attribute__((always_inline)) void keep(T (&to)[count], const T (&from)[count]) {
    for (size_t i = 0; i < count; i++)
        keep(to[i], from[i]);
}

} // namespace gwsim
