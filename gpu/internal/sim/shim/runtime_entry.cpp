// What runtime_entry.h declares; part of program.cpp.

namespace gwrt {

const Named *named;

} // namespace gwrt

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
    if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream)
        return gwrt::done(cudaErrorInvalidValue);
    const gwrt::Named *f = gwrt::named;
    while (f != nullptr && f->name != nullptr && strcmp(f->name, symbol) != 0)
        f++;
    const bool found = f != nullptr && f->name != nullptr, old = found && version < f->since;
    *function = found && !old ? f->function : nullptr;
    if (status != nullptr)
        *status = old ? cudaDriverEntryPointVersionNotSufficent : found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function != nullptr || status != nullptr ? cudaSuccess : gwrt::done(cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, cudaDriverEntryPointQueryResult *status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int) {
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *, const void *, cudaJitOption *, void **, unsigned, cudaLibraryOption *, void **, unsigned) {
    return gwrt::lacking("cudaLibraryLoadData", gwrt::noCode);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *, const char *, cudaJitOption *, void **, unsigned, cudaLibraryOption *, void **, unsigned) {
    return gwrt::lacking("cudaLibraryLoadFromFile", gwrt::noCode);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, const char *) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryGetKernelCount(unsigned *, cudaLibrary_t) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *, unsigned, cudaLibrary_t) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryGetGlobal(void **, size_t *, cudaLibrary_t, const char *) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryGetManaged(void **, size_t *, cudaLibrary_t, const char *) { return gwrt::done(cudaErrorInvalidResourceHandle); }
cudaError_t cudaLibraryGetUnifiedFunction(void **, cudaLibrary_t, const char *) { return gwrt::done(cudaErrorInvalidResourceHandle); }
