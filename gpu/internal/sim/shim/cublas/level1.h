// Level 1: vectors. Reductions add in double precision, chunk by chunk, so that the number of processors changes nothing.
//
// The routines are templates, so that a program compiles those that it calls.
#pragma once

namespace gwblas {

template <class T> cublasStatus_t axpy(const char *name, cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const auto a = scalar(h, in(alpha));
    const Vector<const In<T>> from{in(x), n, incx};
    const Vector<In<T>> to{in(y), n, incy};
    return each(name, h, n, [=](int begin, int end) {
        const In<T> factor = a.get();
        for (int i = begin; i < end; i++)
            to[i] = factor * from[i] + to[i];
    });
}
template <class T, class S> cublasStatus_t scal(const char *name, cublasHandle_t h, int n, const S *alpha, T *x, int incx) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const auto a = scalar(h, in(alpha));
    const Vector<In<T>> v{in(x), n, incx};
    return incx <= 0 ? CUBLAS_STATUS_SUCCESS : each(name, h, n, [=](int begin, int end) {
        const In<T> factor = In<T>(a.get());
        for (int i = begin; i < end; i++)
            v[i] = factor * v[i];
    });
}
template <class T> cublasStatus_t copy(const char *name, cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {
    const Vector<const In<T>> from{in(x), n, incx};
    const Vector<In<T>> to{in(y), n, incy};
    return each(name, h, n, [=](int begin, int end) {
        for (int i = begin; i < end; i++)
            to[i] = from[i];
    });
}
template <class T> cublasStatus_t swap(const char *name, cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {
    const Vector<In<T>> a{in(x), n, incx}, b{in(y), n, incy};
    return each(name, h, n, [=](int begin, int end) {
        for (int i = begin; i < end; i++) {
            const In<T> t = a[i];
            a[i] = b[i], b[i] = t;
        }
    });
}
template <class T> cublasStatus_t rot(const char *name, cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *c, const T *s) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const auto cosine = scalar(h, c), sine = scalar(h, s);
    const Vector<T> a{x, n, incx}, b{y, n, incy};
    return each(name, h, n, [=](int begin, int end) {
        const T cs = cosine.get(), sn = sine.get();
        for (int i = begin; i < end; i++) {
            const T u = a[i], v = b[i];
            a[i] = cs * u + sn * v, b[i] = cs * v - sn * u;
        }
    });
}

// A Modified is the parameter of rotm: a flag that tells which elements of the matrix are stored, and the matrix by columns.
template <class T> struct Modified {
    T flag, h11, h21, h12, h22;
    // whole returns it with those elements that the flag implies.
    Modified whole() const {
        if (flag == -1)
            return *this;
        if (flag == 0)
            return {flag, T(1), h21, h12, T(1)};
        return flag == 1 ? Modified{flag, h11, T(-1), T(1), h22} : Modified{flag, T(1), T(0), T(0), T(1)};
    }
};
template <class T> cublasStatus_t rotm(const char *name, cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *param) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const auto stored = scalar(h, reinterpret_cast<const Modified<T> *>(param));
    const Vector<T> a{x, n, incx}, b{y, n, incy};
    return each(name, h, n, [=](int begin, int end) {
        const Modified<T> m = stored.get().whole();
        for (int i = begin; i < end; i++) {
            const T u = a[i], v = b[i];
            a[i] = m.h11 * u + m.h12 * v, b[i] = m.h21 * u + m.h22 * v;
        }
    });
}

// where runs work on the device in device pointer mode, as its operands are there then, and at once otherwise.
template <class Work> cublasStatus_t where(const char *name, cublasHandle_t h, const Work &work) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (h->pointers == CUBLAS_POINTER_MODE_DEVICE)
        return start(name, h, 1, [=](size_t) { work(); });
    work();
    return CUBLAS_STATUS_SUCCESS;
}
template <class T> cublasStatus_t rotg(const char *name, cublasHandle_t h, T *a, T *b, T *c, T *s) {
    return where(name, h, [=] {
        const bool first = std::abs(*a) > std::abs(*b);
        const T length = std::copysign(std::hypot(*a, *b), first ? *a : *b);
        *c = length == 0 ? T(1) : *a / length;
        *s = length == 0 ? T(0) : *b / length;
        *b = length == 0 ? T(0) : first ? *s : *c != 0 ? 1 / *c : T(1); // from which both can be had again
        *a = length;
    });
}
template <class T> cublasStatus_t rotmg(const char *name, cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1, T *param) {
    return where(name, h, [=] {
        Modified<T> m = {};
        const T p1 = *d1 * *x1, p2 = *d2 * *y1, q1 = p1 * *x1, q2 = p2 * *y1;
        if (*d1 >= 0 && p2 == 0) {
            param[0] = T(-2);
            return;
        }
        bool possible = *d1 >= 0;
        if (possible && std::abs(q1) > std::abs(q2)) {
            m.h21 = -*y1 / *x1, m.h12 = p2 / p1;
            const T u = 1 - m.h12 * m.h21;
            possible = u > 0;
            *d1 /= u, *d2 /= u, *x1 *= u;
        } else if (possible) {
            m = {T(1), p1 / p2, T(0), T(0), *x1 / *y1};
            const T u = 1 + m.h11 * m.h22;
            possible = q2 >= 0;
            std::swap(*d1, *d2);
            *d1 /= u, *d2 /= u, *x1 = *y1 * u;
        }
        if (!possible) {
            *d1 = *d2 = *x1 = 0;
            m = {T(-1), T(0), T(0), T(0), T(0)};
        }
        // The weights stay in a range: a row of the matrix is multiplied by what is taken from its weight's root.
        constexpr T step = 4096;
        const auto scale = [&](T &d, T &left, T &right, T *x) {
            while (d != 0 && (std::abs(d) <= 1 / (step * step) || std::abs(d) >= step * step)) {
                m = m.whole();
                m.flag = T(-1);
                const T by = std::abs(d) >= 1 ? step : 1 / step;
                d /= by * by, left *= by, right *= by;
                if (x != nullptr)
                    *x *= by;
            }
        };
        scale(*d1, m.h11, m.h12, x1);
        scale(*d2, m.h21, m.h22, nullptr);
        param[0] = m.flag;
        if (m.flag != 0)
            param[1] = m.h11, param[4] = m.h22;
        if (m.flag != 1)
            param[2] = m.h21, param[3] = m.h12;
    });
}

// reduce makes one value of a chunk by part, and of two values by join. The result is finish of that.
template <class Sum, class Out, class Part, class Join, class Finish>
cublasStatus_t reduce(const char *name, cublasHandle_t h, int n, Out *result, Sum zero, const Part &part, const Join &join, const Finish &finish) {
    if (h == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    constexpr int most = 4096 / sizeof(Sum);
    const int parts = n <= 0 ? 0 : int(std::min<size_t>(most, gwlib::divideUp(n, chunk)));
    Sum *sums = reinterpret_cast<Sum *>(h->results);
    const auto sumUp = [=](size_t block) {
        const long long begin = (long long)n * block / parts, end = (long long)n * (block + 1) / parts;
        sums[block] = part(int(begin), int(end));
    };
    if (cublasStatus_t e = parts == 0 ? CUBLAS_STATUS_SUCCESS : start(name, h, parts, sumUp))
        return e;
    const bool toHost = h->pointers == CUBLAS_POINTER_MODE_HOST;
    Out *out = toHost ? reinterpret_cast<Out *>(h->results + 4096) : result;
    const auto total = [=](size_t) {
        Sum sum = zero;
        for (int i = 0; i < parts; i++)
            sum = join(sum, sums[i]);
        *out = finish(sum);
    };
    if (cublasStatus_t e = start(name, h, 1, total))
        return e;
    return !toHost || cudaMemcpy(result, out, sizeof *out, cudaMemcpyDefault) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
template <class T> struct Wide {
    typedef double Type;
};
template <class R> struct Wide<Complex<R>> {
    typedef Complex<double> Type;
};
inline double widen(double x) { return x; }
template <class R> Complex<double> widen(Complex<R> x) { return {x.re, x.im}; }
template <class T> T narrow(double x) { return T(x); }
template <class T> T narrow(Complex<double> x) { return {decltype(T::re)(x.re), decltype(T::re)(x.im)}; }

template <class T> cublasStatus_t dot(const char *name, cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result, bool conjugate) {
    typedef typename Wide<In<T>>::Type Sum;
    const Vector<const In<T>> a{in(x), n, incx}, b{in(y), n, incy};
    const auto part = [=](int begin, int end) {
        Sum sum(0);
        for (int i = begin; i < end; i++)
            sum = sum + widen(conjugate ? conj(a[i]) : a[i]) * widen(b[i]);
        return sum;
    };
    return reduce(name, h, n, in(result), Sum(0), part, [](Sum s, Sum t) { return s + t; }, [](Sum s) { return narrow<In<T>>(s); });
}
template <class T, class R> cublasStatus_t nrm2(const char *name, cublasHandle_t h, int n, const T *x, int incx, R *result) {
    const Vector<const In<T>> v{in(x), n, incx};
    // A norm's squares may overflow though it does not, so they are of elements by the largest.
    struct Norm {
        double scale, sum;
    };
    const auto join = [](Norm a, Norm b) {
        if (a.scale < b.scale)
            std::swap(a, b);
        const double ratio = a.scale == 0 ? 0 : b.scale / a.scale;
        return Norm{a.scale, a.sum + b.sum * ratio * ratio};
    };
    const auto part = [=](int begin, int end) {
        Norm norm = {0, 0};
        for (int i = begin; i < end; i++)
            norm.scale = std::max(norm.scale, size1(v[i]));
        if (norm.scale > 1e-140 && norm.scale < 1e140)
            norm.scale = 1;
        for (int i = begin; i < end && norm.scale > 0; i++)
            norm.sum += square(v[i], norm.scale);
        return norm;
    };
    return reduce(name, h, incx > 0 ? n : 0, result, Norm{0, 0}, part, join, [](Norm s) { return R(s.scale * std::sqrt(s.sum)); });
}
template <class T, class R> cublasStatus_t asum(const char *name, cublasHandle_t h, int n, const T *x, int incx, R *result) {
    const Vector<const In<T>> v{in(x), n, incx};
    const auto part = [=](int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; i++)
            sum += size1(v[i]);
        return sum;
    };
    return reduce(name, h, incx > 0 ? n : 0, result, 0.0, part, [](double a, double b) { return a + b; }, [](double s) { return R(s); });
}
// extreme returns the index, from 1, of the first largest or smallest element.
template <class T> cublasStatus_t extreme(const char *name, cublasHandle_t h, int n, const T *x, int incx, int *result, bool largest) {
    struct Best {
        double value;
        int at; // 0 for none
    };
    const Vector<const In<T>> v{in(x), n, incx};
    const auto join = [=](Best a, Best b) { return a.at == 0 || (b.at != 0 && (largest ? b.value > a.value : b.value < a.value)) ? b : a; };
    const auto part = [=](int begin, int end) {
        Best best = {0, 0};
        for (int i = begin; i < end; i++)
            best = join(best, {size1(v[i]), i + 1});
        return best;
    };
    return reduce(name, h, incx > 0 ? n : 0, result, Best{0, 0}, part, join, [](Best b) { return b.at; });
}

} // namespace gwblas

#define GW_BLAS template <class = void> inline cublasStatus_t
#define GW_LEVEL1(L, l, T)                                                                                                 \
    GW_BLAS cublas##L##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) {             \
        return gwblas::axpy("cublas" #L "axpy", h, n, alpha, x, incx, y, incy);                                          \
    }                                                                                                                    \
    GW_BLAS cublas##L##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) { return gwblas::scal("cublas" #L "scal", h, n, alpha, x, incx); } \
    GW_BLAS cublas##L##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) { return gwblas::copy("cublas" #L "copy", h, n, x, incx, y, incy); } \
    GW_BLAS cublas##L##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) { return gwblas::swap("cublas" #L "swap", h, n, x, incx, y, incy); } \
    GW_BLAS cublasI##l##amax(cublasHandle_t h, int n, const T *x, int incx, int *r) { return gwblas::extreme("cublasI" #l "amax", h, n, x, incx, r, true); } \
    GW_BLAS cublasI##l##amin(cublasHandle_t h, int n, const T *x, int incx, int *r) { return gwblas::extreme("cublasI" #l "amin", h, n, x, incx, r, false); }
GW_LEVEL1(S, s, float)
GW_LEVEL1(D, d, double)
GW_LEVEL1(C, c, cuComplex)
GW_LEVEL1(Z, z, cuDoubleComplex)
#undef GW_LEVEL1
#define GW_DOT(name, T, conjugate)                                                                                       \
    GW_BLAS name(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *r) { return gwblas::dot(#name, h, n, x, incx, y, incy, r, conjugate); }
GW_DOT(cublasSdot, float, false)
GW_DOT(cublasDdot, double, false)
GW_DOT(cublasCdotu, cuComplex, false)
GW_DOT(cublasCdotc, cuComplex, true)
GW_DOT(cublasZdotu, cuDoubleComplex, false)
GW_DOT(cublasZdotc, cuDoubleComplex, true)
#undef GW_DOT
#define GW_NORM(L, T, R)                                                                                                 \
    GW_BLAS cublas##L##nrm2(cublasHandle_t h, int n, const T *x, int incx, R *r) { return gwblas::nrm2("cublas" #L "nrm2", h, n, x, incx, r); } \
    GW_BLAS cublas##L##asum(cublasHandle_t h, int n, const T *x, int incx, R *r) { return gwblas::asum("cublas" #L "asum", h, n, x, incx, r); }
GW_NORM(S, float, float)
GW_NORM(D, double, double)
GW_NORM(Sc, cuComplex, float)
GW_NORM(Dz, cuDoubleComplex, double)
#undef GW_NORM
GW_BLAS cublasCsscal(cublasHandle_t h, int n, const float *alpha, cuComplex *x, int incx) { return gwblas::scal("cublasCsscal", h, n, alpha, x, incx); }
GW_BLAS cublasZdscal(cublasHandle_t h, int n, const double *alpha, cuDoubleComplex *x, int incx) { return gwblas::scal("cublasZdscal", h, n, alpha, x, incx); }
GW_BLAS cublasSrot(cublasHandle_t h, int n, float *x, int incx, float *y, int incy, const float *c, const float *s) {
    return gwblas::rot("cublasSrot", h, n, x, incx, y, incy, c, s);
}
GW_BLAS cublasDrot(cublasHandle_t h, int n, double *x, int incx, double *y, int incy, const double *c, const double *s) {
    return gwblas::rot("cublasDrot", h, n, x, incx, y, incy, c, s);
}
#define GW_ROTATIONS(L, T)                                                                                                                                     \
    GW_BLAS cublas##L##rotg(cublasHandle_t h, T *a, T *b, T *c, T *s) { return gwblas::rotg("cublas" #L "rotg", h, a, b, c, s); }                              \
    GW_BLAS cublas##L##rotm(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *param) {                                                         \
        return gwblas::rotm("cublas" #L "rotm", h, n, x, incx, y, incy, param);                                                                                \
    }                                                                                                                                                          \
    GW_BLAS cublas##L##rotmg(cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1, T *param) { return gwblas::rotmg("cublas" #L "rotmg", h, d1, d2, x1, y1, param); }
GW_ROTATIONS(S, float)
GW_ROTATIONS(D, double)
#undef GW_ROTATIONS
