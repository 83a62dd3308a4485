// What runtime_conditional.h declares; part of program.cpp.

namespace gwrt {

bool canRun(cudaGraph_t g, bool isBody) {
    if (orderOf(g).size() < g->nodes.size()) // nodes wait for each other
        return false;
    for (auto &n : g->nodes) {
        if (isBody && !suits(n->type)) {
            fprintf(stderr, "simulator: cudaGraphInstantiate: the body of a conditional node has a node of type %d; it may have kernels, copies, fills, graphs and conditional nodes\n", n->type);
            return false;
        }
        if (n->child != nullptr && !canRun(n->child, isBody))
            return false;
        for (cudaGraph_t body : n->bodies)
            if (!canRun(body, true))
                return false;
    }
    return true;
}

cudaError addConditional(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaConditionalNodeParams &p) {
    auto known = std::find_if(g->conditions.begin(), g->conditions.end(), [&](auto &c) { return number(c.get()) == p.handle; });
    const unsigned most = p.type == cudaGraphCondTypeIf ? 2 : p.type == cudaGraphCondTypeWhile ? 1 : ~0u;
    if (known == g->conditions.end() || (*known)->used || p.type < cudaGraphCondTypeIf || p.type > cudaGraphCondTypeSwitch || p.size < 1 || p.size > most)
        return done(cudaErrorInvalidValue);
    if (cudaError e = add(n, g, after, count, cudaGraphNodeTypeConditional))
        return e;
    (*known)->used = true;
    (*n)->condition = known->get();
    (*n)->conditional = p.type;
    for (unsigned i = 0; i < p.size; i++)
        (*n)->bodies.push_back(new CUgraph_st{});
    p.phGraph_out = (*n)->bodies.data();
    return cudaSuccess;
}

cudaKernelNodeParams older(const cudaKernelNodeParamsV2 &p) { return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra}; }
cudaMemsetParams older(const cudaMemsetParamsV2 &p) { return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height}; }

} // namespace gwrt

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t g, unsigned standard, unsigned flags) {
    if (handle == nullptr || g == nullptr || flags > cudaGraphCondAssignDefault)
        return gwrt::done(cudaErrorInvalidValue);
    g->conditions.push_back(std::make_shared<gwrt::Condition>(gwrt::Condition{standard, standard, flags == cudaGraphCondAssignDefault, false}));
    *handle = gwrt::number(g->conditions.back().get());
    return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaGraphNodeParams *p) {
    if (n == nullptr || g == nullptr || p == nullptr || (after == nullptr && count > 0))
        return gwrt::done(cudaErrorInvalidValue);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        const cudaKernelNodeParams kernel = gwrt::older(p->kernel);
        return cudaGraphAddKernelNode(n, g, after, count, &kernel);
    }
    case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(n, g, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        const cudaMemsetParams fill = gwrt::older(p->memset);
        return cudaGraphAddMemsetNode(n, g, after, count, &fill);
    }
    case cudaGraphNodeTypeHost: {
        const cudaHostNodeParams host = {p->host.fn, p->host.userData};
        return cudaGraphAddHostNode(n, g, after, count, &host);
    }
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(n, g, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(n, g, after, count);
    case cudaGraphNodeTypeWaitEvent: return cudaGraphAddEventWaitNode(n, g, after, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord: return cudaGraphAddEventRecordNode(n, g, after, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: return cudaGraphAddMemAllocNode(n, g, after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(n, g, after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional: return gwrt::addConditional(n, g, after, count, p->conditional);
    default: return gwrt::done(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, const cudaGraphEdgeData *data, size_t count, cudaGraphNodeParams *p) {
    if (cudaError_t e = cudaGraphAddNode(n, g, after, count, p))
        return e;
    cudaError_t e = gwrt::setEdges(**n, after, data, count);
    if (e != cudaSuccess)
        cudaGraphDestroyNode(*n), *n = nullptr;
    return gwrt::done(e);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n, cudaGraphNodeParams *p) {
    if (n == nullptr || p == nullptr || n->type != p->type)
        return gwrt::done(cudaErrorInvalidValue);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        const cudaKernelNodeParams kernel = gwrt::older(p->kernel);
        return cudaGraphKernelNodeSetParams(n, &kernel);
    }
    case cudaGraphNodeTypeMemcpy: return cudaGraphMemcpyNodeSetParams(n, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return n->fill = gwrt::older(p->memset), cudaSuccess;
    case cudaGraphNodeTypeHost: return n->host = {p->host.fn, p->host.userData}, cudaSuccess;
    default: return gwrt::done(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraphNodeParams *p) {
    return exec == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaGraphNodeSetParams(gwrt::copyOfNode(exec, n), p);
}
