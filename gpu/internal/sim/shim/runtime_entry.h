// Functions of the driver by their names, kernels by their functions, and code from files, which is refused.
#pragma once

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound, cudaDriverEntryPointVersionNotSufficent };
enum cudaGetDriverEntryPointFlags { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream };

namespace gwrt {
// A Named is a function of the driver API.
struct Named {
    const char *name;
    void *function;
    unsigned since; // the version of CUDA; 0 if it was always there
};
extern const Named *named; // what cuda.h has, if the program includes it; the last one has no name
} // namespace gwrt

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status = nullptr);
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, cudaDriverEntryPointQueryResult *status = nullptr);
template <class F> GW_RT cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, F **function, unsigned version, unsigned long long flags,
                                                                      cudaDriverEntryPointQueryResult *status = nullptr) {
    return cudaGetDriverEntryPointByVersion(symbol, reinterpret_cast<void **>(function), version, flags, status);
}
template <class F> GW_RT cudaError_t cudaGetDriverEntryPoint(const char *symbol, F **function, unsigned long long flags, cudaDriverEntryPointQueryResult *status = nullptr) {
    return cudaGetDriverEntryPoint(symbol, reinterpret_cast<void **>(function), flags, status);
}

// ---- kernels ----

typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
enum cudaJitOption { cudaJitMaxRegisters, cudaJitThreadsPerBlock, cudaJitWallTime, cudaJitInfoLogBuffer, cudaJitInfoLogBufferSizeBytes, cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes, cudaJitOptimizationLevel };
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable, cudaLibraryBinaryIsPreserved };

// A kernel or function is known by the address of the host's function, which launches take, too.
template <class F> GW_RT cudaError_t cudaGetKernel(cudaKernel_t *kernel, F *f) {
    const void *at = gwrt::place(f);
    if (at == nullptr || gwrt::describe(at).entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    return *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(at)), cudaSuccess;
}
template <class F> GW_RT cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, F *f) {
    return cudaGetKernel(reinterpret_cast<cudaKernel_t *>(function), f);
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int);
template <class F> GW_RT cudaError_t cudaFuncGetParamInfo(F *f, size_t index, size_t *offset, size_t *size) {
    const auto c = gwrt::describe(gwrt::place(f));
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    if (index >= c.parameters)
        return gwrt::done(cudaErrorInvalidValue);
    *offset = c.at(index);
    if (size != nullptr)
        *size = c.sizeOf(index);
    return cudaSuccess;
}
template <class F> GW_RT cudaError_t cudaFuncGetParamCount(F *f, size_t *count) {
    const auto c = gwrt::describe(gwrt::place(f));
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    return *count = c.parameters, cudaSuccess;
}

// ---- libraries of code ----

namespace gwrt {
constexpr const char *noCode = "PTX and cubins are code for a GPU, which the simulator does not run: give gopherwarp program the source of the kernels, or use a GPU";
} // namespace gwrt
cudaError_t cudaLibraryLoadData(cudaLibrary_t *, const void *, cudaJitOption *, void **, unsigned, cudaLibraryOption *, void **, unsigned);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *, const char *, cudaJitOption *, void **, unsigned, cudaLibraryOption *, void **, unsigned);
cudaError_t cudaLibraryUnload(cudaLibrary_t);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, const char *);
cudaError_t cudaLibraryGetKernelCount(unsigned *, cudaLibrary_t);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *, unsigned, cudaLibrary_t);
cudaError_t cudaLibraryGetGlobal(void **, size_t *, cudaLibrary_t, const char *);
cudaError_t cudaLibraryGetManaged(void **, size_t *, cudaLibrary_t, const char *);
cudaError_t cudaLibraryGetUnifiedFunction(void **, cudaLibrary_t, const char *);
