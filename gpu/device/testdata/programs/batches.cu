// Many copies by one call, functions of the driver by name, kernels by handle, and what is asked of parameters.
#include <cstdio>
#include <cuda.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void set(char first, double *x, int3 v) { *x = first + v.x + 10 * v.y + 100 * v.z; }

int main() {
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    int *device, host[12], back[12] = {};
    for (int i = 0; i < 12; i++)
        host[i] = i + 1;
    CHECK(cudaMalloc(&device, sizeof host));

    const void *to[] = {device, device + 4, device + 8}, *from[] = {host + 8, host + 4, host};
    size_t sizes[] = {4 * sizeof(int), 4 * sizeof(int), 2 * sizeof(int)}, first[] = {0, 2};
    cudaMemcpyAttributes how[2] = {};
    how[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    how[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    CHECK(cudaMemset(device, 0, sizeof host));
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, how, first, 2, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost));
    for (int v : back)
        printf("%d ", v);
    printf("\n");
    how[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    printf("%s, ", cudaGetErrorName(cudaMemcpyBatchAsync(to, from, sizes, 3, how, first, 2, s)));
    printf("%s\n", cudaGetErrorName(cudaMemcpyBatchAsync(to, from, sizes, 3, how, first, 1, (cudaStream_t)0)));
    cudaGetLastError();

    // Two rows of two of four numbers each, into rows of three.
    cudaMemcpy3DBatchOp op = {};
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = host, op.src.op.ptr.rowLength = 4 * sizeof(int);
    op.dst.op.ptr.ptr = device, op.dst.op.ptr.rowLength = 3 * sizeof(int);
    op.src.op.ptr.locHint = {cudaMemLocationTypeHost, 0};
    op.dst.op.ptr.locHint = {cudaMemLocationTypeDevice, 0};
    op.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CHECK(cudaMemset(device, 0, sizeof host));
    CHECK(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; i++)
        printf("%d ", back[i]);

    // An array's elements are counted as such.
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, 4, 3));
    op = {};
    op.src.type = cudaMemcpyOperandTypePointer, op.dst.type = cudaMemcpyOperandTypeArray;
    op.src.op.ptr.ptr = host, op.src.op.ptr.rowLength = 4, op.src.op.ptr.locHint = {cudaMemLocationTypeHost, 0};
    op.dst.op.array.array = array, op.dst.op.array.offset = {1, 1, 0};
    op.extent = make_cudaExtent(3, 2, 1);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CHECK(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy2DFromArray(back, 3 * sizeof(int), array, 1 * sizeof(int), 1, 3 * sizeof(int), 2, cudaMemcpyDeviceToHost));
    printf("| ");
    for (int i = 0; i < 6; i++)
        printf("%d ", back[i]);
    printf("\n");

    // A stream's attributes are those of another.
    cudaStream_t other;
    CHECK(cudaStreamCreate(&other));
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = device, value.accessPolicyWindow.num_bytes = 64;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting, value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CHECK(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    CHECK(cudaStreamCopyAttributes(other, s));
    value = {};
    CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value));
    printf("%g of %zu bytes\n", value.accessPolicyWindow.hitRatio, value.accessPolicyWindow.num_bytes);

    CUresult (*count)(int *) = nullptr;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", reinterpret_cast<void **>(&count), 12000, cudaEnableDefault, &result));
    int devices = 0;
    int answer = count(&devices);
    printf("found: %d, %d devices: %d\n", result == cudaDriverEntryPointSuccess, answer, devices > 0);
    void *none = &devices;
    cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &none, 12000, cudaEnableDefault, &result);
    printf("not found: %d, null: %d\n", result == cudaDriverEntryPointSymbolNotFound, none == nullptr);
    cudaGetLastError();

    double *x;
    CHECK(cudaMallocManaged(&x, sizeof *x));
    char one = 1;
    int3 v = {2, 3, 4};
    void *args[] = {&one, &x, &v};
    cudaKernel_t kernel;
    CHECK(cudaGetKernel(&kernel, reinterpret_cast<const void *>(set)));
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(1), args, 0, s));
    CHECK(cudaDeviceSynchronize());
    printf("%g:", *x);
    for (size_t i = 0, at = 0, n = 0; cudaFuncGetParamInfo(reinterpret_cast<const void *>(set), i, &at, &n) == cudaSuccess; i++)
        printf(" %zu+%zu", at, n);
    printf("\n");
}

// Flags: -lcuda
// Output:
// 9 10 11 12 5 6 7 8 1 2 0 0 
// cudaErrorInvalidValue, cudaErrorInvalidValue
// 1 2 0 5 6 0 | 1 2 3 5 6 7 
// 0.5 of 64 bytes
// found: 1, 0 devices: 1
// not found: 1, null: 1
// 433: 0+1 8+8 16+12
