// The routines of level 1 that are given types by number. Vectors of 16 bits are computed in float or more, and rounded once.
#pragma once

namespace gwblas {

inline cublasStatus_t refuseTypes(const char *name) {
    gwlib::refuse(name, "the simulator has float, double and complex with one type for all, and __half and __nv_bfloat16 with a scalar and an execution type of float");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

// byType calls f with a null pointer to the elements' type, if the other types are those that go with it.
template <class F> cublasStatus_t byType(const char *name, cudaDataType x, cudaDataType execution, std::initializer_list<cudaDataType> same, const F &f) {
    for (cudaDataType t : same)
        if (t != x)
            return refuseTypes(name);
    const bool small = x == CUDA_R_16F || x == CUDA_R_16BF;
    if (execution != (small ? CUDA_R_32F : x))
        return refuseTypes(name);
    switch (x) {
    case CUDA_R_16F: return f((__half *)0);
    case CUDA_R_16BF: return f((__nv_bfloat16 *)0);
    case CUDA_R_32F: return f((float *)0);
    case CUDA_R_64F: return f((double *)0);
    case CUDA_C_32F: return f((cuComplex *)0);
    case CUDA_C_64F: return f((cuDoubleComplex *)0);
    default: return refuseTypes(name);
    }
}
// realOf is the type of norms of elements of a type.
inline cudaDataType realOf(cudaDataType t) { return t == CUDA_C_32F ? CUDA_R_32F : t == CUDA_C_64F ? CUDA_R_64F : t; }
inline cudaDataType scalarOf(cudaDataType t) { return t == CUDA_R_16F || t == CUDA_R_16BF ? CUDA_R_32F : t; }

template <class T> constexpr bool isSmall = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

template <class T, class Part, class Finish> cublasStatus_t sumSmall(const char *name, cublasHandle_t h, int n, T *result, const Part &part, const Finish &finish) {
    const auto sum = [=](int begin, int end) {
        double s = 0;
        for (int i = begin; i < end; i++)
            s += part(i);
        return s;
    };
    return reduce(name, h, n, result, 0.0, sum, [](double a, double b) { return a + b; }, [=](double s) { return T(float(finish(s))); });
}

template <class T> T *as(void *p) { return static_cast<T *>(p); }

inline cublasStatus_t dotEx(const char *name, cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, const void *y, cudaDataType ty, int incy, void *result, cudaDataType tr,
                            cudaDataType execution, bool conjugate) {
    return byType(name, tx, execution, {ty, tr}, [&](auto *t) {
        typedef std::remove_pointer_t<decltype(t)> T;
        if constexpr (isSmall<T>) {
            const Vector<const T> a{as<T>(x), n, incx}, b{as<T>(y), n, incy};
            return sumSmall(name, h, n, as<T>(result), [=](int i) { return double(float(a[i])) * float(b[i]); }, [](double s) { return s; });
        } else {
            return dot(name, h, n, as<T>(x), incx, as<T>(y), incy, as<T>(result), conjugate);
        }
    });
}

} // namespace gwblas

GW_BLAS cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, const void *y, cudaDataType ty, int incy, void *result, cudaDataType tr, cudaDataType execution) {
    return gwblas::dotEx("cublasDotEx", h, n, x, tx, incx, y, ty, incy, result, tr, execution, false);
}
GW_BLAS cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, const void *y, cudaDataType ty, int incy, void *result, cudaDataType tr, cudaDataType execution) {
    return gwblas::dotEx("cublasDotcEx", h, n, x, tx, incx, y, ty, incy, result, tr, execution, true);
}
GW_BLAS cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, void *result, cudaDataType tr, cudaDataType execution) {
    using namespace gwblas;
    const bool complex = tx != realOf(tx);
    if (tr != realOf(tx) || (complex && execution != tr))
        return refuseTypes("cublasNrm2Ex");
    return byType("cublasNrm2Ex", tx, complex ? tx : execution, {}, [&](auto *t) {
        typedef std::remove_pointer_t<decltype(t)> T;
        if constexpr (isSmall<T>) {
            const Vector<const T> v{as<T>(x), n, incx};
            return sumSmall("cublasNrm2Ex", h, incx > 0 ? n : 0, as<T>(result), [=](int i) { return double(float(v[i])) * float(v[i]); }, [](double s) { return std::sqrt(s); });
        } else {
            typedef std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, cuComplex>, float, double> R;
            return nrm2("cublasNrm2Ex", h, n, as<T>(x), incx, as<R>(result));
        }
    });
}
GW_BLAS cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta, const void *x, cudaDataType tx, int incx, void *y, cudaDataType ty, int incy, cudaDataType execution) {
    using namespace gwblas;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (ta != scalarOf(tx))
        return refuseTypes("cublasAxpyEx");
    return byType("cublasAxpyEx", tx, execution, {ty}, [&](auto *t) {
        typedef std::remove_pointer_t<decltype(t)> T;
        if constexpr (isSmall<T>) {
            const auto a = scalar(h, as<float>(alpha));
            const Vector<const T> from{as<T>(x), n, incx};
            const Vector<T> to{as<T>(y), n, incy};
            return each("cublasAxpyEx", h, n, [=](int begin, int end) {
                const float factor = a.get();
                for (int i = begin; i < end; i++)
                    to[i] = T(fmaf(factor, float(from[i]), float(to[i])));
            });
        } else {
            return axpy("cublasAxpyEx", h, n, as<T>(alpha), as<T>(x), incx, as<T>(y), incy);
        }
    });
}
GW_BLAS cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta, void *x, cudaDataType tx, int incx, cudaDataType execution) {
    using namespace gwblas;
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (ta != scalarOf(tx))
        return refuseTypes("cublasScalEx");
    return byType("cublasScalEx", tx, execution, {}, [&](auto *t) {
        typedef std::remove_pointer_t<decltype(t)> T;
        if constexpr (isSmall<T>) {
            const auto a = scalar(h, as<float>(alpha));
            const Vector<T> v{as<T>(x), n, incx};
            return incx <= 0 ? CUBLAS_STATUS_SUCCESS : each("cublasScalEx", h, n, [=](int begin, int end) {
                const float factor = a.get();
                for (int i = begin; i < end; i++)
                    v[i] = T(factor * float(v[i]));
            });
        } else {
            return scal("cublasScalEx", h, n, as<T>(alpha), as<T>(x), incx);
        }
    });
}
