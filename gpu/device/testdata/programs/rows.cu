// Products of rows that end where their memory ends. g++ 12 reads some rows more when it vectorises the loop over i.
#include <cstdio>

const int width = 768, depth = 64, rows = 8;

__device__ float4 at(const float *p) { return *reinterpret_cast<const float4 *>(p); }

__global__ void products(float *out, const float *a, const float *b, int stride, int n) {
    float sums[rows][rows] = {};
    for (int s = 0; s < n; s += 4) {
        float4 r[rows];
        for (int u = 0; u < rows; u++)
            r[u] = at(b + u * stride + s);
        for (int i = 0; i < rows; i++) {
            float4 l = at(a + i * stride + s);
            for (int j = 0; j < rows; j++) {
                sums[i][j] += l.x * r[j].x;
                sums[i][j] += l.y * r[j].y;
                sums[i][j] += l.z * r[j].z;
                sums[i][j] += l.w * r[j].w;
            }
        }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            out[i * rows + j] = sums[i][j];
}

int main() {
    const size_t length = 3 << 16; // floats, in whole pages
    float *x, *out, *host = new float[length], sums[rows * rows];
    for (size_t i = 0; i < length; i++)
        host[i] = float(i % 7);
    cudaMalloc(&x, length * sizeof *x);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(x, host, length * sizeof *x, cudaMemcpyHostToDevice);
    size_t last = length - (rows - 1) * width - depth;
    products<<<1, 1>>>(out, x + last, x, width, depth);
    printf("%s\n", cudaGetErrorString(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost)));
    int wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            float sum = 0;
            for (int s = 0; s < depth; s++)
                sum += host[last + i * width + s] * host[j * width + s];
            wrong += sum != sums[i * rows + j];
        }
    printf("%d wrong\n", wrong);
}

// Output:
// no error
// 0 wrong
