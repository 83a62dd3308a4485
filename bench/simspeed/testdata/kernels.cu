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
}
