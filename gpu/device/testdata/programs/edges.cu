// Edges of graphs with data: kept, copied, told, and refused where they do not fit.
#include <cstdio>
#include <initializer_list>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t e = (call);                                                \
        if (e != cudaSuccess) {                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorName(e));   \
            exit(1);                                                           \
        }                                                                      \
    } while (0)
#if CUDART_VERSION >= 13000
#define ADD_NODE cudaGraphAddNode
#define EDGES cudaGraphGetEdges
#define BEFORE cudaGraphNodeGetDependencies
#define BEHIND cudaGraphNodeGetDependentNodes
#define JOIN cudaGraphAddDependencies
#define PART cudaGraphRemoveDependencies
#define CAPTURE cudaStreamGetCaptureInfo
#else
#define ADD_NODE cudaGraphAddNode_v2
#define EDGES cudaGraphGetEdges_v2
#define BEFORE cudaGraphNodeGetDependencies_v2
#define BEHIND cudaGraphNodeGetDependentNodes_v2
#define JOIN cudaGraphAddDependencies_v2
#define PART cudaGraphRemoveDependencies_v2
#define CAPTURE cudaStreamGetCaptureInfo_v3
#endif

// Kernels that come after another by a programmatic edge need not wait for its end.
__global__ void count(int *x) { atomicAdd(x, 1); }

void refused(cudaError_t e) {
    printf("%s\n", cudaGetErrorName(e));
    cudaGetLastError();
}

int main() {
    int *x;
    CHECK(cudaMallocManaged(&x, sizeof *x));
    *x = 0;
    void *args[] = {&x};
    cudaGraphNodeParams p = {}, none = {};
    p.type = cudaGraphNodeTypeKernel, none.type = cudaGraphNodeTypeEmpty;
    p.kernel.func = reinterpret_cast<void *>(count), p.kernel.gridDim = 1, p.kernel.blockDim = 1, p.kernel.kernelParams = args;
    cudaGraph_t g, clone;
    cudaGraphNode_t first, second, third, empty;
    CHECK(cudaGraphCreate(&g, 0));
    CHECK(ADD_NODE(&first, g, nullptr, nullptr, 0, &p));
    cudaGraphEdgeData early = {}, plain = {};
    early.type = cudaGraphDependencyTypeProgrammatic;
    early.from_port = cudaGraphKernelNodePortProgrammatic;
    CHECK(ADD_NODE(&second, g, &first, &early, 1, &p));
    CHECK(ADD_NODE(&third, g, &second, nullptr, 1, &p));
    refused(ADD_NODE(&empty, g, &third, &early, 1, &none));
    CHECK(ADD_NODE(&empty, g, &third, &plain, 1, &none));

    CHECK(cudaGraphClone(&clone, g));
    for (cudaGraph_t graph : {g, clone}) {
        cudaGraphNode_t from[4], to[4];
        cudaGraphEdgeData data[4];
        size_t n = 4;
        refused(EDGES(graph, from, to, nullptr, &n));
        n = 4;
        CHECK(EDGES(graph, from, to, data, &n));
        int special = 0;
        for (size_t i = 0; i < n; i++)
            special += data[i].type == cudaGraphDependencyTypeProgrammatic && data[i].from_port == cudaGraphKernelNodePortProgrammatic;
        printf("%zu edges, %d with data\n", n, special);
    }
    cudaGraphNode_t node;
    cudaGraphEdgeData data;
    size_t n = 1;
    CHECK(BEFORE(second, &node, &data, &n));
    printf("before: %d %d\n", node == first, data.type);
    n = 1;
    CHECK(BEHIND(first, &node, &data, &n));
    printf("behind: %d %d\n", node == second, data.type);

    refused(JOIN(g, &first, &second, &early, 1));
    CHECK(PART(g, &first, &second, nullptr, 1)); // whatever the edge's data are
    refused(PART(g, &first, &second, &early, 1));
    refused(PART(g, &first, &third, nullptr, 1));
    early.from_port = cudaGraphKernelNodePortLaunchCompletion;
    CHECK(JOIN(g, &first, &second, &early, 1));
    n = 1;
    CHECK(BEFORE(second, &node, &data, &n));
    printf("port %d\n", data.from_port);

    cudaStream_t stream;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last;
    const cudaGraphEdgeData *ports;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCaptureToGraph(stream, g, &third, &early, 1, cudaStreamCaptureModeRelaxed));
    CHECK(CAPTURE(stream, &status, nullptr, nullptr, &last, &ports, &n));
    printf("captured after %zu node, port %d\n", n, ports[0].from_port);
    count<<<1, 1, 0, stream>>>(x);
    CHECK(cudaStreamEndCapture(stream, nullptr));
    n = 2;
    cudaGraphNode_t nodes[2];
    cudaGraphEdgeData datas[2];
    CHECK(BEHIND(third, nodes, datas, &n));
    printf("%zu behind, %d with data\n", n, (datas[0].type != 0) + (datas[1].type != 0));

    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, g, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", *x);
}

// Output:
// cudaErrorInvalidValue
// cudaErrorLossyQuery
// 3 edges, 1 with data
// cudaErrorLossyQuery
// 3 edges, 1 with data
// before: 1 1
// behind: 1 1
// cudaErrorInvalidValue
// cudaErrorInvalidValue
// cudaErrorInvalidValue
// port 2
// captured after 1 node, port 2
// 2 behind, 1 with data
// 4
