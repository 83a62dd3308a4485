// cuBLAS against plain loops.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <functional>
#include <vector>

typedef std::complex<double> Z;
cublasHandle_t h;
unsigned state = 1;
double next() { return (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

template <class T> struct Of { static Z z(T v) { return v; } static T t(Z v) { return T(v.real()); } static constexpr bool complex = false; };
template <> struct Of<cuDoubleComplex> { static Z z(cuDoubleComplex v) { return {v.x, v.y}; } static cuDoubleComplex t(Z v) { return {v.real(), v.imag()}; } static constexpr bool complex = true; };

// A Matrix has a leading dimension that is greater than its rows.
template <class T> struct Matrix {
    int m, n, ld;
    T *p;
    Matrix(int m, int n, bool dominant = false) : m(m), n(n), ld(m + 3) {
        cudaMallocManaged(&p, sizeof(T) * ld * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < ld; i++)
                p[i + j * ld] = i >= m ? Of<T>::t(NAN) : Of<T>::t(Z(next() + (dominant && i == j ? 8 : 0), Of<T>::complex ? next() : 0));
    }
    ~Matrix() { cudaFree(p); }
    Z at(int i, int j) const { return Of<T>::z(p[i + j * ld]); }
    std::vector<Z> values() const {
        std::vector<Z> v;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                v.push_back(at(i, j));
        return v;
    }
};
template <class T> Z op(const Matrix<T> &a, cublasOperation_t o, int i, int j) { return o == CUBLAS_OP_N ? a.at(i, j) : o == CUBLAS_OP_T ? a.at(j, i) : std::conj(a.at(j, i)); }
template <class T> Z triangle(const Matrix<T> &a, cublasFillMode_t half, cublasDiagType_t d, cublasOperation_t o, int i, int j) {
    if (o != CUBLAS_OP_N)
        std::swap(i, j);
    Z v = i == j && d == CUBLAS_DIAG_UNIT ? 1 : (half == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j) ? a.at(i, j) : 0;
    return o == CUBLAS_OP_C ? std::conj(v) : v;
}

// expect compares a matrix with what its elements should be.
template <class T> void expect(const char *name, int status, const Matrix<T> &c, const std::function<Z(int, int)> &want, double near) {
    cudaDeviceSynchronize();
    double worst = 0;
    for (int j = 0; j < c.n; j++)
        for (int i = 0; i < c.m; i++) {
            double off = std::abs(c.at(i, j) - want(i, j)) / (1 + std::abs(want(i, j)));
            worst = off <= worst ? worst : off; // also for a NaN
        }
    if (status != 0 || !(worst < near))
        printf("%s: status %d, off by %g\n", name, status, worst);
}

#define EACH(L, T) \
    cublasStatus_t gemm(cublasOperation_t a, cublasOperation_t b, int m, int n, int k, const T *al, const Matrix<T> &x, const Matrix<T> &y, const T *be, Matrix<T> &z) { return cublas##L##gemm(h, a, b, m, n, k, al, x.p, x.ld, y.p, y.ld, be, z.p, z.ld); } \
    cublasStatus_t gemv(cublasOperation_t o, const T *al, const Matrix<T> &a, const T *x, int ix, const T *be, T *y, int iy) { return cublas##L##gemv(h, o, a.m, a.n, al, a.p, a.ld, x, ix, be, y, iy); } \
    cublasStatus_t trsm(cublasSideMode_t s, cublasFillMode_t f, cublasOperation_t o, cublasDiagType_t d, const T *al, const Matrix<T> &a, Matrix<T> &b) { return cublas##L##trsm(h, s, f, o, d, b.m, b.n, al, a.p, a.ld, b.p, b.ld); } \
    cublasStatus_t trmm(cublasSideMode_t s, cublasFillMode_t f, cublasOperation_t o, cublasDiagType_t d, const T *al, const Matrix<T> &a, Matrix<T> &b, Matrix<T> &c) { return cublas##L##trmm(h, s, f, o, d, b.m, b.n, al, a.p, a.ld, b.p, b.ld, c.p, c.ld); } \
    cublasStatus_t symm(cublasSideMode_t s, cublasFillMode_t f, const T *al, const Matrix<T> &a, Matrix<T> &b, const T *be, Matrix<T> &c) { return cublas##L##symm(h, s, f, c.m, c.n, al, a.p, a.ld, b.p, b.ld, be, c.p, c.ld); } \
    cublasStatus_t syrk(cublasFillMode_t f, cublasOperation_t o, int k, const T *al, const Matrix<T> &a, const T *be, Matrix<T> &c) { return cublas##L##syrk(h, f, o, c.n, k, al, a.p, a.ld, be, c.p, c.ld); } \
    cublasStatus_t geam(cublasOperation_t o, cublasOperation_t q, const T *al, const Matrix<T> &a, const T *be, const Matrix<T> &b, Matrix<T> &c) { return cublas##L##geam(h, o, q, c.m, c.n, al, a.p, a.ld, be, b.p, b.ld, c.p, c.ld); } \
    cublasStatus_t dgmm(cublasSideMode_t s, const Matrix<T> &a, const T *x, int ix, Matrix<T> &c) { return cublas##L##dgmm(h, s, c.m, c.n, a.p, a.ld, x, ix, c.p, c.ld); } \
    cublasStatus_t trsv(cublasFillMode_t f, cublasOperation_t o, cublasDiagType_t d, const Matrix<T> &a, T *x, int ix) { return cublas##L##trsv(h, f, o, d, a.n, a.p, a.ld, x, ix); } \
    cublasStatus_t trmv(cublasFillMode_t f, cublasOperation_t o, cublasDiagType_t d, const Matrix<T> &a, T *x, int ix) { return cublas##L##trmv(h, f, o, d, a.n, a.p, a.ld, x, ix); } \
    cublasStatus_t axpy(int n, const T *al, const T *x, int ix, T *y, int iy) { return cublas##L##axpy(h, n, al, x, ix, y, iy); }
EACH(S, float)
EACH(Z, cuDoubleComplex)

template <class T> void all(double near) {
    const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    const cublasFillMode_t halves[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
    const Z alpha(1.5, Of<T>::complex ? 0.5 : 0), beta(-0.5, Of<T>::complex ? 0.25 : 0);
    const T al = Of<T>::t(alpha), be = Of<T>::t(beta);
    for (auto oa : ops)
        for (auto ob : ops) {
            const int m = 53, n = 37, k = 41;
            Matrix<T> a(oa == CUBLAS_OP_N ? m : k, oa == CUBLAS_OP_N ? k : m), b(ob == CUBLAS_OP_N ? k : n, ob == CUBLAS_OP_N ? n : k), c(m, n);
            auto before = c.values();
            int status = gemm(oa, ob, m, n, k, &al, a, b, &be, c);
            expect("gemm", status, c, [&](int i, int j) {
                Z sum = 0;
                for (int p = 0; p < k; p++)
                    sum += op(a, oa, i, p) * op(b, ob, p, j);
                return alpha * sum + beta * before[i + j * m];
            }, near);
            Matrix<T> x(oa == CUBLAS_OP_N ? 19 : 23, oa == CUBLAS_OP_N ? 23 : 19), y(ob == CUBLAS_OP_N ? 19 : 23, ob == CUBLAS_OP_N ? 23 : 19), z(19, 23);
            status = geam(oa, ob, &al, x, &be, y, z);
            expect("geam", status, z, [&](int i, int j) { return alpha * op(x, oa, i, j) + beta * op(y, ob, i, j); }, near);
        }
    for (auto o : ops) {
        Matrix<T> a(45, 31), x(2, 45), y(1, 45);
        const int m = o == CUBLAS_OP_N ? 45 : 31, n = o == CUBLAS_OP_N ? 31 : 45;
        auto before = y.values();
        int status = gemv(o, &al, a, x.p, -x.ld, &be, y.p, y.ld);
        expect("gemv", status, y, [&](int, int i) {
            Z sum = 0;
            for (int j = 0; j < n; j++)
                sum += op(a, o, i, j) * x.at(0, n - 1 - j);
            return i < m ? alpha * sum + beta * before[i] : before[i];
        }, near);
        for (auto f : halves)
            for (auto d : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
                for (auto s : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
                    const int m = 21, n = 18;
                    Matrix<T> t(s == CUBLAS_SIDE_LEFT ? m : n, s == CUBLAS_SIDE_LEFT ? m : n, true), b(m, n), c(m, n), back(m, n);
                    for (int i = 0; i < t.n * t.ld; i++) // so that a unit diagonal leaves it well-conditioned
                        if (i % t.ld != i / t.ld)
                            t.p[i] = Of<T>::t(Of<T>::z(t.p[i]) * 0.125);
                    auto product = [&](const Matrix<T> &x, int i, int j) {
                        Z sum = 0;
                        for (int p = 0; p < t.n; p++)
                            sum += s == CUBLAS_SIDE_LEFT ? triangle(t, f, d, o, i, p) * x.at(p, j) : x.at(i, p) * triangle(t, f, d, o, p, j);
                        return sum;
                    };
                    status = trmm(s, f, o, d, &al, t, b, c);
                    expect("trmm", status, c, [&](int i, int j) { return alpha * product(b, i, j); }, near);
                    auto before = b.values();
                    status = trsm(s, f, o, d, &al, t, b);
                    expect("trsm", status, back, [&](int i, int j) { return back.at(i, j); }, near);
                    for (int j = 0; j < n; j++)
                        for (int i = 0; i < m; i++)
                            back.p[i + j * back.ld] = Of<T>::t(product(b, i, j));
                    expect("trsm", status, back, [&](int i, int j) { return alpha * before[i + j * m]; }, near);
                    if (s == CUBLAS_SIDE_LEFT) {
                        Matrix<T> v(1, m), w(1, m);
                        auto before = v.values();
                        for (int i = 0; i < m; i++)
                            w.p[i * w.ld] = v.p[i * v.ld];
                        status = trmv(f, o, d, t, v.p, v.ld);
                        expect("trmv", status, v, [&](int, int i) {
                            Z sum = 0;
                            for (int j = 0; j < m; j++)
                                sum += triangle(t, f, d, o, i, j) * before[j];
                            return sum;
                        }, near);
                        status = trsv(f, o, d, t, v.p, v.ld);
                        expect("trsv", status, v, [&](int, int i) { return before[i]; }, near);
                    }
                }
            }
    }
    for (auto f : halves) {
        for (auto o : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            Matrix<T> a(o == CUBLAS_OP_N ? 29 : 17, o == CUBLAS_OP_N ? 17 : 29), c(29, 29);
            auto before = c.values();
            int status = syrk(f, o, 17, &al, a, &be, c);
            expect("syrk", status, c, [&](int i, int j) {
                Z sum = 0;
                for (int p = 0; p < 17; p++)
                    sum += op(a, o, i, p) * op(a, o, j, p);
                return (f == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) ? alpha * sum + beta * before[i + j * 29] : before[i + j * 29];
            }, near);
        }
        for (auto s : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
            Matrix<T> a(s == CUBLAS_SIDE_LEFT ? 22 : 26, s == CUBLAS_SIDE_LEFT ? 22 : 26), b(22, 26), c(22, 26);
            auto before = c.values();
            int status = symm(s, f, &al, a, b, &be, c);
            auto full = [&](int i, int j) { return (f == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) ? a.at(i, j) : a.at(j, i); };
            expect("symm", status, c, [&](int i, int j) {
                Z sum = 0;
                for (int p = 0; p < a.n; p++)
                    sum += s == CUBLAS_SIDE_LEFT ? full(i, p) * b.at(p, j) : b.at(i, p) * full(p, j);
                return alpha * sum + beta * before[i + j * 22];
            }, near);
            Matrix<T> x(1, 26), z(22, 26);
            status = dgmm(s, b, x.p, x.ld, z);
            expect("dgmm", status, z, [&](int i, int j) { return b.at(i, j) * x.at(0, s == CUBLAS_SIDE_LEFT ? i : j); }, near);
        }
    }
    Matrix<T> x(2, 40000), y(1, 40000);
    auto before = y.values();
    int status = axpy(40000, &al, x.p, x.ld, y.p, -y.ld);
    expect("axpy", status, y, [&](int, int i) { return alpha * x.at(0, 39999 - i) + before[i]; }, near);
}

void vectors() {
    const int n = 100003;
    float *x, *y, *result;
    int *place;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    cudaMallocManaged(&result, sizeof *result);
    cudaMallocManaged(&place, sizeof *place);
    double dot = 0, squares = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        x[i] = i == 77777 ? -3 : next(), y[i] = next();
        dot += double(x[i]) * y[i], squares += double(x[i]) * x[i], sum += fabs(x[i]);
    }
    float d, norm, total;
    int largest, smallest, status = cublasSdot(h, n, x, 1, y, 1, &d) | cublasSnrm2(h, n, x, 1, &norm) | cublasSasum(h, n, x, 1, &total) | cublasIsamax(h, n, x, 1, &largest);
    y[500] = 0;
    status |= cublasIsamin(h, n, y, 1, &smallest);
    printf("vectors: %d %d %d %d, amax %d, amin %d\n", status, fabs(d - dot) < 1e-3, fabs(norm - sqrt(squares)) < 1e-3, fabs(total - sum) < 0.1, largest, smallest);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    *result = 2;
    x[5] = 10;
    status = cublasSscal(h, 10, result, x, 1) | cublasIsamax(h, n, x, 1, place) | cublasSnrm2(h, 0, x, 1, result);
    cudaDeviceSynchronize();
    printf("on the device: %d, %.0f, %d, %.0f\n", status, x[5], *place, *result);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    double big[] = {3e200, 4e200}, *p, length;
    cudaMalloc(&p, sizeof big);
    cublasSetVector(2, sizeof *p, big, 1, p, 1);
    cublasDnrm2(h, 2, p, 1, &length);
    printf("length %.4g\n", length);
    cudaFree(p);
    cudaFree(x);
    cudaFree(y);
    cudaFree(result);
    cudaFree(place);
}

void mixed() {
    const int n = 33;
    __half *a, *b, *c;
    signed char *i;
    int *o;
    cudaMallocManaged(&a, n * n * sizeof *a);
    cudaMallocManaged(&b, n * n * sizeof *b);
    cudaMallocManaged(&c, n * n * sizeof *c);
    cudaMallocManaged(&i, 32 * 32);
    cudaMallocManaged(&o, 32 * 32 * sizeof *o);
    for (int k = 0; k < n * n; k++)
        a[k] = __float2half(k % 5 - 2), b[k] = __float2half(k % 3 - 1);
    for (int k = 0; k < 1024; k++)
        i[k] = k % 9 - 4;
    const float one = 1, zero = 0;
    const int oneInt = 1, zeroInt = 0;
    int status = cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_16F, n, b, CUDA_R_16F, n, &zero, c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    status |= cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 32, 32, 32, &oneInt, i, CUDA_R_8I, 32, i, CUDA_R_8I, 32, &zeroInt, o, CUDA_R_32I, 32, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int r = 0; r < n; r++)
        for (int s = 0; s < n; s++) {
            float sum = 0;
            int whole = 0;
            for (int k = 0; k < n; k++)
                sum += __half2float(a[r + k * n]) * __half2float(b[k + s * n]);
            for (int k = 0; k < 32 && r < 32 && s < 32; k++)
                whole += i[k + r * 32] * i[k + s * 32];
            wrong += sum != __half2float(c[r + s * n]) || (r < 32 && s < 32 && whole != o[r + s * 32]);
        }
    printf("mixed types: %d, %d wrong\n", status, wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(i);
    cudaFree(o);
}

void batches() {
    const int n = 12, count = 5;
    double *a, *b, *c, *d, **lists;
    for (double **p : {&a, &b, &c, &d})
        cudaMallocManaged(p, n * n * count * sizeof(double));
    cudaMallocManaged(&lists, 3 * count * sizeof *lists);
    for (int i = 0; i < n * n * count; i++)
        a[i] = next(), b[i] = next();
    for (int i = 0; i < count; i++)
        lists[i] = a + i * n * n, lists[count + i] = b + i * n * n, lists[2 * count + i] = d + i * n * n;
    const double one = 1, zero = 0;
    int status = cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, n * n, b, n, n * n, &zero, c, n, n * n, count);
    status |= cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, lists, n, lists + count, n, &zero, lists + 2 * count, n, count);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int e = 0; e < n * n * count; e++) {
        int m = e / (n * n), i = e % n, j = e / n % n;
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[m * n * n + i + k * n] * b[m * n * n + j + k * n];
        wrong += fabs(sum - c[e]) > 1e-12 || c[e] != d[e];
    }
    printf("batches: %d, %d wrong\n", status, wrong);
    for (double *p : {a, b, c, d})
        cudaFree(p);
    cudaFree(lists);
}

int main() {
    float one = 1, m[6] = {1, 2, 3, 4, 5, 6}, back[6] = {}, *p;
    printf("%d %d\n", cublasSscal(nullptr, 1, &one, nullptr, 1), cublasCreate(&h));
    all<float>(1e-5);
    all<cuDoubleComplex>(1e-13);
    vectors();
    mixed();
    batches();
    cudaMalloc(&p, 4 * 3 * sizeof *p);
    cublasSetMatrix(2, 3, sizeof *p, m, 2, p, 4);
    cublasGetMatrix(2, 3, sizeof *p, p, 4, back, 2);
    printf("%.0f %.0f, %d, %s\n", back[1], back[4], cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, p, 2, p, 4, &one, p, 4), cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE));
    cudaFree(p);
    cublasDestroy(h);
}
// Output:
// 1 0
// vectors: 0 1 1 1, amax 77778, amin 501
// on the device: 0, 20, 6, 0
// length 5e+200
// mixed types: 0, 0 wrong
// batches: 0, 0 wrong
// 2 5, 7, CUBLAS_STATUS_INVALID_VALUE
