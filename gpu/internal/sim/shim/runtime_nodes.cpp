// What runtime_nodes.h declares; part of program.cpp.

namespace gwrt {

cudaError isOfType(cudaGraphNode_t n, cudaGraphNodeType type) { return n != nullptr && n->type == type ? cudaSuccess : done(cudaErrorInvalidValue); }

cudaError setEvent(cudaGraphNode_t n, cudaGraphNodeType type, cudaEvent_t event) {
    if (event == nullptr)
        return done(cudaErrorInvalidValue);
    if (cudaError e = isOfType(n, type))
        return e;
    return n->event = event, cudaSuccess;
}

cudaError eventOf(cudaGraphNode_t n, cudaGraphNodeType type, cudaEvent_t *event) {
    if (cudaError e = isOfType(n, type))
        return e;
    return *event = n->event, cudaSuccess;
}

bool alike(cudaGraph_t a, cudaGraph_t b) {
    return std::equal(a->nodes.begin(), a->nodes.end(), b->nodes.begin(), b->nodes.end(), [](auto &x, auto &y) { return x->type == y->type && x->after.size() == y->after.size(); });
}

} // namespace gwrt

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t g, cudaGraphInstantiateParams *p) {
    if (p == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    cudaError_t e = cudaGraphInstantiate(exec, g, p->flags);
    p->errNode_out = nullptr;
    p->result_out = e == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
    return e;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
    if (exec == nullptr || flags == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    return *flags = exec->flags, cudaSuccess;
}

cudaError_t cudaGraphExecGetId(cudaGraphExec_t exec, unsigned *id) { return *id = exec->graph->id, cudaSuccess; }

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraph_t child) {
    return gwrt::inExec(exec, n, cudaGraphNodeTypeGraph, [&](cudaGraphNode_t copy) {
        if (child == nullptr || !gwrt::alike(copy->child, child))
            return gwrt::done(cudaErrorInvalidValue);
        cudaGraph_t old = copy->child;
        copy->child = gwrt::copyOf(child);
        delete old;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphGetId(cudaGraph_t g, unsigned *id) { return *id = g->id, cudaSuccess; }
cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t n, cudaGraph_t *g) { return *g = n->graph, cudaSuccess; }
cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t n, unsigned *id) { return *id = n->id, cudaSuccess; }

cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t n, unsigned long long *id) {
    return *id = static_cast<unsigned long long>(n->graph->id) << 32 | n->id, cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t n, cudaKernelNodeAttrID id, cudaKernelNodeAttrValue *value) {
    if (cudaError_t e = gwrt::isOfType(n, cudaGraphNodeTypeKernel))
        return e;
    memset(value, 0, sizeof *value);
    if (auto it = n->start.attributes.find(id); it != n->start.attributes.end())
        memcpy(value, it->second.data(), sizeof *value);
    else if (id == cudaLaunchAttributeCooperative)
        value->cooperative = n->start.cooperative;
    else if (id == cudaLaunchAttributeClusterDimension)
        value->clusterDim = {n->start.entry->cluster[0], n->start.entry->cluster[1], n->start.entry->cluster[2]};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    if (cudaError_t e = gwrt::isOfType(from, cudaGraphNodeTypeKernel))
        return e;
    if (cudaError_t e = gwrt::isOfType(to, cudaGraphNodeTypeKernel))
        return e;
    return gwrt::takeAttributes(to->start, from->start);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t n, cudaMemAllocNodeParams *p) {
    if (cudaError_t e = gwrt::isOfType(n, cudaGraphNodeTypeMemAlloc))
        return e;
    *p = {};
    p->poolProps.allocType = cudaMemAllocationTypePinned;
    p->poolProps.location = {cudaMemLocationTypeDevice, gwrt::device};
    p->dptr = n->memory, p->bytesize = n->bytes;
    return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t n, void *memory) {
    if (cudaError_t e = gwrt::isOfType(n, cudaGraphNodeTypeMemFree))
        return e;
    return *static_cast<void **>(memory) = n->memory, cudaSuccess;
}

cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t n, cudaGraphNodeParams *p) {
    if (n == nullptr || p == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *p = {};
    p->type = n->type;
    switch (n->type) {
    case cudaGraphNodeTypeKernel: {
        cudaKernelNodeParams k;
        cudaError_t e = cudaGraphKernelNodeGetParams(n, &k);
        p->kernel = {k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra, nullptr};
        return e;
    }
    case cudaGraphNodeTypeMemcpy: p->memcpy.copyParams = n->copy; break;
    case cudaGraphNodeTypeMemset: p->memset = {n->fill.dst, n->fill.pitch, n->fill.value, n->fill.elementSize, n->fill.width, n->fill.height, nullptr}; break;
    case cudaGraphNodeTypeHost: p->host = {n->host.fn, n->host.userData}; break;
    case cudaGraphNodeTypeGraph: p->graph.graph = n->child; break;
    case cudaGraphNodeTypeWaitEvent: p->eventWait.event = n->event; break;
    case cudaGraphNodeTypeEventRecord: p->eventRecord.event = n->event; break;
    case cudaGraphNodeTypeMemAlloc: return cudaGraphMemAllocNodeGetParams(n, &p->alloc);
    case cudaGraphNodeTypeMemFree: p->free.dptr = n->memory; break;
    case cudaGraphNodeTypeConditional:
        p->conditional = {gwrt::number(n->condition), n->conditional, unsigned(n->bodies.size()), n->bodies.data(), nullptr};
        break;
    default: break;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event) { return gwrt::eventOf(n, cudaGraphNodeTypeEventRecord, event); }
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t n, cudaEvent_t event) { return gwrt::setEvent(n, cudaGraphNodeTypeEventRecord, event); }
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event) { return gwrt::eventOf(n, cudaGraphNodeTypeWaitEvent, event); }
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t n, cudaEvent_t event) { return gwrt::setEvent(n, cudaGraphNodeTypeWaitEvent, event); }

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t event) {
    return gwrt::inExec(exec, n, cudaGraphNodeTypeEventRecord, [=](cudaGraphNode_t copy) { return cudaGraphEventRecordNodeSetEvent(copy, event); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t event) {
    return gwrt::inExec(exec, n, cudaGraphNodeTypeWaitEvent, [=](cudaGraphNode_t copy) { return cudaGraphEventWaitNodeSetEvent(copy, event); });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *object, cudaHostFn_t destroy, unsigned references, unsigned flags) {
    if (out == nullptr || destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync)
        return gwrt::done(cudaErrorInvalidValue);
    return *out = new CUuserObject_st{object, destroy, {references}}, cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t o, unsigned count) {
    if (o == nullptr || count == 0)
        return gwrt::done(cudaErrorInvalidValue);
    return o->references += count, cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t o, unsigned count) {
    if (o == nullptr || count == 0)
        return gwrt::done(cudaErrorInvalidValue);
    return gwrt::release(o, count), cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t o, unsigned count, unsigned flags) {
    if (g == nullptr || o == nullptr || count == 0 || flags > cudaGraphUserObjectMove)
        return gwrt::done(cudaErrorInvalidValue);
    if (flags != cudaGraphUserObjectMove)
        o->references += count;
    return g->objects[o] += count, cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, cudaUserObject_t o, unsigned count) {
    auto it = g == nullptr ? decltype(g->objects.begin()){} : g->objects.find(o);
    if (g == nullptr || count == 0 || it == g->objects.end() || it->second < count)
        return gwrt::done(cudaErrorInvalidValue);
    if ((it->second -= count) == 0)
        g->objects.erase(it);
    return gwrt::release(o, count), cudaSuccess;
}
