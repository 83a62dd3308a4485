// The driver API's copies by batch, and what its streams do.
// Flags: -lcuda
#include <cstdio>
#include <cuda.h>

#define CHECK(call)                                              \
    do {                                                         \
        CUresult e = (call);                                     \
        if (e != CUDA_SUCCESS) {                                 \
            fprintf(stderr, "line %d: error %d\n", __LINE__, e); \
            exit(1);                                             \
        }                                                        \
    } while (0)

#if CUDA_VERSION >= 13000
#define BATCH(to, from, sizes, count, how, first, n, s) cuMemcpyBatchAsync(to, from, sizes, count, how, first, n, s)
#else
#define BATCH(to, from, sizes, count, how, first, n, s) cuMemcpyBatchAsync(to, from, sizes, count, how, first, n, &failed, s)
#endif

void CUDA_CB told(void *text) { printf("%s\n", static_cast<const char *>(text)); }

int main() {
    CUdevice device;
    CUcontext context;
    CUstream s;
    CUdeviceptr p, q;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -1));
    int priority = 0;
    CHECK(cuStreamGetPriority(s, &priority));
    CHECK(cuMemAllocAsync(&p, 64, s));
    CHECK(cuMemAllocAsync(&q, 64, s));
    CHECK(cuMemsetD32Async(p, 7, 8, s));
    CHECK(cuMemsetD16Async(p + 32, 0x0101, 16, s));
    CHECK(cuMemsetD8Async(q, 0, 64, s));

    [[maybe_unused]] size_t failed = 0;
    CUdeviceptr to[] = {q + 32, q}, from[] = {p, p + 32};
    size_t sizes[] = {32, 16}, first[] = {0};
    CUmemcpyAttributes how[1] = {};
    how[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CHECK(BATCH(to, from, sizes, 2, how, first, 1, s));
    int back[16];
    CHECK(cuMemcpyDtoHAsync(back, q, sizeof back, s));
    CHECK(cuLaunchHostFunc(s, told, const_cast<char *>("copied")));
    CHECK(cuStreamSynchronize(s));
    printf("%d %x %d %d %d\n", priority, back[0], back[4], back[8], back[15]);
    how[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    printf("%d %d\n", BATCH(to, from, sizes, 2, how, first, 1, s), BATCH(to, from, sizes, 2, how, first, 0, s));
    CHECK(cuMemFreeAsync(p, s));
    CHECK(cuMemFreeAsync(q, s));
    CHECK(cuStreamDestroy(s));
}

// Output:
// copied
// -1 1010101 0 7 7
// 1 1
