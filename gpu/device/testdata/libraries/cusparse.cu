// cuSPARSE's products against dense loops.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <vector>

unsigned state = 1;
double next() { return (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5; }
template <class T> T *managed(const std::vector<T> &v) {
    T *p;
    cudaMallocManaged(&p, v.size() * sizeof(T));
    for (size_t i = 0; i < v.size(); i++)
        p[i] = v[i];
    return p;
}

int main() {
    const int m = 150, n = 120, wide = 4;
    std::vector<double> dense(m * n), values, x(m), y(m, 0.5), b(m * wide), c(m * wide, NAN);
    std::vector<int> offsets = {1}, columns, rows;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            if (next() > 0.4) {
                values.push_back(dense[i * n + j] = next());
                rows.push_back(i + 1), columns.push_back(j + 1);
            }
        offsets.push_back(int(values.size()) + 1);
    }
    for (double &v : x)
        v = next();
    for (double &v : b)
        v = next();
    double *dv = managed(values), *dx = managed(x), *dy = managed(y), *db = managed(b), *dc = managed(c);
    int *ds = managed(offsets), *di = managed(columns), *dr = managed(rows);
    cusparseHandle_t h;
    cusparseSpMatDescr_t csr, coo;
    int status = cusparseCreate(&h);
    status |= cusparseCreateCsr(&csr, m, n, values.size(), ds, di, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    status |= cusparseCreateCoo(&coo, m, n, values.size(), dr, di, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    const double alpha = 2, beta = 3, zero = 0;
    for (auto a : {csr, coo})
        for (auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
            const bool turned = op == CUSPARSE_OPERATION_TRANSPOSE;
            const int out = turned ? n : m, in = turned ? m : n;
            cusparseDnVecDescr_t vx, vy;
            cusparseDnMatDescr_t mb, mc;
            size_t size, sizeMM;
            void *buffer, *bufferMM;
            for (int i = 0; i < m; i++)
                dy[i] = 0.5;
            status |= cusparseCreateDnVec(&vx, in, dx, CUDA_R_64F) | cusparseCreateDnVec(&vy, out, dy, CUDA_R_64F);
            status |= cusparseCreateDnMat(&mb, in, wide, m, db, CUDA_R_64F, CUSPARSE_ORDER_COL) | cusparseCreateDnMat(&mc, out, wide, wide, dc, CUDA_R_64F, CUSPARSE_ORDER_ROW);
            status |= cusparseSpMV_bufferSize(h, op, &alpha, a, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &size);
            status |= cusparseSpMM_bufferSize(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mb, &zero, mc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, &sizeMM);
            status |= cudaMalloc(&buffer, size) | cudaMalloc(&bufferMM, sizeMM);
            status |= cusparseSpMV(h, op, &alpha, a, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
            status |= cusparseSpMM(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mb, &zero, mc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, bufferMM);
            cudaDeviceSynchronize();
            double worst = 0;
            for (int i = 0; i < out; i++)
                for (int j = -1; j < wide; j++) {
                    double sum = 0;
                    for (int k = 0; k < in; k++)
                        sum += dense[turned ? k * n + i : i * n + k] * (j < 0 ? x[k] : b[k + j * m]);
                    const double off = j < 0 ? fabs(dy[i] - (alpha * sum + beta * 0.5)) : fabs(dc[i * wide + j] - alpha * sum);
                    worst = off <= worst ? worst : off;
                }
            printf("%s %s: %d, %s\n", a == csr ? "CSR" : "COO", turned ? "transposed" : "plain", status, worst < 1e-12 ? "right" : "wrong");
            if (!turned && a == csr) {
                printf("another length: %d, ", cusparseSpMV(h, CUSPARSE_OPERATION_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
                printf("no buffer: %d\n", cusparseSpMV(h, op, &alpha, a, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
            }
            cudaFree(buffer);
            cudaFree(bufferMM);
            cusparseDestroyDnVec(vx);
            cusparseDestroyDnVec(vy);
            cusparseDestroyDnMat(mb);
            cusparseDestroyDnMat(mc);
        }
    cusparseDestroySpMat(csr);
    cusparseDestroySpMat(coo);
    cusparseDestroy(h);
    for (void *p : {(void *)dv, (void *)dx, (void *)dy, (void *)db, (void *)dc, (void *)ds, (void *)di, (void *)dr})
        cudaFree(p);
}
// Output:
// CSR plain: 0, right
// another length: 3, no buffer: 3
// CSR transposed: 0, right
// COO plain: 0, right
// COO transposed: 0, right
