// The handle, statuses and types of cuBLAS, and what its routines compute with.
#pragma once

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
typedef cublasStatus_t cublasStatus;
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = CUBLAS_OP_C, CUBLAS_OP_CONJG = 3 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
// Algorithms are chosen by number; here there is one.
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99 };
typedef cudaDataType cublasDataType_t;

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
    char *results; // on the device, where reductions leave what host memory gets
};
typedef struct cublasContext *cublasHandle_t;

GW_RT const char *cublasGetStatusName(cublasStatus_t s) {
    switch (s) {
#define GW_CASE(name) case CUBLAS_STATUS_##name: return "CUBLAS_STATUS_" #name;
        GW_CASE(SUCCESS) GW_CASE(NOT_INITIALIZED) GW_CASE(ALLOC_FAILED) GW_CASE(INVALID_VALUE) GW_CASE(ARCH_MISMATCH) GW_CASE(MAPPING_ERROR)
        GW_CASE(EXECUTION_FAILED) GW_CASE(INTERNAL_ERROR) GW_CASE(NOT_SUPPORTED) GW_CASE(LICENSE_ERROR)
#undef GW_CASE
    }
    return "CUBLAS_STATUS_UNKNOWN";
}
GW_RT const char *cublasGetStatusString(cublasStatus_t s) {
    switch (s) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE: return "an invalid value was used as an argument";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "an absent device architectural feature is required";
    case CUBLAS_STATUS_MAPPING_ERROR: return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR: return "an error was detected when checking the current licensing";
    }
    return "unknown status";
}

GW_RT cublasStatus_t cublasCreate(cublasHandle_t *h) {
    *h = new cublasContext{};
    return cudaMallocManaged(&(*h)->results, 4096 + 64) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
GW_RT cublasStatus_t cublasDestroy(cublasHandle_t h) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaFree(h->results);
    delete h;
    return CUBLAS_STATUS_SUCCESS;
}
#define GW_SETTING(Name, Type, field)                                                                                    \
    GW_RT cublasStatus_t cublasSet##Name(cublasHandle_t h, Type v) {                                                     \
        return h == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : (h->field = v, CUBLAS_STATUS_SUCCESS);                     \
    }                                                                                                                    \
    GW_RT cublasStatus_t cublasGet##Name(cublasHandle_t h, Type *v) {                                                    \
        return h == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : (*v = h->field, CUBLAS_STATUS_SUCCESS);                    \
    }
GW_SETTING(Stream, cudaStream_t, stream)
GW_SETTING(PointerMode, cublasPointerMode_t, pointers)
GW_SETTING(MathMode, cublasMath_t, math)
GW_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef GW_SETTING
GW_RT cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *, size_t) { return h == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS; }
GW_RT cublasStatus_t cublasGetVersion(cublasHandle_t, int *v) { return *v = CUBLAS_VERSION, CUBLAS_STATUS_SUCCESS; }
GW_RT cublasStatus_t cublasGetProperty(libraryPropertyType type, int *v) {
    constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    return type < MAJOR_VERSION || type > PATCH_LEVEL ? CUBLAS_STATUS_INVALID_VALUE : (*v = parts[type], CUBLAS_STATUS_SUCCESS);
}

// ---- vectors and matrices of host memory ----

GW_RT cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMemcpy2D(to, size_t(ldb) * size, from, size_t(lda) * size, size_t(rows) * size, columns, cudaMemcpyDefault) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                                                                                     : CUBLAS_STATUS_MAPPING_ERROR;
}
GW_RT cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb) {
    return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
GW_RT cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy) {
    if (n < 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return incx == 1 && incy == 1 ? cublasSetMatrix(n, 1, size, x, n, y, n) : cublasSetMatrix(1, n, size, x, incx, y, incy);
}
GW_RT cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy) { return cublasSetVector(n, size, x, incx, y, incy); }
GW_RT cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *from, int lda, void *to, int ldb, cudaStream_t) {
    return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
GW_RT cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *from, int lda, void *to, int ldb, cudaStream_t) {
    return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
GW_RT cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t) { return cublasSetVector(n, size, x, incx, y, incy); }
GW_RT cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t) { return cublasSetVector(n, size, x, incx, y, incy); }

namespace gwblas {

// Complex has cuComplex's layout, and operators.
template <class R> struct Complex {
    R re, im;
    Complex() = default;
    Complex(R re, R im = 0) : re(re), im(im) {}
    friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
    friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend Complex operator/(Complex a, Complex b) {
        const R s = 1 / (std::abs(b.re) + std::abs(b.im)), x = b.re * s, y = b.im * s, d = s / (x * x + y * y);
        return {(a.re * x + a.im * y) * d, (a.im * x - a.re * y) * d};
    }
    friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
};
template <class T> struct Inner {
    typedef T Type;
};
template <> struct Inner<float2> {
    typedef Complex<float> Type;
};
template <> struct Inner<double2> {
    typedef Complex<double> Type;
};
template <class T> using In = typename Inner<T>::Type;
template <class T> const In<T> *in(const T *p) { return reinterpret_cast<const In<T> *>(p); }
template <class T> In<T> *in(T *p) { return reinterpret_cast<In<T> *>(p); }

template <class T> T conj(T x) { return x; }
template <class R> Complex<R> conj(Complex<R> x) { return {x.re, -x.im}; }
template <class T> double square(T x, double by) { return x / by * (x / by); }
template <class R> double square(Complex<R> x, double by) { return square(x.re, by) + square(x.im, by); }
template <class T> double size1(T x) { return std::abs(double(x)); }
template <class R> double size1(Complex<R> x) { return std::abs(double(x.re)) + std::abs(double(x.im)); }

// A Scalar is alpha or beta, which a handle's pointer mode puts into host or device memory.
template <class T> struct Scalar {
    T value;
    const T *at;
    T get() const { return at != nullptr ? *at : value; }
};
template <class T> Scalar<T> scalar(cublasHandle_t h, const T *p) {
    return h->pointers == CUBLAS_POINTER_MODE_DEVICE ? Scalar<T>{T(), p} : Scalar<T>{*p, nullptr};
}

// A Vector has n elements, of which the first is the last in memory if inc is negative.
template <class T> struct Vector {
    T *p;
    int n, inc;
    T &operator[](int i) const { return p[(inc < 0 ? (long long)(i + 1 - n) : i) * inc]; }
};

constexpr int chunk = 1 << 14; // elements that a block does

template <class Work> cublasStatus_t start(const char *name, cublasHandle_t h, size_t blocks, const Work &work) {
    return gwlib::launch(name, blocks, work, h->stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
// each calls f for ranges of n elements.
template <class F> struct Ranges {
    F f;
    int n;
    void operator()(size_t block) const { f(int(block) * chunk, std::min((long long)n, (long long)(block + 1) * chunk)); }
};
template <class F> cublasStatus_t each(const char *name, cublasHandle_t h, int n, const F &f) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return n <= 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, gwlib::divideUp(n, chunk), Ranges<F>{f, n});
}

} // namespace gwblas
