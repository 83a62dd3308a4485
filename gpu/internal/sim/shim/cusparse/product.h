// Descriptors of sparse and dense operands, and their products. Rows of the result go to blocks in groups; what has no rows in
// order, as a transposed matrix or one of coordinates, is summed by one block.
#pragma once

struct cusparseContext {
    cublasContext of; // its stream and pointer mode
};
typedef struct cusparseContext *cusparseHandle_t;
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseIndexBase_t base;
};
typedef struct cusparseMatDescr *cusparseMatDescr_t;
struct cusparseSpMatDescr {
    bool coordinates;
    int64_t rows, columns, stored;
    const void *offsets, *indices, *values; // offsets are rows of coordinates
    cusparseIndexType_t offsetType, indexType;
    cusparseIndexBase_t base;
    cudaDataType type;
};
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
// A vector is a matrix of one column.
struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
struct cusparseDnVecDescr {
    cusparseDnMatDescr of;
};
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;

namespace gwsparse {

template <class T, class Offset, class Index> struct Product {
    cusparseSpMatDescr a;
    cusparseOperation_t opA, opB;
    gwblas::Scalar<T> alpha, beta;
    cusparseDnMatDescr b, c;
    int64_t rows; // of the result in a block

    const Offset *offsets() const { return static_cast<const Offset *>(a.offsets); }
    int64_t column(int64_t k) const { return static_cast<const Index *>(a.indices)[k] - a.base; }
    T value(int64_t k) const { return static_cast<const T *>(a.values)[k]; }
    T &at(const cusparseDnMatDescr &m, int64_t i, int64_t j) const {
        return static_cast<T *>(m.values)[m.order == CUSPARSE_ORDER_ROW ? i * m.ld + j : i + j * m.ld];
    }
    T of(int64_t i, int64_t j) const {
        const T v = opB == CUSPARSE_OPERATION_NON_TRANSPOSE ? at(b, i, j) : at(b, j, i);
        return opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? gwblas::conj(v) : v;
    }
    static T start(T q, T v) { return q == T(0) ? T(0) : q * v; }

    void operator()(size_t block) const {
        const T p = alpha.get(), q = beta.get();
        const int64_t begin = int64_t(block) * rows, end = std::min(c.rows, begin + rows);
        if (a.coordinates || opA != CUSPARSE_OPERATION_NON_TRANSPOSE)
            return scattered(p, q);
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = 0; j < c.columns; j++) {
                T sum(0);
                for (int64_t k = offsets()[i] - a.base; k < int64_t(offsets()[i + 1]) - a.base; k++)
                    sum = sum + value(k) * of(column(k), j);
                T &to = at(c, i, j);
                to = p * sum + start(q, q == T(0) ? T(0) : to);
            }
    }
    void scattered(T p, T q) const {
        for (int64_t j = 0; j < c.columns; j++)
            for (int64_t i = 0; i < c.rows; i++)
                at(c, i, j) = q == T(0) ? T(0) : start(q, at(c, i, j));
        if (a.coordinates) {
            for (int64_t k = 0; k < a.stored; k++)
                add(p, offsets()[k] - a.base, k);
            return;
        }
        for (int64_t i = 0; i < a.rows; i++)
            for (int64_t k = offsets()[i] - a.base; k < int64_t(offsets()[i + 1]) - a.base; k++)
                add(p, i, k);
    }
    void add(T p, int64_t i, int64_t k) const {
        int64_t to = i, from = column(k);
        if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE)
            std::swap(to, from);
        const T v = p * (opA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? gwblas::conj(value(k)) : value(k));
        for (int64_t j = 0; j < c.columns; j++)
            at(c, to, j) = at(c, to, j) + v * of(from, j);
    }
};

template <class T, class Offset, class Index>
cusparseStatus_t run(const char *name, cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, const cusparseSpMatDescr &a, const cusparseDnMatDescr &b,
                     const void *beta, const cusparseDnMatDescr &c) {
    const int64_t perBlock = std::max<int64_t>(64, c.rows / 256);
    const Product<T, Offset, Index> work = {a, opA, opB, gwblas::scalar(&h->of, static_cast<const T *>(alpha)), gwblas::scalar(&h->of, static_cast<const T *>(beta)), b, c, perBlock};
    const size_t blocks = a.coordinates || opA != CUSPARSE_OPERATION_NON_TRANSPOSE ? 1 : gwlib::divideUp(c.rows, perBlock);
    return gwlib::launch(name, blocks, work, h->of.stream) == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
template <class T, class... A> cusparseStatus_t byIndex(const char *name, const cusparseSpMatDescr &a, const A &...more) {
    if (a.offsetType == CUSPARSE_INDEX_32I && a.indexType == CUSPARSE_INDEX_32I)
        return run<T, int, int>(name, more...);
    if (a.offsetType == CUSPARSE_INDEX_64I && a.indexType == CUSPARSE_INDEX_64I)
        return run<T, int64_t, int64_t>(name, more...);
    if (a.offsetType == CUSPARSE_INDEX_64I && a.indexType == CUSPARSE_INDEX_32I)
        return run<T, int64_t, int>(name, more...);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}
inline cusparseStatus_t multiply(const char *name, cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, const cusparseSpMatDescr *a,
                                 const cusparseDnMatDescr *b, const void *beta, const cusparseDnMatDescr *c, cudaDataType type) {
    if (h == nullptr)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (a == nullptr || b == nullptr || c == nullptr || alpha == nullptr || beta == nullptr)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const bool turned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, turnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (c->rows != (turned ? a->columns : a->rows) || (turnedB ? b->columns : b->rows) != (turned ? a->rows : a->columns) || c->columns != (turnedB ? b->rows : b->columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (a->type == type && b->type == type && c->type == type)
        switch (type) {
        case CUDA_R_32F: return byIndex<float>(name, *a, h, opA, opB, alpha, *a, *b, beta, *c);
        case CUDA_R_64F: return byIndex<double>(name, *a, h, opA, opB, alpha, *a, *b, beta, *c);
        case CUDA_C_32F: return byIndex<gwblas::Complex<float>>(name, *a, h, opA, opB, alpha, *a, *b, beta, *c);
        case CUDA_C_64F: return byIndex<gwblas::Complex<double>>(name, *a, h, opA, opB, alpha, *a, *b, beta, *c);
        default: break;
        }
    gwlib::refuse(name, "the simulator has products of float, double and complex, with one type for all operands");
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}

} // namespace gwsparse

#define GW_SPARSE template <class = void> inline cusparseStatus_t
GW_RT const char *cusparseGetErrorName(cusparseStatus_t s) {
    constexpr const char *names[] = {
        "CUSPARSE_STATUS_SUCCESS", "CUSPARSE_STATUS_NOT_INITIALIZED", "CUSPARSE_STATUS_ALLOC_FAILED", "CUSPARSE_STATUS_INVALID_VALUE",
        "CUSPARSE_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_MAPPING_ERROR", "CUSPARSE_STATUS_EXECUTION_FAILED", "CUSPARSE_STATUS_INTERNAL_ERROR",
        "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "CUSPARSE_STATUS_ZERO_PIVOT", "CUSPARSE_STATUS_NOT_SUPPORTED", "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
    };
    return s >= 0 && size_t(s) < std::size(names) ? names[s] : "unrecognized error code";
}
GW_RT const char *cusparseGetErrorString(cusparseStatus_t s) { return s == CUSPARSE_STATUS_SUCCESS ? "success" : cusparseGetErrorName(s); }
GW_RT cusparseStatus_t cusparseCreate(cusparseHandle_t *h) { return *h = new cusparseContext{}, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseDestroy(cusparseHandle_t h) { return h == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : (delete h, CUSPARSE_STATUS_SUCCESS); }
GW_RT cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t s) { return h == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : (h->of.stream = s, CUSPARSE_STATUS_SUCCESS); }
GW_RT cusparseStatus_t cusparseGetStream(cusparseHandle_t h, cudaStream_t *s) { return h == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : (*s = h->of.stream, CUSPARSE_STATUS_SUCCESS); }
GW_RT cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t m) {
    return h == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : (h->of.pointers = cublasPointerMode_t(m), CUSPARSE_STATUS_SUCCESS);
}
GW_RT cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *v) { return *v = CUSPARSE_VERSION, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *d) { return *d = new cusparseMatDescr{}, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t t) { return d->type = t, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t b) { return d->base = b, CUSPARSE_STATUS_SUCCESS; }

GW_RT cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t stored, void *offsets, void *indices, void *values,
                                         cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
    *m = nullptr;
    if (rows < 0 || columns < 0 || stored < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *m = new cusparseSpMatDescr{false, rows, columns, stored, offsets, indices, values, offsetType, indexType, base, type};
    return CUSPARSE_STATUS_SUCCESS;
}
GW_RT cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t stored, void *rowIndices, void *columnIndices, void *values,
                                         cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
    const cusparseStatus_t e = cusparseCreateCsr(m, rows, columns, stored, rowIndices, columnIndices, values, indexType, indexType, base, type);
    if (e == CUSPARSE_STATUS_SUCCESS)
        (*m)->coordinates = true;
    return e;
}
GW_RT cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t m) { return delete m, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *v, int64_t n, void *values, cudaDataType type) {
    return *v = new cusparseDnVecDescr{{n, 1, n, values, type, CUSPARSE_ORDER_COL}}, CUSPARSE_STATUS_SUCCESS;
}
GW_RT cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t v) { return delete v, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t v, void *values) { return v->of.values = values, CUSPARSE_STATUS_SUCCESS; }
GW_RT cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *m, int64_t rows, int64_t columns, int64_t ld, void *values, cudaDataType type, cusparseOrder_t order) {
    *m = nullptr;
    if (ld < (order == CUSPARSE_ORDER_ROW ? columns : rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return *m = new cusparseDnMatDescr{rows, columns, ld, values, type, order}, CUSPARSE_STATUS_SUCCESS;
}
GW_RT cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t m) { return delete m, CUSPARSE_STATUS_SUCCESS; }

// The products need no memory of the caller.
GW_SPARSE cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t,
                                  cudaDataType, cusparseSpMVAlg_t, size_t *size) {
    return *size = 8, CUSPARSE_STATUS_SUCCESS;
}
GW_SPARSE cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t,
                                  cudaDataType, cusparseSpMVAlg_t, void *) {
    return CUSPARSE_STATUS_SUCCESS;
}
GW_SPARSE cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                       cudaDataType type, cusparseSpMVAlg_t, void *buffer) {
    // cuSPARSE does not need its buffer for coordinates that are transposed.
    if (buffer == nullptr && a != nullptr && !(a->coordinates && op != CUSPARSE_OPERATION_NON_TRANSPOSE))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return gwsparse::multiply("cusparseSpMV", h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, &x->of, beta, &y->of, type);
}
GW_SPARSE cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
                                  cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *size) {
    return *size = 8, CUSPARSE_STATUS_SUCCESS;
}
GW_SPARSE cusparseSpMM(cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t, void *) {
    return gwsparse::multiply("cusparseSpMM", h, opA, opB, alpha, a, b, beta, c, type);
}
