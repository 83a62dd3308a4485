// The runtime API beside copies and launches: what it tells of a device, memory of three dimensions, pools, managed memory, and the
// include guards that programs look at.
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__)
#error "an include guard of CUDA's headers is missing"
#endif

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void planes(cudaPitchedPtr p, int w, int h, int d) {
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            if (int x = threadIdx.x; x < w)
                reinterpret_cast<int *>(static_cast<char *>(p.ptr) + (z * h + y) * p.pitch)[x] += 100 * z + 10 * y + x;
}
__global__ void sample(cudaTextureObject_t t, int *out, int x, int y, int z) { *out = tex3D<int>(t, x, y, z); }
struct Counter {
    int value;
};
__global__ void raise(Counter &c, int) { c.value++; }

int main() {
    int value, block;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0));
    printf("compute mode %d\n", value == cudaComputeModeDefault);
    CHECK(cudaDeviceGetAttribute(&block, cudaDevAttrMaxBlockDimX, 0));
    printf("attributes %d %d\n", block == p.maxThreadsDim[0], p.maxTexture3D[2] > 0 && p.maxTexture2D[0] > 0 && p.surfaceAlignment > 0 && p.memPitch > 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrIntegrated, 0));
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    CHECK(cudaProfilerStart());
    CHECK(cudaProfilerStop());

    constexpr int w = 5, h = 3, d = 2;
    cudaExtent bytes = make_cudaExtent(w * sizeof(int), h, d);
    cudaPitchedPtr volume;
    CHECK(cudaMalloc3D(&volume, bytes));
    CHECK(cudaMemset3D(volume, 0, bytes));
    planes<<<1, 8>>>(volume, w, h, d);
    int host[d][h][w];
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = volume;
    copy.dstPtr = make_cudaPitchedPtr(host, w * sizeof(int), w, h);
    copy.extent = bytes;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    printf("volume %d %d %d\n", host[0][0][0], host[1][0][4], host[1][2][3]);

    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d)));
    copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, w * sizeof(int), w, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    int *out, got = 0;
    CHECK(cudaMalloc(&out, sizeof(int)));
    sample<<<1, 1>>>(texture, out, 3, 2, 1);
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    printf("texture %d\n", got);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(volume.ptr));

    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = ~0ull, back = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    int *pooled;
    CHECK(cudaMallocAsync(&pooled, 1000, s));
    CHECK(cudaMemsetAsync(pooled, 1, 1000, s));
    unsigned long long used = 0;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaFreeAsync(pooled, s));
    CHECK(cudaStreamSynchronize(s));
    printf("pool %d %d\n", back == threshold, used >= 1000);

    Counter *c;
    CHECK(cudaMallocManaged(&c, sizeof *c));
    c->value = 4;
    CHECK(cudaStreamAttachMemAsync(s, c, 0, cudaMemAttachSingle));
    CHECK(cudaStreamSynchronize(s));
    raise<<<1, 1, 0, s>>>(*c, 0);
    CHECK(cudaStreamSynchronize(s));
    printf("reference %d\n", c->value);
}
// Output:
// compute mode 1
// attributes 1 1
// volume 0 104 123
// texture 123
// pool 1 1
// reference 5
