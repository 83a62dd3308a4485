// Level 2: a matrix and a vector. Rows of the result are independent, and go to blocks in groups.
#pragma once

namespace gwblas {

// A Matrix is op(A), as its element i, j. Of a triangle or a symmetric matrix one half is stored.
template <class E> struct Matrix {
    enum Shape { full, upper, lower, symmetricUpper, symmetricLower };
    const E *p;
    long long ld;
    cublasOperation_t op;
    Shape shape;
    bool unit, hermitian;

    E operator()(long long i, long long j) const {
        if (op != CUBLAS_OP_N)
            std::swap(i, j);
        bool mirrored = false;
        if (shape != full) {
            const bool stored = shape == upper || shape == symmetricUpper ? i <= j : i >= j;
            if (i == j && unit)
                return E(1);
            if (!stored && (shape == upper || shape == lower))
                return E(0);
            if (!stored)
                std::swap(i, j), mirrored = true;
        }
        const E v = p[i + j * ld];
        return (op == CUBLAS_OP_C) != (mirrored && hermitian) ? conj(v) : v;
    }
};
template <class T> Matrix<In<T>> matrix(const T *p, int ld, cublasOperation_t op) { return {in(p), ld, op, Matrix<In<T>>::full, false, false}; }
template <class T> Matrix<In<T>> triangle(const T *p, int ld, cublasOperation_t op, cublasFillMode_t half, cublasDiagType_t diagonal) {
    return {in(p), ld, op, half == CUBLAS_FILL_MODE_UPPER ? Matrix<In<T>>::upper : Matrix<In<T>>::lower, diagonal == CUBLAS_DIAG_UNIT, false};
}
template <class T> Matrix<In<T>> symmetric(const T *p, int ld, cublasFillMode_t half, bool hermitian) {
    return {in(p), ld, CUBLAS_OP_N, half == CUBLAS_FILL_MODE_UPPER ? Matrix<In<T>>::symmetricUpper : Matrix<In<T>>::symmetricLower, false, hermitian};
}
inline bool isOp(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

constexpr int rowsOfBlock = 64;

// multiply sets y to alpha·A·x + beta·y for A of m rows and k columns.
template <class T, class A> cublasStatus_t multiply(const char *name, cublasHandle_t h, int m, int k, const T *alpha, const A &a, const T *x, int incx,
                                                    const T *beta, T *y, int incy) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (incx == 0 || incy == 0 || m < 0 || k < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto al = scalar(h, in(alpha)), be = scalar(h, in(beta));
    const Vector<const E> from{in(x), k, incx};
    const Vector<E> to{in(y), m, incy};
    const auto work = [=](size_t block) {
        E sums[rowsOfBlock];
        const int begin = int(block) * rowsOfBlock, rows = std::min(rowsOfBlock, m - begin);
        for (int i = 0; i < rows; i++)
            sums[i] = E(0);
        for (int j = 0; j < k; j++) {
            const E v = from[j];
            for (int i = 0; i < rows; i++)
                sums[i] = sums[i] + a(begin + i, j) * v;
        }
        const E p = al.get(), q = be.get();
        for (int i = 0; i < rows; i++)
            to[begin + i] = q == E(0) ? p * sums[i] : p * sums[i] + q * to[begin + i];
    };
    return m == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, gwlib::divideUp(m, rowsOfBlock), work);
}
template <class T> cublasStatus_t gemv(const char *name, cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, const T *x,
                                       int incx, const T *beta, T *y, int incy) {
    if (!isOp(op) || lda < std::max(1, m) || m < 0 || n < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return multiply(name, h, op == CUBLAS_OP_N ? m : n, op == CUBLAS_OP_N ? n : m, alpha, matrix(a, lda, op), x, incx, beta, y, incy);
}
// ger adds alpha·x·yᵀ to A, or to one half of it.
template <class T, class S> cublasStatus_t ger(const char *name, cublasHandle_t h, int m, int n, const S *alpha, const T *x, int incx, const T *y, int incy, T *a,
                                               int lda, bool conjugate, int half = -1) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (incx == 0 || incy == 0 || m < 0 || n < 0 || lda < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto al = scalar(h, in(alpha));
    const Vector<const E> u{in(x), m, incx}, v{in(y), n, incy};
    E *const to = in(a);
    const auto column = [=](size_t j) {
        const E factor = E(al.get()) * (conjugate ? conj(v[int(j)]) : v[int(j)]);
        const int begin = half == CUBLAS_FILL_MODE_LOWER ? int(j) : 0, end = half == CUBLAS_FILL_MODE_UPPER ? int(j) + 1 : m;
        for (int i = begin; i < end; i++)
            to[i + j * lda] = to[i + j * lda] + u[i] * factor;
    };
    return m == 0 || n == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, n, column);
}
// solve overwrites x with the solution of op(A)·x = b, whose columns are x's.
template <class E, class A, class At> void solve(int n, const A &a, bool forward, const At &x) {
    for (int step = 0; step < n; step++) {
        const int k = forward ? step : n - 1 - step;
        const E v = a.unit ? x(k) : x(k) / a(k, k);
        x(k) = v;
        for (int i = forward ? k + 1 : 0; i < (forward ? n : k); i++)
            x(i) = x(i) - a(i, k) * v;
    }
}
template <class T> cublasStatus_t trsv(const char *name, cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a,
                                       int lda, T *x, int incx) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!isOp(op) || incx == 0 || n < 0 || lda < std::max(1, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto m = triangle(a, lda, op, half, diagonal);
    const Vector<E> v{in(x), n, incx};
    const bool forward = (half == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
    return start(name, h, n > 0, [=](size_t) { solve<E>(n, m, forward, [=](int i) -> E & { return v[i]; }); });
}
template <class T> cublasStatus_t trmv(const char *name, cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T *a,
                                       int lda, T *x, int incx) {
    typedef In<T> E;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!isOp(op) || incx == 0 || n < 0 || lda < std::max(1, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto m = triangle(a, lda, op, half, diagonal);
    const Vector<E> v{in(x), n, incx};
    const bool upper = (half == CUBLAS_FILL_MODE_UPPER) == (op == CUBLAS_OP_N);
    // In this order an element is not needed any more when it is written.
    const auto work = [=](size_t) {
        for (int step = 0; step < n; step++) {
            const int i = upper ? step : n - 1 - step;
            E sum(0);
            for (int j = upper ? i : 0; j < (upper ? n : i + 1); j++)
                sum = sum + m(i, j) * v[j];
            v[i] = sum;
        }
    };
    return start(name, h, n > 0, work);
}

} // namespace gwblas

#define GW_LEVEL2(L, T, sy)                                                                                              \
    GW_BLAS cublas##L##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) { \
        return gwblas::gemv("cublas" #L "gemv", h, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                     \
    }                                                                                                                    \
    GW_BLAS cublas##L##sy##mv(cublasHandle_t h, cublasFillMode_t half, int n, const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) { \
        if (lda < std::max(1, n))                                                                                        \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                          \
        return gwblas::multiply("cublas" #L #sy "mv", h, n, n, alpha, gwblas::symmetric(a, lda, half, #sy[0] == 'h'), x, incx, beta, y, incy); \
    }                                                                                                                    \
    GW_BLAS cublas##L##trsv(cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t d, int n, const T *a, int lda, T *x, int incx) { \
        return gwblas::trsv("cublas" #L "trsv", h, half, op, d, n, a, lda, x, incx);                                     \
    }                                                                                                                    \
    GW_BLAS cublas##L##trmv(cublasHandle_t h, cublasFillMode_t half, cublasOperation_t op, cublasDiagType_t d, int n, const T *a, int lda, T *x, int incx) { \
        return gwblas::trmv("cublas" #L "trmv", h, half, op, d, n, a, lda, x, incx);                                     \
    }
GW_LEVEL2(S, float, sy)
GW_LEVEL2(D, double, sy)
GW_LEVEL2(C, cuComplex, he)
GW_LEVEL2(Z, cuDoubleComplex, he)
#undef GW_LEVEL2
#define GW_GER(name, T, conjugate)                                                                                       \
    GW_BLAS name(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) { \
        return gwblas::ger(#name, h, m, n, alpha, x, incx, y, incy, a, lda, conjugate);                                  \
    }
GW_GER(cublasSger, float, false)
GW_GER(cublasDger, double, false)
GW_GER(cublasCgeru, cuComplex, false)
GW_GER(cublasCgerc, cuComplex, true)
GW_GER(cublasZgeru, cuDoubleComplex, false)
GW_GER(cublasZgerc, cuDoubleComplex, true)
#undef GW_GER
#define GW_SYR(name, T, S, conjugate)                                                                                    \
    GW_BLAS name(cublasHandle_t h, cublasFillMode_t half, int n, const S *alpha, const T *x, int incx, T *a, int lda) {  \
        return gwblas::ger(#name, h, n, n, alpha, x, incx, x, incx, a, lda, conjugate, half);                            \
    }
GW_SYR(cublasSsyr, float, float, false)
GW_SYR(cublasDsyr, double, double, false)
GW_SYR(cublasCher, cuComplex, float, true)
GW_SYR(cublasZher, cuDoubleComplex, double, true)
#undef GW_SYR
