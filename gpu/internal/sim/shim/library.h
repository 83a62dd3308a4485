// What the host sides of CUDA's libraries have in common. A library's work on device memory is a kernel of one thread a block, so
// that blocks are spread over the processors, streams and graphs take it like other kernels, and check mode watches it.
#pragma once

#ifndef GW_PROGRAM
#error "this header is for whole programs (gopherwarp program FILE.cu): in a cell, package gpu/nd of Go has such routines"
#endif

namespace gwlib {

// A Work is called for every block. It is copied as a kernel's arguments are.
template <class Work> struct Kernel {
    GW_UNWATCHED static void run(const char *args) {
        alignas(Work) char copy[sizeof(Work)];
        __builtin_memcpy(copy, args, sizeof(Work));
        const Work &work = *reinterpret_cast<const Work *>(copy);
        work(blockIdx.x + size_t(gridDim.x) * blockIdx.y);
    }
    static size_t at(size_t i) { return i * sizeof(Work); }
};

template <class Work> cudaError_t launch(const char *name, size_t blocks, const Work &work, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<Work>);
    static const gwsim::Entry entry = {uint32_t(sizeof(Work)), 1, Kernel<Work>::run, gwsim::touch, Kernel<Work>::run, {0, 0, 0}};
    if (blocks == 0)
        return cudaSuccess;
    const gwrt::Start what = {reinterpret_cast<const void *>(Kernel<Work>::run), &entry, name, Kernel<Work>::at, 1, {}, dim3(blocks), dim3(1), 0, false, {}};
    return gwrt::start(what, reinterpret_cast<const char *>(&work), stream);
}

// refuse tells on standard error what the simulator does not have, which a status cannot say.
inline void refuse(const char *function, const char *what) { fprintf(stderr, "simulator: %s: %s\n", function, what); }

constexpr size_t divideUp(size_t n, size_t by) { return (n + by - 1) / by; }

} // namespace gwlib

#ifndef GW_LIBRARY_TYPES
#define GW_LIBRARY_TYPES
enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef libraryPropertyType_t libraryPropertyType;
enum cudaDataType_t {
    CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_C_16F = 6, CUDA_C_8I = 7,
    CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13, CUDA_R_16BF = 14, CUDA_C_16BF = 15,
    CUDA_R_16I = 20, CUDA_R_64I = 24
};
typedef cudaDataType_t cudaDataType;
#endif
