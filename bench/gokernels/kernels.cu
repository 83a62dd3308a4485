// The kernels of kernels.go as one writes them in CUDA C.
extern "C" {

__global__ void vecAdd(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void reduce(const float *x, float *sums, int n) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    tile[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) tile[t] += tile[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(sums, tile[0]);
}

__global__ void matMul(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[32][32], tb[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    float sum = 0;
    for (int m = 0; m < n; m += 32) {
        ta[ty][tx] = a[row * n + m + tx];
        tb[ty][tx] = b[(m + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(by + ty + j) * n + bx + tx];
    __syncthreads();
    for (int j = 0; j < 32; j += 8) out[(bx + ty + j) * n + by + tx] = tile[tx][ty + j];
}

__global__ void histogram(const unsigned char *in, unsigned *counts, int n) {
    __shared__ unsigned local[256];
    int t = threadIdx.x;
    local[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[t], local[t]);
}

__global__ void stencil(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        int i = y * n + x;
        out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    }
}

__device__ float normal(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - c : c;
}

__global__ void blackScholes(const float *price, const float *strike, const float *years, float *call, float *put, int n) {
    const float rate = 0.02f, volatility = 0.30f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
    float n1 = normal(d1), n2 = normal(d2), discount = expf(-rate * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1 - n2) - s * (1 - n1);
}

__global__ void nBody(const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay, float *az, int n) {
    __shared__ float tile[4][256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float px = x[i], py = y[i], pz = z[i], sx = 0, sy = 0, sz = 0;
    for (int first = 0; first < n; first += 256) {
        tile[0][t] = x[first + t], tile[1][t] = y[first + t], tile[2][t] = z[first + t], tile[3][t] = mass[first + t];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = tile[0][k] - px, dy = tile[1][k] - py, dz = tile[2][k] - pz;
            float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f), f = tile[3][k] * r * r * r;
            sx += dx * f, sy += dy * f, sz += dz * f;
        }
        __syncthreads();
    }
    ax[i] = sx, ay[i] = sy, az[i] = sz;
}

__global__ void mandelbrot(int *out, int n, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float cr = (float)x / n * 3 - 2, ci = (float)y / n * 3 - 1.5f, zr = 0, zi = 0;
    int steps = 0;
    while (zr * zr + zi * zi < 4 && steps < limit) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        steps++;
    }
    out[y * n + x] = steps;
}

__global__ void softmax(const float *in, float *out, int width) {
    __shared__ float tile[256];
    int t = threadIdx.x, row = blockIdx.x * width;
    float largest = __int_as_float(0xff800000);
    for (int j = t; j < width; j += 256) largest = fmaxf(largest, in[row + j]);
    tile[t] = largest;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) tile[t] = fmaxf(tile[t], tile[t + s]);
        __syncthreads();
    }
    largest = tile[0];
    __syncthreads();
    float sum = 0;
    for (int j = t; j < width; j += 256) sum += expf(in[row + j] - largest);
    tile[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) tile[t] += tile[t + s];
        __syncthreads();
    }
    sum = tile[0];
    for (int j = t; j < width; j += 256) out[row + j] = expf(in[row + j] - largest) / sum;
}
}
