// Matrix products: a block makes one tile of C. It copies panels of op(A) and op(B) to where its inner loop reads them in order.
#pragma once

namespace gwblas {

template <class T> struct Tile {
    static constexpr bool vectors = std::is_arithmetic_v<T>;
    static constexpr int mr = vectors ? 64 / sizeof(T) : 4, nr = vectors ? 6 : 4; // of the inner loop
    static constexpr int m = vectors ? 8 * mr : 32, n = vectors ? 16 * nr : 32, k = 512 / sizeof(T);
};

#ifdef __clang__
#define GW_FUSED
#else
#define GW_FUSED __attribute__((optimize("O3", "fp-contract=fast")))
#endif
// inner adds to c the product of mr rows and nr columns. Check mode has seen its operands where they were copied.
template <class T> GW_UNWATCHED GW_FUSED __attribute__((noinline)) void inner(int k, const T *a, const T *b, T *c, int ldc) {
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
    constexpr int mr = Tile<T>::mr, nr = Tile<T>::nr;
    if constexpr (Tile<T>::vectors) {
        typedef T V __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
        constexpr int width = 32 / sizeof(T);
        V sums[nr][2];
        for (int j = 0; j < nr; j++)
            for (int v = 0; v < 2; v++)
                sums[j][v] = *reinterpret_cast<const V *>(c + j * ldc + v * width);
        for (int p = 0; p < k; p++, a += mr, b += nr) {
            const V a0 = *reinterpret_cast<const V *>(a), a1 = *reinterpret_cast<const V *>(a + width);
#pragma GCC unroll 6
            for (int j = 0; j < nr; j++) {
                sums[j][0] += a0 * b[j];
                sums[j][1] += a1 * b[j];
            }
        }
        for (int j = 0; j < nr; j++)
            for (int v = 0; v < 2; v++)
                *reinterpret_cast<V *>(c + j * ldc + v * width) = sums[j][v];
    } else {
        for (int p = 0; p < k; p++, a += mr, b += nr)
            for (int j = 0; j < nr; j++)
                for (int i = 0; i < mr; i++)
                    c[j * ldc + i] = c[j * ldc + i] + a[i] * b[j];
    }
}
#undef GW_FUSED

template <class T, class E> T load(E x) { return T(x); }
template <> inline float load<float, __half>(__half x) { return __half2float(x); }
template <> inline float load<float, __nv_bfloat16>(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class E, class T> E store(T x) { return E(x); }
template <> inline __half store<__half, float>(float x) { return __float2half(x); }
template <> inline __nv_bfloat16 store<__nv_bfloat16, float>(float x) { return __float2bfloat16(x); }

// A Many is the matrices of a batch: so far apart, or each by its address.
template <class E> struct Many {
    E *p;
    E *const *each;
    long long stride;
    E *operator[](size_t i) const { return each != nullptr ? each[i] : p + (long long)i * stride; }
};
template <class E> Many<E> one(E *p) { return {p, nullptr, 0}; }

// A Product is what gemm is asked for: T is what it computes in, A and B give elements, and E is C's type.
template <class T, class A, class B, class E> struct Product {
    int m, n, k;
    Scalar<T> alpha, beta;
    A a;
    Many<const typename A::Element> as;
    B b;
    Many<const typename B::Element> bs;
    Many<E> cs;
    long long ldc;
    int half; // of C, or -1

    size_t tilesM() const { return gwlib::divideUp(m, Tile<T>::m); }
    size_t tilesN() const { return gwlib::divideUp(n, Tile<T>::n); }

    void operator()(size_t block) const {
        const size_t tm = tilesM(), tn = tilesN(), batch = block / (tm * tn), i0 = block % tm * Tile<T>::m, j0 = block / tm % tn * Tile<T>::n;
        if (half == CUBLAS_FILL_MODE_LOWER ? j0 >= i0 + Tile<T>::m : half == CUBLAS_FILL_MODE_UPPER && i0 >= j0 + Tile<T>::n)
            return;
        alignas(64) T sums[Tile<T>::n * Tile<T>::m];
        const int rows = std::min<long long>(Tile<T>::m, m - (long long)i0), columns = std::min<long long>(Tile<T>::n, n - (long long)j0);
        sum(batch, i0, j0, rows, columns, sums);
        E *const c = cs[batch];
        const T p = alpha.get(), q = beta.get();
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++) {
                if (half == CUBLAS_FILL_MODE_LOWER ? i0 + i < j0 + j : half == CUBLAS_FILL_MODE_UPPER && i0 + i > j0 + j)
                    continue;
                E &to = c[i0 + i + (j0 + j) * ldc];
                const T v = p * sums[j * Tile<T>::m + i];
                to = store<E>(q == T(0) ? v : v + q * load<T>(to));
            }
    }
    GW_UNWATCHED static void clear(T *at, int n) {
        for (int i = 0; i < n; i++)
            at[i] = T(0);
    }
    void sum(size_t batch, size_t i0, size_t j0, int rows, int columns, T *sums) const {
        alignas(64) T left[Tile<T>::k * Tile<T>::m], right[Tile<T>::k * Tile<T>::n];
        constexpr int mr = Tile<T>::mr, nr = Tile<T>::nr;
        const auto *const pa = as[batch];
        const auto *const pb = bs[batch];
        clear(sums, Tile<T>::n * Tile<T>::m);
        for (int k0 = 0; k0 < k; k0 += Tile<T>::k) {
            const int depth = std::min(Tile<T>::k, k - k0);
            for (int i = 0; i < rows; i += mr)
                panel(left + i * depth, mr, std::min(mr, rows - i), depth, [&](int r, int p) { return load<T>(a(pa, i0 + i + r, k0 + p)); });
            for (int j = 0; j < columns; j += nr)
                panel(right + j * depth, nr, std::min(nr, columns - j), depth, [&](int r, int p) { return load<T>(b(pb, k0 + p, j0 + j + r)); });
            for (int j = 0; j < columns; j += nr)
                for (int i = 0; i < rows; i += mr)
                    inner(depth, left + i * depth, right + j * depth, sums + j * Tile<T>::m + i, Tile<T>::m);
        }
    }
    // panel copies a strip of a matrix, whose missing lines are zeros.
    template <class At> static void panel(T *to, int width, int lines, int depth, const At &at) {
        if (lines < width)
            clear(to, width * depth);
        for (int p = 0; p < depth; p++)
            for (int r = 0; r < lines; r++)
                to[p * width + r] = at(r, p);
    }
};

// A Plain is op of a matrix, and a Shaped one a triangle or a symmetric matrix.
template <class E> struct Plain {
    typedef E Element;
    long long ld;
    cublasOperation_t op;
    E operator()(const E *p, long long i, long long j) const { return op == CUBLAS_OP_N ? p[i + j * ld] : op == CUBLAS_OP_T ? p[j + i * ld] : conj(p[j + i * ld]); }
};
template <class E> struct Shaped {
    typedef E Element;
    Matrix<E> m;
    E operator()(const E *, long long i, long long j) const { return m(i, j); }
};

template <class T, class A, class B, class E>
cublasStatus_t product(const char *name, cublasHandle_t h, int m, int n, int k, Scalar<T> alpha, const A &a, const Many<const typename A::Element> &as, const B &b,
                       const Many<const typename B::Element> &bs, Scalar<T> beta, const Many<E> &cs, int ldc, int batch, int half = -1) {
    const Product<T, A, B, E> work = {m, n, k, alpha, beta, a, as, b, bs, cs, ldc, half};
    return m == 0 || n == 0 || batch == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, work.tilesM() * work.tilesN() * batch, work);
}

template <class T, class EA, class EB, class E>
cublasStatus_t gemm(const char *name, cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const Many<const EA> &a, int lda,
                    const Many<const EB> &b, int ldb, const T *beta, const Many<E> &c, int ldc, int batch) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || k < 0 || batch < 0 || !isOp(opA) || !isOp(opB) || lda < std::max(1, opA == CUBLAS_OP_N ? m : k) ||
        ldb < std::max(1, opB == CUBLAS_OP_N ? k : n) || ldc < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    return product(name, h, m, n, k, scalar(h, alpha), Plain<EA>{lda, opA}, a, Plain<EB>{ldb, opB}, b, scalar(h, beta), c, ldc, batch);
}

template <class T> Many<T> strided(T *p, long long stride) { return {p, nullptr, stride}; }
template <class T> Many<T> listed(T *const *p) { return {nullptr, p, 0}; }

// byTypes calls gemm with the types that GemmEx is given by number. A scalar has the type that is computed in.
template <class Call> cublasStatus_t byTypes(const char *name, cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute, const Call &call) {
    const bool in16 = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC, in64 = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool inInt = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC, in32 = !in16 && !in64 && !inInt;
    if (a == b && in32) {
        if (a == CUDA_R_32F && c == CUDA_R_32F)
            return call((float *)0, (float *)0, (float *)0);
        if (a == CUDA_R_16F && c == CUDA_R_32F)
            return call((float *)0, (__half *)0, (float *)0);
        if (a == CUDA_R_16F && c == CUDA_R_16F)
            return call((float *)0, (__half *)0, (__half *)0);
        if (a == CUDA_R_16BF && c == CUDA_R_32F)
            return call((float *)0, (__nv_bfloat16 *)0, (float *)0);
        if (a == CUDA_R_16BF && c == CUDA_R_16BF)
            return call((float *)0, (__nv_bfloat16 *)0, (__nv_bfloat16 *)0);
        if (a == CUDA_R_8I && c == CUDA_R_32F)
            return call((float *)0, (signed char *)0, (float *)0);
        if (a == CUDA_C_32F && c == CUDA_C_32F)
            return call((Complex<float> *)0, (Complex<float> *)0, (Complex<float> *)0);
    }
    if (a == b && in64 && a == c && a == CUDA_R_64F)
        return call((double *)0, (double *)0, (double *)0);
    if (a == b && in64 && a == c && a == CUDA_C_64F)
        return call((Complex<double> *)0, (Complex<double> *)0, (Complex<double> *)0);
    if (a == b && inInt && a == CUDA_R_8I && c == CUDA_R_32I)
        return call((int *)0, (signed char *)0, (int *)0);
    if (a == b && in16 && a == CUDA_R_16F && c == CUDA_R_16F)
        return call((__half *)0, (__half *)0, (__half *)0);
    gwlib::refuse(name, "the simulator has no product of these types: it has float, double, complex, __half, __nv_bfloat16 and 8-bit integers with one type for A and B");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
template <class E> const E *as(const void *p) { return static_cast<const E *>(p); }

} // namespace gwblas

#define GW_GEMM(L, T)                                                                                                    \
    GW_BLAS cublas##L##gemm(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, \
                            T *c, int ldc) {                                                                             \
        using namespace gwblas;                                                                                          \
        return gemm("cublas" #L "gemm", h, opA, opB, m, n, k, in(alpha), one(in(a)), lda, one(in(b)), ldb, in(beta), one(in(c)), ldc, 1); \
    }                                                                                                                    \
    GW_BLAS cublas##L##gemmStridedBatched(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *a, int lda, long long strideA, \
                                          const T *b, int ldb, long long strideB, const T *beta, T *c, int ldc, long long strideC, int batch) { \
        using namespace gwblas;                                                                                          \
        return gemm("cublas" #L "gemmStridedBatched", h, opA, opB, m, n, k, in(alpha), strided(in(a), strideA), lda, strided(in(b), strideB), ldb, in(beta), strided(in(c), strideC), \
                    ldc, batch);                                                                                         \
    }                                                                                                                    \
    GW_BLAS cublas##L##gemmBatched(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[], \
                                   int ldb, const T *beta, T *const c[], int ldc, int batch) {                           \
        using namespace gwblas;                                                                                          \
        return gemm("cublas" #L "gemmBatched", h, opA, opB, m, n, k, in(alpha), listed(reinterpret_cast<const In<T> *const *>(a)), lda, \
                    listed(reinterpret_cast<const In<T> *const *>(b)), ldb, in(beta), listed(reinterpret_cast<In<T> *const *>(c)), ldc, batch); \
    }
GW_GEMM(S, float)
GW_GEMM(D, double)
GW_GEMM(C, cuComplex)
GW_GEMM(Z, cuDoubleComplex)
#undef GW_GEMM

GW_BLAS cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void *alpha, const void *a, cudaDataType ta, int lda,
                                   long long strideA, const void *b, cudaDataType tb, int ldb, long long strideB, const void *beta, void *c, cudaDataType tc, int ldc,
                                   long long strideC, int batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
    using namespace gwblas;
    return byTypes("cublasGemmEx", ta, tb, tc, compute, [&](auto *t, auto *e, auto *out) {
        typedef std::remove_pointer_t<decltype(t)> T;
        typedef std::remove_pointer_t<decltype(e)> E;
        typedef std::remove_pointer_t<decltype(out)> C;
        const auto call = [&](auto *al, auto *be) {
            return gemm("cublasGemmEx", h, opA, opB, m, n, k, al, strided(as<E>(a), strideA), lda, strided(as<E>(b), strideB), ldb, be, strided(static_cast<C *>(c), strideC), ldc,
                        batch);
        };
        if constexpr (std::is_same_v<T, __half>) { // computed in float, and rounded once
            if (h != nullptr && h->pointers == CUBLAS_POINTER_MODE_DEVICE)
                return CUBLAS_STATUS_NOT_SUPPORTED;
            const float al = __half2float(*as<__half>(alpha)), be = __half2float(*as<__half>(beta));
            return call(&al, &be);
        } else {
            return call(as<T>(alpha), as<T>(beta));
        }
    });
}
GW_BLAS cublasGemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void *alpha, const void *a, cudaDataType ta, int lda, const void *b,
                     cudaDataType tb, int ldb, const void *beta, void *c, cudaDataType tc, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(h, opA, opB, m, n, k, alpha, a, ta, lda, 0, b, tb, ldb, 0, beta, c, tc, ldc, 0, 1, compute, algorithm);
}
// The type that is computed in was once given as a data type.
GW_BLAS cublasGemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void *alpha, const void *a, cudaDataType ta, int lda, const void *b,
                     cudaDataType tb, int ldb, const void *beta, void *c, cudaDataType tc, int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm) {
    const cublasComputeType_t t = compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F : compute == CUDA_R_64F || compute == CUDA_C_64F ? CUBLAS_COMPUTE_64F : compute == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                                                                                                                               : CUBLAS_COMPUTE_32F;
    return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, t, algorithm);
}
GW_BLAS cublasSgemmEx(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const float *alpha, const void *a, cudaDataType ta, int lda, const void *b,
                      cudaDataType tb, int ldb, const float *beta, void *c, cudaDataType tc, int ldc) {
    return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
GW_BLAS cublasHgemm(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                    const __half *beta, __half *c, int ldc) {
    return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
