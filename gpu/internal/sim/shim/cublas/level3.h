// The rest of level 3: symmetric and triangular matrices, sums and scaled columns.
#pragma once

namespace gwblas {

template <class T> cublasStatus_t symm(const char *name, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, int m, int n, const T *alpha, const T *a, int lda, const T *b,
                                       int ldb, const T *beta, T *c, int ldc, bool hermitian) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || lda < std::max(1, side == CUBLAS_SIDE_LEFT ? m : n) || ldb < std::max(1, m) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const Shaped<E> s{symmetric(a, lda, half, hermitian)};
    const Plain<E> plain{ldb, CUBLAS_OP_N};
    const auto al = scalar(h, in(alpha)), be = scalar(h, in(beta));
    if (side == CUBLAS_SIDE_LEFT)
        return product(name, h, m, n, m, al, s, one(in(a)), plain, one(in(b)), be, one(in(c)), ldc, 1);
    return product(name, h, m, n, n, al, plain, one(in(b)), s, one(in(a)), be, one(in(c)), ldc, 1);
}
// trmm does not overwrite B: C may be B only if the caller says so, and then B is copied first.
template <class T> cublasStatus_t trmm(const char *name, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                                       const T *alpha, const T *a, int lda, const T *b, int ldb, T *c, int ldc) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || !isOp(op) || lda < std::max(1, side == CUBLAS_SIDE_LEFT ? m : n) || ldb < std::max(1, m) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const E *from = in(b);
    E *copied = nullptr;
    if (b == c && m > 0 && n > 0) {
        if (cudaMalloc(&copied, size_t(ldb) * n * sizeof(E)) != cudaSuccess)
            return CUBLAS_STATUS_ALLOC_FAILED;
        cudaMemcpy2D(copied, ldb * sizeof(E), b, ldb * sizeof(E), m * sizeof(E), n, cudaMemcpyDefault);
        from = copied;
    }
    const Shaped<E> s{triangle(a, lda, op, half, diagonal)};
    const Plain<E> plain{ldb, CUBLAS_OP_N};
    const auto al = scalar(h, in(alpha));
    const Scalar<E> none{E(0), nullptr};
    const cublasStatus_t e = side == CUBLAS_SIDE_LEFT ? product(name, h, m, n, m, al, s, one(in(a)), plain, one(from), none, one(in(c)), ldc, 1)
                                                      : product(name, h, m, n, n, al, plain, one(from), s, one(in(a)), none, one(in(c)), ldc, 1);
    if (copied != nullptr)
        cudaFree(copied);
    return e;
}
template <class T, class S> cublasStatus_t syrk(const char *name, cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, int n, int k, const S *alpha, const T *a, int lda,
                                                const S *beta, T *c, int ldc, bool hermitian) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n < 0 || k < 0 || !isOp(op) || lda < std::max(1, op == CUBLAS_OP_N ? n : k) || ldc < std::max(1, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    const auto widened = [h](const S *p) {
        const auto s = scalar(h, in(p));
        if constexpr (std::is_same_v<In<S>, E>)
            return s;
        else
            return Scalar<E>{E(s.get()), nullptr};
    };
    const Plain<E> left{lda, op == CUBLAS_OP_N ? CUBLAS_OP_N : other}, right{lda, op == CUBLAS_OP_N ? other : CUBLAS_OP_N};
    return product(name, h, n, n, k, widened(alpha), left, one(in(a)), right, one(in(a)), widened(beta), one(in(c)), ldc, 1, half);
}
// trsm solves op(A)·X = alpha·B, or X·op(A) = alpha·B, for some columns or rows of B in each block.
template <class T> cublasStatus_t trsm(const char *name, cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                                       const T *alpha, const Many<const In<T>> &as, int lda, const Many<In<T>> &bs, int ldb, int batch) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int size = left ? m : n, others = left ? n : m, blocks = int(gwlib::divideUp(others, 16));
    if (m < 0 || n < 0 || batch < 0 || !isOp(op) || lda < std::max(1, size) || ldb < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto al = scalar(h, in(alpha));
    const Matrix<E> shape = triangle(static_cast<const T *>(nullptr), lda, op, half, diagonal);
    // From the right it is the transposed problem.
    const bool forward = ((half == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N)) == left;
    const auto work = [=](size_t block) {
        struct Transposed {
            Matrix<E> m;
            bool unit, turn;
            E operator()(int i, int j) const { return turn ? m(j, i) : m(i, j); }
        } a = {shape, shape.unit, !left};
        a.m.p = as[block / blocks];
        E *const b = bs[block / blocks];
        const E factor = al.get();
        const int begin = int(block % blocks) * 16, end = std::min(others, begin + 16);
        for (int o = begin; o < end; o++) {
            const auto at = [=](int i) -> E & { return left ? b[i + o * (long long)ldb] : b[o + i * (long long)ldb]; };
            for (int i = 0; i < size; i++)
                at(i) = factor * at(i);
            solve<E>(size, a, forward, at);
        }
    };
    return size == 0 || others == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, size_t(blocks) * batch, work);
}
template <class T> cublasStatus_t geam(const char *name, cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const T *alpha, const T *a, int lda, const T *beta,
                                       const T *b, int ldb, T *c, int ldc) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || !isOp(opA) || !isOp(opB) || lda < std::max(1, opA == CUBLAS_OP_N ? m : n) || ldb < std::max(1, opB == CUBLAS_OP_N ? m : n) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto al = scalar(h, in(alpha)), be = scalar(h, in(beta));
    const Matrix<E> x = matrix(a, lda, opA), y = matrix(b, ldb, opB);
    E *const to = in(c);
    const auto column = [=](size_t j) {
        const E p = al.get(), q = be.get();
        for (int i = 0; i < m; i++) {
            const E u = p == E(0) ? E(0) : p * x(i, j), v = q == E(0) ? E(0) : q * y(i, j);
            to[i + j * ldc] = u + v;
        }
    };
    return m == 0 || n == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, n, column);
}
template <class T> cublasStatus_t dgmm(const char *name, cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, int incx, T *c, int ldc) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || lda < std::max(1, m) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool left = side == CUBLAS_SIDE_LEFT;
    const Vector<const E> v{in(x), left ? m : n, incx};
    const E *const from = in(a);
    E *const to = in(c);
    return m == 0 || n == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, n, [=](size_t j) {
        for (int i = 0; i < m; i++)
            to[i + j * ldc] = from[i + j * lda] * v[left ? i : int(j)];
    });
}

} // namespace gwblas

#define GW_LEVEL3(L, T)                                                                                                  \
    GW_BLAS cublas##L##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
                            int ldc) {                                                                                   \
        return gwblas::symm("cublas" #L "symm", h, side, half, m, n, alpha, a, lda, b, ldb, beta, c, ldc, false);        \
    }                                                                                                                    \
    GW_BLAS cublas##L##syrk(cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, int n, int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc) { \
        return gwblas::syrk("cublas" #L "syrk", h, half, op, n, k, alpha, a, lda, beta, c, ldc, false);                  \
    }                                                                                                                    \
    GW_BLAS cublas##L##trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t d, int m, int n, const T *alpha, const T *a, int lda, \
                            const T *b, int ldb, T *c, int ldc) {                                                        \
        return gwblas::trmm("cublas" #L "trmm", h, side, half, op, d, m, n, alpha, a, lda, b, ldb, c, ldc);              \
    }                                                                                                                    \
    GW_BLAS cublas##L##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t d, int m, int n, const T *alpha, const T *a, int lda, \
                            T *b, int ldb) {                                                                             \
        return gwblas::trsm("cublas" #L "trsm", h, side, half, op, d, m, n, alpha, gwblas::one(gwblas::in(a)), lda, gwblas::one(gwblas::in(b)), ldb, 1); \
    }                                                                                                                    \
    GW_BLAS cublas##L##trsmBatched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t d, int m, int n, const T *alpha, \
                                   const T *const a[], int lda, T *const b[], int ldb, int batch) {                      \
        return gwblas::trsm("cublas" #L "trsmBatched", h, side, half, op, d, m, n, alpha, gwblas::listed(reinterpret_cast<const gwblas::In<T> *const *>(a)), lda, \
                            gwblas::listed(reinterpret_cast<gwblas::In<T> *const *>(b)), ldb, batch);                    \
    }                                                                                                                    \
    GW_BLAS cublas##L##geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, \
                            int ldc) {                                                                                   \
        return gwblas::geam("cublas" #L "geam", h, opA, opB, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                 \
    }                                                                                                                    \
    GW_BLAS cublas##L##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, int incx, T *c, int ldc) { \
        return gwblas::dgmm("cublas" #L "dgmm", h, side, m, n, a, lda, x, incx, c, ldc);                                 \
    }
GW_LEVEL3(S, float)
GW_LEVEL3(D, double)
GW_LEVEL3(C, cuComplex)
GW_LEVEL3(Z, cuDoubleComplex)
#undef GW_LEVEL3
#define GW_HERMITIAN(L, T, R)                                                                                            \
    GW_BLAS cublas##L##hemm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t half, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
                            int ldc) {                                                                                   \
        return gwblas::symm("cublas" #L "hemm", h, side, half, m, n, alpha, a, lda, b, ldb, beta, c, ldc, true);         \
    }                                                                                                                    \
    GW_BLAS cublas##L##herk(cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, int n, int k, const R *alpha, const T *a, int lda, const R *beta, T *c, int ldc) { \
        return gwblas::syrk("cublas" #L "herk", h, half, op, n, k, alpha, a, lda, beta, c, ldc, true);                   \
    }
GW_HERMITIAN(C, cuComplex, float)
GW_HERMITIAN(Z, cuDoubleComplex, double)
#undef GW_HERMITIAN
