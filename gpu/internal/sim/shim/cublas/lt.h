// cuBLASLt: products of matrices that descriptors describe, with what follows a product in neural networks. Matrices are
// column-major.
#pragma once

typedef struct cublasLtContext *cublasLtHandle_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_TRANSC = 5,
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW } cublasLtOrder_t;
typedef enum { CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE } cublasLtPointerMode_t;
typedef enum { CUBLASLT_MATMUL_PREF_SEARCH_MODE, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES } cublasLtMatmulPreferenceAttributes_t;

struct cublasLtMatmulDescOpaque_t {
    cublasComputeType_t compute;
    cudaDataType scale;
    cublasLtPointerMode_t pointers;
    cublasOperation_t a, b;
    cublasLtEpilogue_t epilogue;
    const void *bias;
    void *aux;
    int64_t auxLD;
    cudaDataType biasType;
    bool biasTyped;
};
struct cublasLtMatrixLayoutOpaque_t {
    cudaDataType type;
    uint64_t rows, cols;
    int64_t ld;
    int32_t batch;
    int64_t stride;
    cublasLtOrder_t order;
};
struct cublasLtMatmulPreferenceOpaque_t {
    size_t workspace;
};
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
    uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
};

GW_BLAS cublasLtCreate(cublasLtHandle_t *h) { return cublasCreate(reinterpret_cast<cublasHandle_t *>(h)); }
GW_BLAS cublasLtDestroy(cublasLtHandle_t h) { return cublasDestroy(reinterpret_cast<cublasHandle_t>(h)); }
GW_BLAS cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute, cudaDataType scale) {
    *d = new cublasLtMatmulDescOpaque_t{compute, scale, CUBLASLT_POINTER_MODE_HOST, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, nullptr, nullptr, 0, CUDA_R_32F, false};
    return CUBLAS_STATUS_SUCCESS;
}
GW_BLAS cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return delete d, CUBLAS_STATUS_SUCCESS; }
GW_BLAS cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
    *l = new cublasLtMatrixLayoutOpaque_t{type, rows, cols, ld, 1, 0, CUBLASLT_ORDER_COL};
    return CUBLAS_STATUS_SUCCESS;
}
GW_BLAS cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return delete l, CUBLAS_STATUS_SUCCESS; }
GW_BLAS cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p) { return *p = new cublasLtMatmulPreferenceOpaque_t{}, CUBLAS_STATUS_SUCCESS; }
GW_BLAS cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return delete p, CUBLAS_STATUS_SUCCESS; }
GW_BLAS cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void *, size_t) { return CUBLAS_STATUS_SUCCESS; }

namespace gwblas {

template <class T> cublasStatus_t setField(T &field, const void *value, size_t n) {
    if (value == nullptr || n != sizeof(T))
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&field, value, n);
    return CUBLAS_STATUS_SUCCESS;
}

// After is what follows a product: the bias of each row, and a function.
template <class C, class B> struct After {
    cublasLtEpilogue_t what;
    size_t rows, cols, ld, stride, auxLD;
    C *to;
    const B *bias;
    C *aux;
    void operator()(size_t column) const {
        C *at = to + column / cols * stride + column % cols * ld;
        for (size_t i = 0; i < rows; i++) {
            float v = float(at[i]);
            if (what & CUBLASLT_EPILOGUE_BIAS)
                v += float(bias[i]);
            if (what & 128)
                aux[column * auxLD + i] = C(v);
            if (what & CUBLASLT_EPILOGUE_RELU)
                v = v > 0 ? v : 0;
            if (what & CUBLASLT_EPILOGUE_GELU)
                v = 0.5f * v * (1 + tanhf(0.797884561f * (v + 0.044715f * v * v * v)));
            at[i] = C(v);
        }
    }
};

template <class C, class B> cublasStatus_t after(cublasLtMatmulDesc_t d, void *to, cublasLtMatrixLayout_t l, cudaStream_t stream) {
    const After<C, B> work = {d->epilogue, l->rows, l->cols, size_t(l->ld), size_t(l->stride), size_t(d->auxLD), static_cast<C *>(to), static_cast<const B *>(d->bias), static_cast<C *>(d->aux)};
    return gwlib::launch("cublasLtMatmul", l->cols * l->batch, work, stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
template <class C> cublasStatus_t afterByBias(cublasLtMatmulDesc_t d, void *to, cublasLtMatrixLayout_t l, cudaStream_t stream) {
    if (d->biasTyped && d->biasType == CUDA_R_32F)
        return after<C, float>(d, to, l, stream);
    return after<C, C>(d, to, l, stream);
}

// supported reports whether the simulator has a product.
inline bool supported(cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out) {
    const int known = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_GELU_AUX_BIAS | CUBLASLT_EPILOGUE_RELU;
    const bool simple = d->epilogue == CUBLASLT_EPILOGUE_DEFAULT || out->type == CUDA_R_32F || out->type == CUDA_R_16F || out->type == CUDA_R_16BF;
    return (d->epilogue & ~known) == 0 && d->epilogue != CUBLASLT_EPILOGUE_DGELU && simple && c->order == CUBLASLT_ORDER_COL && out->order == CUBLASLT_ORDER_COL;
}

} // namespace gwblas

GW_BLAS cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, const void *value, size_t n) {
    using gwblas::setField;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return setField(d->compute, value, n);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return setField(d->scale, value, n);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return setField(d->pointers, value, n);
    case CUBLASLT_MATMUL_DESC_TRANSA: return setField(d->a, value, n);
    case CUBLASLT_MATMUL_DESC_TRANSB: return setField(d->b, value, n);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return setField(d->epilogue, value, n);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return setField(d->bias, value, n);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return setField(d->aux, value, n);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return setField(d->auxLD, value, n);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return d->biasTyped = true, setField(d->biasType, value, n);
    default: return gwlib::refuse("cublasLtMatmulDescSetAttribute", "the simulator does not have this attribute"), CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
GW_BLAS cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute, const void *value, size_t n) {
    using gwblas::setField;
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return setField(l->type, value, n);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return setField(l->order, value, n);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return setField(l->rows, value, n);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return setField(l->cols, value, n);
    case CUBLASLT_MATRIX_LAYOUT_LD: return setField(l->ld, value, n);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return setField(l->batch, value, n);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return setField(l->stride, value, n);
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}
GW_BLAS cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out,
                                       cublasLtMatmulPreference_t, int wanted, cublasLtMatmulHeuristicResult_t *results, int *found) {
    *found = 0;
    if (wanted < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gwblas::supported(d, c, out))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *results = {};
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}
GW_BLAS cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a, cublasLtMatrixLayout_t la, const void *b, cublasLtMatrixLayout_t lb, const void *beta,
                       const void *c, cublasLtMatrixLayout_t lc, void *out, cublasLtMatrixLayout_t lout, const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
    if (h == nullptr || d == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!gwblas::supported(d, lc, lout) || la->order != CUBLASLT_ORDER_COL || lb->order != CUBLASLT_ORDER_COL) {
        gwlib::refuse("cublasLtMatmul", "the simulator has column-major matrices, and bias, ReLU and GELU after the product");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (c != out && lc->type == lout->type) { // the product is added to what stands in its place
        const size_t size = lout->type == CUDA_R_64F ? 8 : lout->type == CUDA_R_16F || lout->type == CUDA_R_16BF ? 2 : 4;
        for (int32_t i = 0; i < lout->batch && c != nullptr; i++)
            cudaMemcpy2DAsync(static_cast<char *>(out) + i * lout->stride * size, lout->ld * size, static_cast<const char *>(c) + i * lc->stride * size, lc->ld * size, lout->rows * size, lout->cols,
                              cudaMemcpyDefault, stream);
    }
    cublasContext own = {};
    own.stream = stream;
    own.pointers = d->pointers == CUBLASLT_POINTER_MODE_DEVICE ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;
    const int k = d->a == CUBLAS_OP_N ? la->cols : la->rows;
    cublasStatus_t e = cublasGemmStridedBatchedEx(&own, d->a, d->b, lout->rows, lout->cols, k, alpha, a, la->type, la->ld, la->stride, b, lb->type, lb->ld, lb->stride, beta, out, lout->type, lout->ld,
                                                  lout->stride, lout->batch, d->compute, CUBLAS_GEMM_DEFAULT);
    if (e != CUBLAS_STATUS_SUCCESS || d->epilogue == CUBLASLT_EPILOGUE_DEFAULT)
        return e;
    switch (lout->type) {
    case CUDA_R_16F: return gwblas::afterByBias<__half>(d, out, lout, stream);
    case CUDA_R_16BF: return gwblas::afterByBias<__nv_bfloat16>(d, out, lout, stream);
    default: return gwblas::afterByBias<float>(d, out, lout, stream);
    }
}
