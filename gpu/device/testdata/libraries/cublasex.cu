// cuBLAS's routines of vectors whose types are given by number, against plain loops.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int n = 1000;
cublasHandle_t h;
int status, wrong;

template <class T> void real(cudaDataType t, cudaDataType scalar, double tolerance) {
    T *x, *y, result;
    cudaMallocManaged(&x, 2 * n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    double dot = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        x[2 * i] = T(float(i % 7) - 2.5f), x[2 * i + 1] = T(NAN), y[i] = T(float(i % 5) / 4);
        dot += double(x[2 * i]) * double(y[i]), squares += double(x[2 * i]) * double(x[2 * i]);
    }
    auto check = [&](double got, double want) { wrong += !(std::abs(got - want) <= tolerance * std::abs(want) + tolerance); };
    status |= cublasDotEx(h, n, x, t, 2, y, t, 1, &result, t, scalar);
    check(double(result), dot);
    status |= cublasDotcEx(h, n, x, t, 2, y, t, 1, &result, t, scalar);
    check(double(result), dot);
    status |= cublasNrm2Ex(h, n, x, t, 2, &result, t, scalar);
    check(double(result), std::sqrt(squares));
    const float single = 0.5f;
    const double twice = 0.5;
    const void *alpha = scalar == CUDA_R_64F ? static_cast<const void *>(&twice) : &single;
    status |= cublasAxpyEx(h, n, alpha, scalar, x, t, 2, y, t, 1, scalar);
    status |= cublasScalEx(h, n, alpha, scalar, x, t, 2, scalar);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        check(double(y[i]), (i % 7 - 2.5) / 2 + i % 5 / 4.0), check(double(x[2 * i]), (i % 7 - 2.5) / 2), wrong += !std::isnan(double(x[2 * i + 1]));
    cudaFree(x);
    cudaFree(y);
}

int main() {
    cublasCreate(&h);
    real<float>(CUDA_R_32F, CUDA_R_32F, 1e-6);
    real<double>(CUDA_R_64F, CUDA_R_64F, 1e-14);
    real<__half>(CUDA_R_16F, CUDA_R_32F, 1e-3);
    real<__nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F, 8e-3);
    cuComplex *z, product;
    float length;
    cudaMallocManaged(&z, 2 * sizeof *z);
    z[0] = {1, 2}, z[1] = {3, -4};
    status |= cublasDotcEx(h, 2, z, CUDA_C_32F, 1, z, CUDA_C_32F, 1, &product, CUDA_C_32F, CUDA_C_32F);
    printf("%g %g, ", product.x, product.y);
    status |= cublasDotEx(h, 2, z, CUDA_C_32F, 1, z, CUDA_C_32F, 1, &product, CUDA_C_32F, CUDA_C_32F);
    status |= cublasNrm2Ex(h, 2, z, CUDA_C_32F, 1, &length, CUDA_R_32F, CUDA_R_32F);
    printf("%g %g, %.4f\n", product.x, product.y, length);
    printf("status %d, %d wrong\n", status, wrong);
    printf("%d\n", cublasDotEx(h, 1, z, CUDA_R_8I, 1, z, CUDA_R_8I, 1, &product, CUDA_R_8I, CUDA_R_8I));
    cublasDestroy(h);
    cudaFree(z);
}
// Output:
// 30 0, -10 -20, 5.4772
// status 0, 0 wrong
// 15
