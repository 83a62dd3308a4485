// cuBLASLt: products by descriptors, with a bias and a function after them, in batches, and added to a matrix.
#include <cmath>
#include <cstdio>
#include <cublasLt.h>

constexpr int m = 24, n = 16, k = 8, batch = 2;
cublasLtHandle_t h;
float *a, *b, *c, *d, *bias;

float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

// product computes 2 AᵀB + beta C with an epilogue, and returns the largest difference from the definition.
float product(cublasLtEpilogue_t epilogue, float beta, int count) {
    cublasLtMatmulDesc_t op;
    cublasLtMatrixLayout_t la, lb, lc;
    cublasLtMatmulPreference_t preference;
    cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;
    int status = cublasLtMatmulDescCreate(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    status |= cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
    status |= cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_TRANSB, &plain, sizeof plain);
    status |= cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    if (epilogue & CUBLASLT_EPILOGUE_BIAS)
        status |= cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
    status |= cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, k, m, k) | cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, k, n, k) | cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, m, n, m);
    if (count > 1) {
        cublasLtMatrixLayout_t layouts[] = {la, lb, lc};
        int64_t strides[] = {k * m, k * n, m * n};
        for (int i = 0; i < 3; i++) {
            status |= cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
            status |= cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &strides[i], sizeof strides[i]);
        }
    }
    size_t none = 0;
    status |= cublasLtMatmulPreferenceCreate(&preference) | cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &none, sizeof none);
    cublasLtMatmulHeuristicResult_t found;
    int results = 0;
    status |= cublasLtMatmulAlgoGetHeuristic(h, op, la, lb, lc, lc, preference, 1, &found, &results);
    const float alpha = 2;
    status |= cublasLtMatmul(h, op, &alpha, a, la, b, lb, &beta, c, lc, d, lc, &found.algo, nullptr, 0, 0);
    cudaDeviceSynchronize();
    if (status != 0 || results != 1)
        printf("status %d, %d results\n", status, results);
    float worst = 0;
    for (int s = 0; s < count; s++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                float v = 0;
                for (int l = 0; l < k; l++)
                    v += a[s * k * m + i * k + l] * b[s * k * n + j * k + l];
                v = 2 * v + beta * c[s * m * n + j * m + i];
                if (epilogue & CUBLASLT_EPILOGUE_BIAS)
                    v += bias[i];
                if (epilogue & CUBLASLT_EPILOGUE_RELU)
                    v = fmaxf(v, 0);
                if (epilogue & CUBLASLT_EPILOGUE_GELU)
                    v = gelu(v);
                worst = fmaxf(worst, fabsf(v - d[s * m * n + j * m + i]));
            }
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb), cublasLtMatrixLayoutDestroy(lc);
    cublasLtMatmulDescDestroy(op);
    return worst;
}

int main() {
    cublasLtCreate(&h);
    cudaMallocManaged(&a, batch * m * k * sizeof *a);
    cudaMallocManaged(&b, batch * n * k * sizeof *b);
    cudaMallocManaged(&c, batch * m * n * sizeof *c);
    cudaMallocManaged(&d, batch * m * n * sizeof *d);
    cudaMallocManaged(&bias, m * sizeof *bias);
    for (int i = 0; i < batch * m * k; i++)
        a[i] = (i * 7 % 13 - 6) / 8.0f;
    for (int i = 0; i < batch * n * k; i++)
        b[i] = (i * 5 % 11 - 5) / 8.0f;
    for (int i = 0; i < batch * m * n; i++)
        c[i] = (i % 9 - 4) / 4.0f;
    for (int i = 0; i < m; i++)
        bias[i] = i / 16.0f - 1;
    printf("plain: %d\n", product(CUBLASLT_EPILOGUE_DEFAULT, 0, 1) < 1e-4);
    printf("batch: %d\n", product(CUBLASLT_EPILOGUE_DEFAULT, 0, batch) < 1e-4);
    printf("added: %d\n", product(CUBLASLT_EPILOGUE_DEFAULT, 3, batch) < 1e-4);
    printf("bias: %d\n", product(CUBLASLT_EPILOGUE_BIAS, 0, 1) < 1e-4);
    printf("relu: %d\n", product(CUBLASLT_EPILOGUE_RELU_BIAS, 0, 1) < 1e-4);
    printf("gelu: %d\n", product(CUBLASLT_EPILOGUE_GELU_BIAS, 0, 1) < 1e-3);
    cublasLtDestroy(h);
    return cudaDeviceSynchronize();
}

// Output:
// plain: 1
// batch: 1
// added: 1
// bias: 1
// relu: 1
// gelu: 1
