// cuFFT against sums of the definition.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuda_runtime.h>
#include <cufft.h>
#include <vector>

typedef std::complex<double> Z;
unsigned state = 1;
double next() { return (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

// definition transforms along each dimension.
std::vector<Z> definition(std::vector<Z> x, std::vector<int> n, int sign) {
    size_t inner = x.size();
    for (int length : n) {
        inner /= length;
        std::vector<Z> y(x.size());
        for (size_t k = 0; k < x.size(); k++)
            for (int j = 0; j < length; j++)
                y[k] += x[k / (inner * length) * inner * length + j * inner + k % inner] * std::polar(1.0, sign * 2 * M_PI * (k / inner % length * j % length) / length);
        x = y;
    }
    return x;
}
double off(Z a, Z b) { return std::abs(a - b) / (1 + std::abs(b)); }

void lines() {
    double worst = 0, worstFloat = 0;
    int status = 0;
    for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 30, 49, 64, 97, 100, 121, 127, 128, 210, 243, 256, 360, 499, 512}) {
        const int batch = 3;
        cufftDoubleComplex *x;
        cufftComplex *f;
        cudaMallocManaged(&x, n * batch * sizeof *x);
        cudaMallocManaged(&f, n * batch * sizeof *f);
        std::vector<Z> in;
        for (int i = 0; i < n * batch; i++) {
            in.push_back({next(), next()});
            x[i] = {in[i].real(), in[i].imag()};
            f[i] = {float(x[i].x), float(x[i].y)};
        }
        cufftHandle plan, floats;
        status |= cufftPlan1d(&plan, n, CUFFT_Z2Z, batch) | cufftPlan1d(&floats, n, CUFFT_C2C, batch);
        status |= cufftExecZ2Z(plan, x, x, CUFFT_FORWARD) | cufftExecC2C(floats, f, f, CUFFT_INVERSE);
        cudaDeviceSynchronize();
        for (int b = 0; b < batch; b++) {
            std::vector<Z> one(in.begin() + b * n, in.begin() + (b + 1) * n);
            auto want = definition(one, {n}, -1), back = definition(one, {n}, 1);
            for (int i = 0; i < n; i++) {
                worst = std::max(worst, off({x[b * n + i].x, x[b * n + i].y}, want[i]));
                worstFloat = std::max(worstFloat, off({f[b * n + i].x, f[b * n + i].y}, back[i]));
            }
        }
        cufftDestroy(plan);
        cufftDestroy(floats);
        cudaFree(x);
        cudaFree(f);
    }
    printf("lines: %d, %s, %s\n", status, worst < 1e-12 ? "right" : "wrong", worstFloat < 1e-5 ? "right" : "wrong");
}

// space transforms real numbers of some dimensions to their half spectrum and back.
void space(std::vector<int> n, cufftHandle there, cufftHandle back, int status) {
    size_t total = 1, half = 1;
    for (size_t d = 0; d < n.size(); d++)
        total *= n[d], half *= d + 1 < n.size() ? n[d] : n[d] / 2 + 1;
    double *x, *y;
    cufftDoubleComplex *spectrum;
    cudaMallocManaged(&x, total * sizeof *x);
    cudaMallocManaged(&y, total * sizeof *y);
    cudaMallocManaged(&spectrum, half * sizeof *spectrum);
    std::vector<Z> in;
    for (size_t i = 0; i < total; i++)
        x[i] = next(), in.push_back(x[i]);
    status |= cufftExecD2Z(there, x, spectrum);
    cudaDeviceSynchronize();
    auto want = definition(in, n, -1);
    double worst = 0, worstBack = 0;
    const size_t line = n.back(), kept = line / 2 + 1;
    for (size_t i = 0; i < half; i++)
        worst = std::max(worst, off({spectrum[i].x, spectrum[i].y}, want[i / kept * line + i % kept]));
    status |= cufftExecZ2D(back, spectrum, y); // it may overwrite the spectrum
    cudaDeviceSynchronize();
    for (size_t i = 0; i < total; i++)
        worstBack = std::max(worstBack, std::abs(y[i] / total - x[i]));
    printf("%zu dimensions: %d, %s, %s\n", n.size(), status, worst < 1e-12 ? "right" : "wrong", worstBack < 1e-12 ? "right" : "wrong");
    cufftDestroy(there);
    cufftDestroy(back);
    cudaFree(x);
    cudaFree(y);
    cudaFree(spectrum);
}

// columns transforms the columns of a matrix in row order, on a stream.
void columns() {
    const int rows = 24, n = 10;
    int length[] = {rows};
    cufftComplex *x, *y;
    cudaMallocManaged(&x, rows * n * sizeof *x);
    cudaMallocManaged(&y, rows * n * sizeof *y);
    for (int i = 0; i < rows * n; i++)
        x[i] = {float(next()), float(next())};
    cufftHandle plan;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int status = cufftPlanMany(&plan, 1, length, length, n, 1, length, 1, rows, CUFFT_C2C, n) | cufftSetStream(plan, stream);
    status |= cufftExecC2C(plan, x, y, CUFFT_FORWARD);
    cudaStreamSynchronize(stream);
    double worst = 0;
    for (int c = 0; c < n; c++) {
        std::vector<Z> in;
        for (int r = 0; r < rows; r++)
            in.push_back({x[r * n + c].x, x[r * n + c].y});
        auto want = definition(in, {rows}, -1);
        for (int r = 0; r < rows; r++)
            worst = std::max(worst, off({y[c * rows + r].x, y[c * rows + r].y}, want[r]));
    }
    printf("columns: %d, %s; ", status, worst < 1e-5 ? "right" : "wrong");
    printf("destroyed twice: %d ", cufftDestroy(plan));
    printf("%d, size 0: ", cufftDestroy(plan));
    printf("%d\n", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
}

int main() {
    lines();
    cufftHandle there, back;
    int status = cufftPlan1d(&there, 30, CUFFT_D2Z, 1) | cufftPlan1d(&back, 30, CUFFT_Z2D, 1);
    space({30}, there, back, status);
    status = cufftPlan2d(&there, 12, 11, CUFFT_D2Z) | cufftPlan2d(&back, 12, 11, CUFFT_Z2D);
    space({12, 11}, there, back, status);
    status = cufftPlan3d(&there, 6, 10, 9, CUFFT_D2Z) | cufftPlan3d(&back, 6, 10, 9, CUFFT_Z2D);
    space({6, 10, 9}, there, back, status);
    columns();
}
// Output:
// lines: 0, right, right
// 1 dimensions: 0, right, right
// 2 dimensions: 0, right, right
// 3 dimensions: 0, right, right
// columns: 0, right; destroyed twice: 0 1, size 0: 8
