// CUDA graphs: by stream capture and node by node, changed after they were made, and what may not be captured.
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

__global__ void addTo(int *x, int value) { x[threadIdx.x] += value; }
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__global__ void sum(const int *a, const int *b, int *out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

void count(void *data) { ++*static_cast<int *>(data); }

// show prints the first and the last of n numbers.
void show(const char *what, const int *device, int n) {
    int host[32];
    CHECK(cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%s %d %d\n", what, host[0], host[n - 1]);
}

int main() {
    constexpr int n = 32;
    int *a, *b, *out, calls = 0;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(a, 0, n * sizeof(int)));
    CHECK(cudaMemset(b, 0, n * sizeof(int)));

    // Two streams that fork and join again.
    cudaStream_t s, side;
    cudaEvent_t forked, joined;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaEventCreate(&joined));
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    addTo<<<1, n, 0, s>>>(a, 1);
    CHECK(cudaEventRecord(forked, s));
    CHECK(cudaStreamWaitEvent(side, forked, 0));
    addTo<<<1, n, 0, side>>>(b, 10);
    CHECK(cudaEventRecord(joined, side));
    twice<<<1, n, 0, s>>>(a);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(side, &status));
    printf("side stream captures: %d\n", status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamWaitEvent(s, joined, 0));
    CHECK(cudaStreamDestroy(side));
    sum<<<1, n, 0, s>>>(a, b, out);
    CHECK(cudaLaunchHostFunc(s, count, &calls));
    CHECK(cudaStreamEndCapture(s, &graph));
    size_t nodes, roots;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    show("nothing has run", a, n);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%zu nodes, %zu root, %d calls\n", nodes, roots, calls);
    show("three launches", out, n); // a: 2, 6, 14; b: 10, 20, 30

    // The same by hand, with nodes that are added out of order.
    cudaGraph_t built;
    CHECK(cudaGraphCreate(&built, 0));
    int value = 5, back[n];
    void *addArgs[] = {&a, &value}, *twiceArgs[] = {&a};
    cudaKernelNodeParams p = {};
    p.gridDim = dim3(1), p.blockDim = dim3(n);
    p.func = (void *)twice, p.kernelParams = twiceArgs;
    cudaGraphNode_t fill, add, dbl, copy;
    CHECK(cudaGraphAddKernelNode(&dbl, built, nullptr, 0, &p));
    p.func = (void *)addTo, p.kernelParams = addArgs;
    CHECK(cudaGraphAddKernelNode(&add, built, nullptr, 0, &p));
    cudaMemsetParams m = {};
    m.dst = a, m.value = 7, m.elementSize = 4, m.width = n, m.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, built, nullptr, 0, &m));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, built, &dbl, 1, back, a, sizeof back, cudaMemcpyDeviceToHost));
    cudaGraphNode_t from[] = {fill, add}, to[] = {add, dbl};
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddDependencies(built, from, to, nullptr, 2));
#else
    CHECK(cudaGraphAddDependencies(built, from, to, 2));
#endif
    value = 1000; // a node has copied its arguments
    cudaGraphExec_t again;
    CHECK(cudaGraphInstantiate(&again, built, 0));
    CHECK(cudaGraphLaunch(again, s));
    CHECK(cudaStreamSynchronize(s));
    printf("built %d %d\n", back[0], back[n - 1]); // (7 + 5) * 2
    CHECK(cudaGraphKernelNodeGetParams(add, &p));
    value = 8;
    printf("had %d\n", *static_cast<int *>(p.kernelParams[1]));
    p.kernelParams = addArgs;
    CHECK(cudaGraphExecKernelNodeSetParams(again, add, &p));
    CHECK(cudaGraphLaunch(again, s));
    CHECK(cudaStreamSynchronize(s));
    printf("changed %d %d\n", back[0], back[n - 1]); // (7 + 8) * 2

    // A graph as a node of another.
    cudaGraph_t outer;
    cudaGraphNode_t inner, after;
    cudaGraphExec_t whole;
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&inner, outer, nullptr, 0, built));
    cudaHostNodeParams h = {count, &calls};
    CHECK(cudaGraphAddHostNode(&after, outer, &inner, 1, &h));
    CHECK(cudaGraphInstantiate(&whole, outer, 0));
    memset(back, 0, sizeof back);
    CHECK(cudaGraphLaunch(whole, s));
    CHECK(cudaStreamSynchronize(s));
    printf("nested %d, %d calls\n", back[0], calls);

    // Memory that a graph allocates and the program frees is at the same address at the next launch.
    cudaGraph_t allocating;
    cudaGraphExec_t allocates;
    int *made, *first;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&made, n * sizeof(int), s));
    CHECK(cudaMemsetAsync(made, 0, n * sizeof(int), s));
    addTo<<<1, n, 0, s>>>(made, 3);
    CHECK(cudaStreamEndCapture(s, &allocating));
    CHECK(cudaGraphInstantiate(&allocates, allocating, 0));
    first = made;
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGraphLaunch(allocates, s));
        CHECK(cudaStreamSynchronize(s));
        show("allocated", first, n);
        CHECK(cudaFreeAsync(first, s));
        CHECK(cudaStreamSynchronize(s));
    }
    CHECK(cudaGraphExecDestroy(allocates));
    CHECK(cudaGraphDestroy(allocating));

    // What waits for a stream that is captured ends the capture.
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    addTo<<<1, n, 0, s>>>(a, 1);
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
    printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphExecDestroy(again));
    CHECK(cudaGraphExecDestroy(whole));
    CHECK(cudaGraphDestroy(built));
    CHECK(cudaGraphDestroy(outer));
    CHECK(cudaDeviceSynchronize());
}
// Output:
// side stream captures: 1
// nothing has run 0 0
// 5 nodes, 1 root, 3 calls
// three launches 44 44
// built 24 24
// had 5
// changed 30 30
// nested 24, 4 calls
// allocated 3 3
// allocated 3 3
// cudaErrorStreamCaptureUnsupported
// cudaErrorStreamCaptureInvalidated
