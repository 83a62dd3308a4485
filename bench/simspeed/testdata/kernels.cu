// Kernels as textbooks write them, timed on the device. host.cpp computes the same.
#include "common.h"

__global__ void add(const float *x, const float *y, float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}

__global__ void saxpy(float a, const float *x, const float *y, float *z, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        z[i] = a * x[i] + y[i];
}

constexpr int T = 16;
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float as[T][T], bs[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        as[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

template <typename V> __inline__ __device__ V warpReduceSum(V val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
template <typename V> __inline__ __device__ V blockReduceSum(V val) {
    static __shared__ V shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}
__global__ void reduceShuffle(const float *x, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0;
    v = blockReduceSum(v);
    if (threadIdx.x == 0)
        atomicAdd(sum, v);
}

__global__ void reduceShared(const float *x, float *sum, int n) {
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, part[0]);
}

__device__ unsigned warpScan(unsigned v, int lane) {
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    return v;
}
__global__ void scan(const uint32_t *keys, uint32_t *out) {
    __shared__ unsigned sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = warpScan(keys[i] & 15, lane);
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        unsigned s = lane < blockDim.x / 32 ? sums[lane] : 0;
        sums[lane] = warpScan(s, lane);
    }
    __syncthreads();
    out[i] = v + (warp > 0 ? sums[warp - 1] : 0);
}

__global__ void histogram(const unsigned char *x, unsigned *bins, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[x[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void stencil(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    const float *m = &in[y * n + x];
    out[y * n + x] = 0.2f * (m[0] + m[-1] + m[1] + m[-n] + m[n]);
}

__global__ void compact(const uint32_t *keys, uint32_t *out, unsigned *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && keys[i] % 3 == 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    unsigned base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep)
        out[base + __popc(votes & ((1u << lane) - 1))] = keys[i];
}

__global__ void sortBlocks(const uint32_t *keys, uint32_t *out) {
    __shared__ unsigned s[256], zeros[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    s[threadIdx.x] = keys[i] & 255;
    __syncthreads();
    for (int bit = 0; bit < 8; bit++) {
        unsigned key = s[threadIdx.x];
        unsigned zero = ~__ballot_sync(0xffffffff, key >> bit & 1);
        if (lane == 0)
            zeros[warp] = __popc(zero);
        __syncthreads();
        unsigned before = 0, all = 0;
        for (int w = 0; w < 8; w++) {
            before += w < warp ? zeros[w] : 0;
            all += zeros[w];
        }
        before += __popc(zero & ((1u << lane) - 1));
        s[key >> bit & 1 ? all + threadIdx.x - before : before] = key;
        __syncthreads();
    }
    out[i] = s[threadIdx.x];
}

__global__ void gravity(const float *px, const float *py, const float *pz, float *force, int n) {
    __shared__ float sx[256], sy[256], sz[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = px[i], y = py[i], z = pz[i], s = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        sx[threadIdx.x] = px[base + threadIdx.x];
        sy[threadIdx.x] = py[base + threadIdx.x];
        sz[threadIdx.x] = pz[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = sx[j] - x, dy = sy[j] - y, dz = sz[j] - z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            s += dx / (d * sqrtf(d));
        }
        __syncthreads();
    }
    force[i] = s;
}

constexpr int R = 3;
__global__ void stencilLine(const float *in, float *out, int n) {
    __shared__ float s[chunk + 2 * R];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + R;
    s[at] = in[i];
    if (threadIdx.x < R) {
        s[at - R] = i >= R ? in[i - R] : 0;
        s[at + chunk] = i + chunk < n ? in[i + chunk] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -R; k <= R; k++)
        sum += s[at + k];
    out[i] = sum;
}

__constant__ float mask[M][M];
__global__ void convolve(const float *in, float *out, int n) {
    __shared__ float tile[16 + M - 1][32 + M - 1];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 16 + M - 1; j += 16)
        for (int i = threadIdx.x; i < 32 + M - 1; i += 32) {
            int u = blockIdx.x * 32 + i - M / 2, v = blockIdx.y * 16 + j - M / 2;
            tile[j][i] = u >= 0 && u < n && v >= 0 && v < n ? in[v * n + u] : 0;
        }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < M; j++)
        for (int i = 0; i < M; i++)
            sum += mask[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
    out[y * n + x] = sum;
}

__global__ void softmax(const float *in, float *out, int columns) {
    __shared__ float part[256];
    const float *x = in + blockIdx.x * columns;
    float *y = out + blockIdx.x * columns;
    float top = -INFINITY;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        top = fmaxf(top, x[j]);
    part[threadIdx.x] = top;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
        float e = expf(x[j] - top);
        y[j] = e;
        sum += e;
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    sum = part[0];
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[j] /= sum;
}

__device__ float normal(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0 ? 1 - c : c;
}
__global__ void blackScholes(const float *price, const float *strike, const float *years, float *call, float *put, float rate, float volatility, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 10 + 40 * price[i], x = 5 + 60 * strike[i], t = 0.25f + 8 * years[i];
    float root = sqrtf(t), d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
    float a = normal(d1), b = normal(d2), e = expf(-rate * t);
    call[i] = s * a - x * e * b;
    put[i] = x * e * (1 - b) - s * (1 - a);
}

__global__ void mandelbrot(int *out, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float cx = -2 + 3.f * i / n, cy = -1.5f + 3.f * j / n, x = 0, y = 0;
    int k = 0;
    while (k < limit && x * x + y * y < 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
    }
    out[j * n + i] = k;
}

__global__ void matrixVector(const float *a, const float *x, float *y, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += a[row * columns + j] * x[j];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

__global__ void bitonic(const uint32_t *keys, uint32_t *out) {
    __shared__ uint32_t s[chunk];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = keys[i];
    for (int k = 2; k <= blockDim.x; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int other = threadIdx.x ^ j;
            if (other > threadIdx.x) {
                uint32_t a = s[threadIdx.x], b = s[other];
                if ((threadIdx.x & k) == 0 ? a > b : a < b) {
                    s[threadIdx.x] = b;
                    s[other] = a;
                }
            }
        }
    __syncthreads();
    out[i] = s[threadIdx.x];
}

__global__ void spmv(int rows, const int *starts, const int *columns, const float *values, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int j = starts[row]; j < starts[row + 1]; j++)
            sum += values[j] * x[columns[j]];
        y[row] = sum;
    }
}

__global__ void scanByTree(const uint32_t *keys, uint32_t *out) {
    __shared__ uint32_t s[chunk];
    int t = threadIdx.x, base = blockIdx.x * chunk, distance = 1;
    s[2 * t] = keys[base + 2 * t] & 15;
    s[2 * t + 1] = keys[base + 2 * t + 1] & 15;
    for (int d = chunk / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[distance * (2 * t + 2) - 1] += s[distance * (2 * t + 1) - 1];
        distance *= 2;
    }
    if (t == 0)
        s[chunk - 1] = 0;
    for (int d = 1; d < chunk; d *= 2) {
        distance /= 2;
        __syncthreads();
        if (t < d) {
            int a = distance * (2 * t + 1) - 1, b = distance * (2 * t + 2) - 1;
            uint32_t left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

template <class V> V *managed(size_t count) {
    V *p;
    if (cudaMallocManaged(&p, count * sizeof(V)) != cudaSuccess)
        std::printf("no memory\n"), exit(1);
    return p;
}
void done() {
    if (cudaError_t e = cudaDeviceSynchronize(); e != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(e)), exit(1);
}

int main() {
    float *x = managed<float>(n), *y = managed<float>(n), *z = managed<float>(n), *a = managed<float>(side * side), *b = managed<float>(side * side),
          *c = managed<float>(side * side), *p = managed<float>(plane * plane), *q = managed<float>(plane * plane);
    uint32_t *keys = managed<uint32_t>(n), *out = managed<uint32_t>(n);
    unsigned char *bytes = managed<unsigned char>(n);
    float *sum = managed<float>(1);
    unsigned *bins = managed<unsigned>(256);
    for (int i = 0; i < n; i++)
        x[i] = real(i), y[i] = real(i + n), keys[i] = mix(i), bytes[i] = (unsigned char)(mix(i) >> 3);
    for (int i = 0; i < side * side; i++)
        a[i] = real(i), b[i] = real(i + 7);
    for (int i = 0; i < plane * plane; i++)
        p[i] = real(i);

    measure("vector add", [&] { add<<<n / 256, 256>>>(x, y, z, n), done(); }, [&] { return total(z, n); });
    measure("saxpy", [&] { saxpy<<<1024, 256>>>(2.5f, x, y, z, n), done(); }, [&] { return total(z, n); });
    measure("matrix product by tiles, 512", [&] { product<<<dim3(side / T, side / T), dim3(T, T)>>>(a, b, c, side), done(); }, [&] { return total(c, side * side); });
    measure("reduction by shuffles", [&] { *sum = 0, reduceShuffle<<<n / 256, 256>>>(x, sum, n), done(); }, [&] { return *sum; });
    measure("reduction in shared memory", [&] { *sum = 0, reduceShared<<<n / 256, 256>>>(x, sum, n), done(); }, [&] { return *sum; });
    measure("scan of blocks by shuffles", [&] { scan<<<n / chunk, chunk>>>(keys, out), done(); }, [&] { return total(out, n); });
    measure("histogram, shared atomics", [&] {
        for (int i = 0; i < 256; i++)
            bins[i] = 0;
        histogram<<<256, 256>>>(bytes, bins, n), done();
    }, [&] { return total(bins, 256); });
    measure("transpose by tiles", [&] { transpose<<<dim3(plane / 32, plane / 32), dim3(32, 8)>>>(p, q, plane), done(); }, [&] { return total(q, plane * plane); });
    measure("stencil of 5 points", [&] { stencil<<<dim3(plane / 32, plane / 8), dim3(32, 8)>>>(p, q, plane), done(); }, [&] { return total(q + plane, plane); });
    measure("compaction by ballots", [&] { *bins = 0, compact<<<n / 256, 256>>>(keys, out, bins, n), done(); }, [&] { return double(*bins); });
    measure("radix sort of blocks", [&] { sortBlocks<<<n / chunk, chunk>>>(keys, out), done(); }, [&] { return total(out, n); });
    float *px = managed<float>(bodies), *py = managed<float>(bodies), *pz = managed<float>(bodies), *force = managed<float>(bodies);
    for (int i = 0; i < bodies; i++)
        px[i] = real(i), py[i] = real(i + 1000000), pz[i] = real(i + 2000000);
    measure("n bodies", [&] { gravity<<<bodies / 256, 256>>>(px, py, pz, force, bodies), done(); }, [&] { return total(force, bodies); });
    measure("stencil of 7 points in a line", [&] { stencilLine<<<n / chunk, chunk>>>(x, z, n), done(); }, [&] { return total(z, n); });
    float weights[M][M];
    for (int j = 0; j < M; j++)
        for (int i = 0; i < M; i++)
            weights[j][i] = weight(j, i);
    cudaMemcpyToSymbol(mask, weights, sizeof mask);
    measure("convolution of 5 by 5", [&] { convolve<<<dim3(plane / 32, plane / 16), dim3(32, 16)>>>(p, q, plane), done(); }, [&] { return total(q, plane * plane); });
    measure("softmax of rows", [&] { softmax<<<n / columns, 256>>>(x, z, columns), done(); }, [&] { return total(z, n); });
    measure("Black-Scholes", [&] { blackScholes<<<options / 256, 256>>>(x, y, p, z, q, 0.02f, 0.3f, options), done(); }, [&] { return total(z, options) + total(q, options); });
    measure("Mandelbrot set", [&] { mandelbrot<<<dim3(side / 16, side / 16), dim3(16, 16)>>>((int *)out, side, 256), done(); }, [&] { return total((int *)out, side * side); });
    measure("matrix by vector, a warp a row", [&] { matrixVector<<<n / columns * 32 / 256, 256>>>(x, y, z, n / columns, columns), done(); }, [&] { return total(z, n / columns); });
    measure("bitonic sort of blocks", [&] { bitonic<<<n / chunk, chunk>>>(keys, out), done(); }, [&] { return total(out, n); });
    int *starts = managed<int>(rows + 1), *places = managed<int>(entries(rows));
    sparse(starts, places);
    measure("sparse matrix by vector, CSR", [&] { spmv<<<(rows + 255) / 256, 256>>>(rows, starts, places, x, y, z), done(); }, [&] { return total(z, rows); });
    measure("scan of blocks by a tree", [&] { scanByTree<<<n / chunk, chunk / 2>>>(keys, out), done(); }, [&] { return total(out, n); });
    // All rows of the grid do the same.
    measure("vector add in the cache", [&] { add<<<dim3(few / 256, n / few), 256>>>(x, y, z, few), done(); }, [&] { return total(z, few); });
}
