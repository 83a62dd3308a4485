// The driver API's virtual memory: a vector that grows in place, by addresses that are reserved and memory that is mapped there.
#include <cstdio>
#include <cuda.h>
#include <vector>

__global__ void count(int *x, int from, int n) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}
__global__ void total(const int *x, int n, unsigned long long *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, (unsigned long long)x[i]);
}

static int failed = 0;
static void want(CUresult got, CUresult expected, int line) {
    if (got != expected)
        printf("line %d: %d, want %d\n", line, got, expected), failed = 1;
}
#define OK(call) want(call, CUDA_SUCCESS, __LINE__)
#define FAILS(call, with) want(call, with, __LINE__)

int main() {
    OK(cuInit(0));
    CUdevice device;
    CUcontext context;
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    int supported = 0;
    OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    size_t unit = 0;
    OK(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    printf("%d %zu\n", supported, unit);

    CUdeviceptr base = 0;
    OK(cuMemAddressReserve(&base, 4 * unit, 0, 0, 0));
    CUmemAccessDesc access = {};
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    std::vector<CUmemGenericAllocationHandle> handles;
    const int perUnit = int(unit / sizeof(int));
    unsigned long long *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    for (int k = 0; k < 3; k++) { // grows, and keeps what it has
        CUmemGenericAllocationHandle h;
        OK(cuMemCreate(&h, unit, &prop, 0));
        OK(cuMemMap(base + k * unit, unit, 0, h, 0));
        OK(cuMemSetAccess(base + k * unit, unit, &access, 1));
        handles.push_back(h);
        count<<<perUnit / 256, 256>>>((int *)base, k * perUnit, (k + 1) * perUnit);
        *sum = 0;
        total<<<(k + 1) * perUnit / 256, 256>>>((int *)base, (k + 1) * perUnit, sum);
        cudaDeviceSynchronize();
        printf("%d: %llu\n", k, *sum);
    }
    // Copies and fills cross from one mapping to the next.
    std::vector<int> back(2 * perUnit);
    OK(cuMemcpyDtoH(back.data(), base + unit / 2, 2 * unit));
    printf("%d %d\n", back[0] == perUnit / 2, back[2 * perUnit - 1] == perUnit / 2 + 2 * perUnit - 1);
    OK(cuMemsetD32(base + unit / 2, 7, 2 * perUnit));
    unsigned long long flags = 0;
    OK(cuMemGetAccess(&flags, &prop.location, base + unit));
    printf("%llu\n", flags);

    // The same memory at two addresses, and after its handle has been released.
    CUdeviceptr other = 0;
    OK(cuMemAddressReserve(&other, unit, 0, 0, 0));
    OK(cuMemMap(other, unit, 0, handles[1], 0));
    OK(cuMemSetAccess(other, unit, &access, 1));
    for (CUmemGenericAllocationHandle h : handles)
        OK(cuMemRelease(h));
    OK(cuMemUnmap(base, 3 * unit));
    *sum = 0;
    total<<<perUnit / 256, 256>>>((int *)other, perUnit, sum);
    cudaDeviceSynchronize();
    printf("%d\n", *sum == 7ull * perUnit);

    // What is not allowed.
    CUmemGenericAllocationHandle h = 0;
    FAILS(cuMemCreate(&h, unit + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemCreate(&h, unit, &prop, 0));
    FAILS(cuMemMap(base, 2 * unit, 0, h, 0), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuMemRelease(h));
    OK(cuMemUnmap(other, unit));
    OK(cuMemAddressFree(other, unit));
    OK(cuMemAddressFree(base, 4 * unit));
    cudaFree(sum);
    OK(cuDevicePrimaryCtxRelease(device));
    return failed;
}
// Flags: -lcuda
// Output:
// 1 2097152
// 0: 137438691328
// 1: 549755289600
// 2: 1236949794816
// 1 1
// 3
// 1
