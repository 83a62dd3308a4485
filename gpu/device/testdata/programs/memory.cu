// Memory of every kind, streams and events.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void add(int *x, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}
__global__ void transpose(const float *in, float *out, int w, int h, size_t pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * pitch / sizeof(float) + x];
}

int main() {
    const int n = 1 << 12;
    cudaStream_t s, urgent;
    int least, most;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &most));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, most));
    int *pinned, *device, *managed;
    CHECK(cudaMallocHost(&pinned, n * sizeof(int)));
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        pinned[i] = managed[i] = i;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, s));
    CHECK(cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice, s));
    add<<<n / 128, 128, 0, s>>>(device, 5, n);
    CHECK(cudaEventRecord(end, s));
    CHECK(cudaStreamWaitEvent(urgent, end, 0));
    add<<<n / 128, 128, 0, urgent>>>(device, 10, n);
    CHECK(cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, urgent));
    CHECK(cudaStreamSynchronize(urgent));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    printf("async %d %d, time %s\n", pinned[0], pinned[n - 1], ms >= 0 ? "known" : "unknown");

    add<<<n / 128, 128>>>(managed, 1, n);
    CHECK(cudaDeviceSynchronize());
    managed[7]++;
    printf("managed %d %d\n", managed[7], managed[n - 1]);

    const int w = 5, h = 3;
    float table[h][w], turned[w][h];
    for (int i = 0; i < w * h; i++)
        table[i / w][i % w] = i;
    float *rows, *out;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, w * sizeof(float), h));
    CHECK(cudaMalloc(&out, w * h * sizeof(float)));
    CHECK(cudaMemcpy2D(rows, pitch, table, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    transpose<<<dim3(1, 1), dim3(8, 8)>>>(rows, out, w, h, pitch);
    CHECK(cudaMemcpy(turned, out, sizeof turned, cudaMemcpyDeviceToHost));
    printf("turned %g %g, rows %s\n", turned[1][0], turned[4][2], pitch % 512 ? "odd" : "aligned");

    CHECK(cudaMemset(device, 0xff, 4 * sizeof(int)));
    int four[4];
    CHECK(cudaMemcpy(four, device, sizeof four, cudaMemcpyDefault));
    printf("memset %d\n", four[3]);
    size_t free, total;
    CHECK(cudaMemGetInfo(&free, &total));
    printf("free %s\n", free > 0 && free <= total ? "yes" : "no");
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, device));
    printf("device memory %s\n", about.type == cudaMemoryTypeDevice ? "yes" : "no");

    CHECK(cudaFree(device));
    CHECK(cudaFree(managed));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(out));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaStreamDestroy(s));
}
// Output:
// async 15 4110, time known
// managed 9 4096
// turned 1 14, rows aligned
// memset -1
// free yes
// device memory yes
