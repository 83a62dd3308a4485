// cuBLAS's rotations of two vectors, by what they are made for: the second component becomes zero.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>

cublasHandle_t h;
int status, wrong;

cublasStatus_t rotg(float *v) { return cublasSrotg(h, v, v + 1, v + 2, v + 3); }
cublasStatus_t rotg(double *v) { return cublasDrotg(h, v, v + 1, v + 2, v + 3); }
cublasStatus_t rotmg(float *v) { return cublasSrotmg(h, v, v + 1, v + 2, v + 3, v + 4); }
cublasStatus_t rotmg(double *v) { return cublasDrotmg(h, v, v + 1, v + 2, v + 3, v + 4); }
cublasStatus_t rotm(int n, float *x, int incx, float *y, const float *p) { return cublasSrotm(h, n, x, incx, y, 1, p); }
cublasStatus_t rotm(int n, double *x, int incx, double *y, const double *p) { return cublasDrotm(h, n, x, incx, y, 1, p); }

template <class T> void check(const char *what, T got, double want) {
    if (std::abs(got - want) <= 1e-5 * std::abs(want) + 1e-6)
        return;
    wrong++;
    printf("%s: %g, not %g\n", what, double(got), want);
}

// plane rotates a and b onto the first axis.
template <class T> void plane(T *v, T a, T b) {
    v[0] = a, v[1] = b;
    status |= rotg(v);
    cudaDeviceSynchronize();
    check("length", std::abs(v[0]), std::hypot(a, b));
    check("first", v[2] * a + v[3] * b, v[0]);
    check("second", v[2] * b - v[3] * a, 0);
    const T z = v[1]; // cosine and sine in one number
    check("sine", std::abs(z) < 1 ? z : std::abs(z) == 1 ? T(1) : std::sqrt(1 - 1 / (z * z)), std::abs(z) > 1 ? std::abs(v[3]) : v[3]);
}

// weighted does so for a vector whose squares have weights.
template <class T> void weighted(T *v, T *x, T *y, T d1, T d2, T a, T b, T flag) {
    v[0] = d1, v[1] = d2, v[2] = a, v[3] = b;
    status |= rotmg(v);
    cudaDeviceSynchronize();
    check("flag", v[4], flag);
    x[0] = a, x[1] = 99, x[2] = 2 * a, y[0] = b, y[1] = 2 * b;
    status |= rotm(2, x, 2, y, v + 4);
    cudaDeviceSynchronize();
    check("between", x[1], 99);
    if (flag == -2)
        return check("left alone", x[2] + y[1], 2 * a + 2 * b);
    check("twice", x[2], 2 * v[2]);
    check("zero", y[1] / (std::abs(a) + std::abs(b)), 0);
    check("weighted length", v[0] * x[0] * x[0], double(d1) * a * a + double(d2) * b * b);
}

template <class T> void all() {
    T *v, *x, *y;
    cudaMallocManaged(&v, 9 * sizeof *v);
    cudaMallocManaged(&x, 3 * sizeof *x);
    cudaMallocManaged(&y, 2 * sizeof *y);
    for (cublasPointerMode_t mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
        status |= cublasSetPointerMode(h, mode);
        plane<T>(v, 3, -4);
        plane<T>(v, -5, 2);
        plane<T>(v, 0, 2);
        plane<T>(v, 0, 0);
        weighted<T>(v, x, y, 2, 3, 4, 1, 0);
        weighted<T>(v, x, y, 2, 3, 1, 4, 1);
        weighted<T>(v, x, y, 2, 3, 1, 0, -2);
        weighted<T>(v, x, y, 1e-9, 1e9, 5, 1e-8, -1);
        v[0] = -1;
        status |= rotmg(v);
        cudaDeviceSynchronize();
        check("a negative weight", v[4] + v[0] + v[1] + v[2], -1);
    }
    cudaFree(v);
    cudaFree(x);
    cudaFree(y);
}

int main() {
    cublasCreate(&h);
    all<float>();
    all<double>();
    printf("status %d, %d wrong\n", status, wrong);
    cublasDestroy(h);
}
// Output:
// status 0, 0 wrong
