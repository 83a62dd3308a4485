// What cuFFT has for types by number; one device does the work.
#pragma once
#include "cufft.h"

GW_RT cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long *n, long long *inembed, long long istride, long long idist, cudaDataType in, long long *onembed,
                                      long long ostride, long long odist, cudaDataType out, long long batch, size_t *size, cudaDataType) {
    constexpr struct {
        cudaDataType in, out;
        cufftType type;
    } types[] = {
        {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R},
        {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z}, {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D},
    };
    for (const auto &t : types)
        if (t.in == in && t.out == out)
            return cufftMakePlanMany64(h, rank, n, inembed, istride, idist, onembed, ostride, odist, t.type, batch, size);
    gwlib::refuse("cufftXtMakePlanMany", "the simulator has transforms of float and double");
    return CUFFT_NOT_SUPPORTED;
}
GW_RT cufftResult cufftXtExec(cufftHandle h, void *in, void *out, int direction) {
    const gwfft::Plan *p = gwfft::planOf(h);
    if (p == nullptr)
        return CUFFT_INVALID_PLAN;
    const int sign = p->fromReal() ? CUFFT_FORWARD : p->toReal() ? CUFFT_INVERSE : direction;
    return p->isDouble() ? gwfft::execute<double>("cufftXtExec", h, {p->type}, in, out, sign) : gwfft::execute<float>("cufftXtExec", h, {p->type}, in, out, sign);
}

// Callbacks, which cuFFT calls for each element that it reads or writes.
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX,
    CUFFT_CB_LD_COMPLEX_DOUBLE,
    CUFFT_CB_LD_REAL,
    CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX,
    CUFFT_CB_ST_COMPLEX_DOUBLE,
    CUFFT_CB_ST_REAL,
    CUFFT_CB_ST_REAL_DOUBLE,
    CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *in, size_t offset, void *info, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *in, size_t offset, void *info, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t offset, cufftComplex element, void *info, void *shared);
typedef void (*cufftCallbackStoreZ)(void *out, size_t offset, cufftDoubleComplex element, void *info, void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t offset, cufftReal element, void *info, void *shared);
typedef void (*cufftCallbackStoreD)(void *out, size_t offset, cufftDoubleReal element, void *info, void *shared);

GW_RT cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **) {
    gwlib::refuse("cufftXtSetCallback", "the simulator has no callbacks: call the function in a kernel before or after the transform");
    return CUFFT_NOT_SUPPORTED;
}
GW_RT cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) { return CUFFT_SUCCESS; } // there is none
GW_RT cufftResult cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t) {
    gwlib::refuse("cufftXtSetCallbackSharedSize", "the simulator has no callbacks: call the function in a kernel before or after the transform");
    return CUFFT_NOT_SUPPORTED;
}
