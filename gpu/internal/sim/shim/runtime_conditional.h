// Nodes of graphs whose bodies run on a condition, which kernels set; and nodes of any type by one function.
#pragma once

struct cudaKernelNodeParamsV2 {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra, *ctx;
};
struct cudaMemcpyNodeParams {
    int flags, reserved;
    void *ctx;
    cudaMemcpy3DParms copyParams;
};
struct cudaMemsetParamsV2 {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
    void *ctx;
};
struct cudaHostNodeParamsV2 {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
    int ownership;
};
struct cudaEventRecordNodeParams {
    cudaEvent_t event;
};
struct cudaEventWaitNodeParams {
    cudaEvent_t event;
};
struct cudaMemFreeNodeParams {
    void *dptr;
};
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalNodeType type;
    unsigned size;
    cudaGraph_t *phGraph_out; // the bodies, which the node has
    void *ctx;
};
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29] = {};
        cudaKernelNodeParamsV2 kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParamsV2 memset;
        cudaHostNodeParamsV2 host;
        cudaChildGraphNodeParams graph;
        cudaEventWaitNodeParams eventWait;
        cudaEventRecordNodeParams eventRecord;
        cudaMemAllocNodeParams alloc;
        cudaMemFreeNodeParams free;
        cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};

namespace gwrt {

// suits reports whether a body may have nodes of a type.
constexpr bool suits(cudaGraphNodeType type) {
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeMemset ||
           type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeConditional;
}

// canRun reports whether the nodes of a graph, and of those in it, have an order, and bodies only nodes that may be there.
bool canRun(cudaGraph_t g, bool isBody = false);

cudaError addConditional(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaConditionalNodeParams &p);

cudaKernelNodeParams older(const cudaKernelNodeParamsV2 &p);
cudaMemsetParams older(const cudaMemsetParamsV2 &p);

} // namespace gwrt

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t g, unsigned standard = 0, unsigned flags = 0);
GW_UNWATCHED GW_RT void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
    __atomic_store_n(&reinterpret_cast<gwrt::Condition *>(handle)->value, value, __ATOMIC_RELAXED);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaGraphNodeParams *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, const cudaGraphEdgeData *data, size_t count, cudaGraphNodeParams *p);
#define cudaGraphAddNode_v2 cudaGraphAddNode
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n, cudaGraphNodeParams *p);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraphNodeParams *p);
