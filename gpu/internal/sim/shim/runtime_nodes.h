// What graphs and their nodes are asked for: parameters, events, numbers; and the objects that graphs hold.
#pragma once

enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess,
    cudaGraphInstantiateError,
    cudaGraphInstantiateInvalidStructure,
    cudaGraphInstantiateNodeOperationNotSupported,
    cudaGraphInstantiateMultipleDevicesNotSupported,
    cudaGraphInstantiateConditionalHandleUnused
};
struct cudaGraphInstantiateParams {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
};
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

namespace gwrt {

cudaError isOfType(cudaGraphNode_t n, cudaGraphNodeType type);

// inExec calls f with the copy of a node that is in a graph that can run.
template <class F> cudaError inExec(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraphNodeType type, F f) {
    cudaGraphNode_t copy = exec == nullptr ? nullptr : copyOfNode(exec, n);
    if (cudaError e = isOfType(copy, type))
        return e;
    return f(copy);
}
cudaError setEvent(cudaGraphNode_t n, cudaGraphNodeType type, cudaEvent_t event);
cudaError eventOf(cudaGraphNode_t n, cudaGraphNodeType type, cudaEvent_t *event);

// alike reports whether two graphs have nodes of the same types, with the same dependencies.
bool alike(cudaGraph_t a, cudaGraph_t b);

} // namespace gwrt

// ---- instances ----

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t g, cudaGraphInstantiateParams *p);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
cudaError_t cudaGraphExecGetId(cudaGraphExec_t exec, unsigned *id);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraph_t child);

// ---- numbers ----

cudaError_t cudaGraphGetId(cudaGraph_t g, unsigned *id);
cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t n, cudaGraph_t *g);
cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t n, unsigned *id);
cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t n, unsigned long long *id);

// ---- parameters ----

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t n, cudaKernelNodeAttrID id, cudaKernelNodeAttrValue *value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t n, cudaMemAllocNodeParams *p);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t n, void *memory);
cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t n, cudaGraphNodeParams *p);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t n, cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t n, cudaEvent_t event);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t event);
template <class T>
GW_RT cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t n, const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind) {
    if (offset + bytes > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    char *to = const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset;
    return cudaGraphMemcpyNodeSetParams1D(n, to, from, bytes, cudaMemcpyDefault);
}
template <class T>
GW_RT cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t n, void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind) {
    if (offset + bytes > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    const char *from = const_cast<const char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset;
    return cudaGraphMemcpyNodeSetParams1D(n, to, from, bytes, cudaMemcpyDefault);
}
template <class T>
GW_RT cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t n, const T &symbol, const void *from, size_t bytes, size_t offset,
                                                           cudaMemcpyKind kind) {
    return gwrt::inExec(exec, n, cudaGraphNodeTypeMemcpy,
                        [&](cudaGraphNode_t copy) { return cudaGraphMemcpyNodeSetParamsToSymbol(copy, symbol, from, bytes, offset, kind); });
}
template <class T>
GW_RT cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t n, void *to, const T &symbol, size_t bytes, size_t offset,
                                                             cudaMemcpyKind kind) {
    return gwrt::inExec(exec, n, cudaGraphNodeTypeMemcpy,
                        [&](cudaGraphNode_t copy) { return cudaGraphMemcpyNodeSetParamsFromSymbol(copy, to, symbol, bytes, offset, kind); });
}

// ---- objects ----

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *object, cudaHostFn_t destroy, unsigned references, unsigned flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t o, unsigned count = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t o, unsigned count = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t o, unsigned count = 1, unsigned flags = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, cudaUserObject_t o, unsigned count = 1);
