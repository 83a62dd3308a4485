// What runtime_graph.h declares; part of program.cpp.

namespace gwrt {

cudaGraph_t copyOf(cudaGraph_t g) {
    auto copy = new CUgraph_st{};
    copy->conditions = g->conditions;
    copy->nodesMade = g->nodesMade;
    for (auto &[object, count] : g->objects)
        object->references += copy->objects[object] = count;
    std::unordered_map<cudaGraphNode_t, cudaGraphNode_t> made;
    for (auto &n : g->nodes) {
        auto node = std::make_unique<CUgraphNode_st>(*n);
        node->graph = copy, node->origin = n.get();
        if (n->child != nullptr)
            node->child = copyOf(n->child);
        for (cudaGraph_t &body : node->bodies)
            body = copyOf(body);
        made[n.get()] = node.get();
        copy->nodes.push_back(std::move(node));
    }
    for (auto &n : copy->nodes) {
        for (cudaGraphNode_t &before : n->after)
            before = made[before];
        std::map<cudaGraphNode_t, cudaGraphEdgeData> edges;
        for (auto &[before, data] : n->edges)
            edges[made[before]] = data;
        n->edges = std::move(edges);
    }
    return copy;
}

std::vector<cudaGraphNode_t> orderOf(cudaGraph_t g) {
    std::vector<cudaGraphNode_t> order;
    std::unordered_map<cudaGraphNode_t, size_t> missing;
    std::unordered_map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> next;
    for (auto &n : g->nodes) {
        missing[n.get()] = n->after.size();
        for (cudaGraphNode_t before : n->after)
            next[before].push_back(n.get());
        if (n->after.empty())
            order.push_back(n.get());
    }
    for (size_t i = 0; i < order.size(); i++)
        for (cudaGraphNode_t n : next[order[i]])
            if (--missing[n] == 0)
                order.push_back(n);
    return order;
}

cudaError runGraph(cudaGraph_t g) {
    for (auto &c : g->conditions)
        if (c->assigned)
            c->value = c->standard;
    return runNodes(orderOf(g));
}

cudaError runConditional(const CUgraphNode_st &n) {
    auto value = [&] { return __atomic_load_n(&n.condition->value, __ATOMIC_RELAXED); };
    size_t i = value();
    switch (n.conditional) {
    case cudaGraphCondTypeIf: i = i == 0; break;
    case cudaGraphCondTypeWhile:
        while (value() != 0)
            if (cudaError e = runGraph(n.bodies[0]))
                return e;
        return cudaSuccess;
    default: break;
    }
    return i < n.bodies.size() ? runGraph(n.bodies[i]) : cudaSuccess;
}

cudaError runNode(CUgraphNode_st &n) {
    if (!n.enabled)
        return cudaSuccess;
    switch (n.type) {
    case cudaGraphNodeTypeKernel:
        return startNow(n.start.entry, n.start.name, n.start.args.data(), n.start.grid, n.start.block, n.start.shared, n.start.cooperative);
    case cudaGraphNodeTypeMemcpy: return copyNow(n.copy);
    case cudaGraphNodeTypeMemset: return fillNow(n.fill);
    case cudaGraphNodeTypeHost: return n.host.fn(n.host.userData), cudaSuccess;
    case cudaGraphNodeTypeGraph: return runGraph(n.child);
    case cudaGraphNodeTypeConditional: return runConditional(n);
    case cudaGraphNodeTypeEventRecord: return cudaEventRecord(n.event);
    default: return cudaSuccess;
    }
}

cudaError runNodes(const std::vector<cudaGraphNode_t> &order) {
    for (cudaGraphNode_t n : order)
        if (cudaError e = runNode(*n))
            return e;
    return cudaSuccess;
}

cudaGraphNode_t copyOfNode(cudaGraphExec_t exec, cudaGraphNode_t n) {
    for (auto &copy : exec->graph->nodes)
        if (copy->origin == n)
            return copy.get();
    return nullptr;
}

cudaError add(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, cudaGraphNodeType type) {
    *out = nullptr;
    for (size_t i = 0; i < n; i++)
        if (after[i] == nullptr || after[i]->graph != g)
            return done(cudaErrorInvalidValue);
    *out = addNode(g, type, std::vector<cudaGraphNode_t>(after, after + n));
    return cudaSuccess;
}

cudaError describeNode(Start &out, const cudaKernelNodeParams *p) {
    if (p->extra != nullptr)
        return done(cudaErrorNotSupported);
    return describeStart(out, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, false);
}

} // namespace gwrt

cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned) { return *g = new CUgraph_st{}, cudaSuccess; }

cudaError_t cudaGraphDestroy(cudaGraph_t g) {
    if (g == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    delete g;
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t g) { return *copy = gwrt::copyOf(g), cudaSuccess; }

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t n, cudaGraph_t clone) {
    for (auto &copy : clone->nodes)
        if (copy->origin == n)
            return *out = copy.get(), cudaSuccess;
    return gwrt::done(cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n) {
    std::vector<cudaGraphNode_t> all;
    for (auto &node : g->nodes)
        all.push_back(node.get());
    return gwrt::list(all, nodes, n);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n) {
    std::vector<cudaGraphNode_t> roots;
    for (auto &node : g->nodes)
        if (node->after.empty())
            roots.push_back(node.get());
    return gwrt::list(roots, nodes, n);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType *type) { return *type = n->type, cudaSuccess; }

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    auto &nodes = node->graph->nodes;
    for (auto &other : nodes)
        gwrt::separate(*other, node);
    nodes.erase(std::find_if(nodes.begin(), nodes.end(), [=](auto &n) { return n.get() == node; }));
    return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path, unsigned) {
    FILE *f = fopen(path, "w");
    if (f == nullptr)
        return gwrt::done(cudaErrorOperatingSystem);
    fprintf(f, "digraph dot {\n");
    for (auto &n : g->nodes) {
        fprintf(f, "\"%p\" [label=\"type %d%s%s\"];\n", static_cast<void *>(n.get()), n->type, n->start.name != nullptr ? " " : "", n->start.name != nullptr ? n->start.name : "");
        for (cudaGraphNode_t before : n->after)
            fprintf(f, "\"%p\" -> \"%p\";\n", static_cast<void *>(before), static_cast<void *>(n.get()));
    }
    fprintf(f, "}\n");
    fclose(f);
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count) {
    return gwrt::add(n, g, after, count, cudaGraphNodeTypeEmpty);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, const cudaKernelNodeParams *p) {
    gwrt::Start start;
    if (cudaError_t e = gwrt::describeNode(start, p))
        return e;
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeKernel);
    if (e == cudaSuccess)
        (*n)->start = std::move(start);
    return e;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const cudaKernelNodeParams *p) {
    gwrt::Start start; // at first apart: the parameters may be those that the node has
    if (cudaError_t e = gwrt::describeNode(start, p))
        return e;
    if (cudaError_t e = gwrt::takeAttributes(start, n->start))
        return e;
    return n->start = std::move(start), cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, cudaKernelNodeParams *p) {
    gwrt::Start &s = n->start;
    s.places.clear();
    for (size_t i = 0; i < s.parameters; i++)
        s.places.push_back(s.args.data() + s.at(i));
    *p = {const_cast<void *>(s.function), s.grid, s.block, unsigned(s.shared), s.places.data(), nullptr};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t n, cudaKernelNodeAttrID id, const cudaKernelNodeAttrValue *value) {
    if (n == nullptr || n->type != cudaGraphNodeTypeKernel || value == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    const cudaLaunchAttribute attribute = {id, *value};
    return gwrt::takeAttributes(n->start, &attribute, 1);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, const cudaMemcpy3DParms *p) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeMemcpy);
    if (e == cudaSuccess)
        (*n)->copy = *p;
    return e;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind) {
    const cudaMemcpy3DParms p = gwrt::rectangle(to, bytes, from, bytes, bytes, 1, kind);
    return cudaGraphAddMemcpyNode(n, g, after, count, &p);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t n, cudaMemcpy3DParms *p) { return *p = n->copy, cudaSuccess; }
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t n, const cudaMemcpy3DParms *p) { return n->copy = *p, cudaSuccess; }

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t n, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return n->copy = gwrt::rectangle(to, bytes, from, bytes, bytes, 1, kind), cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, const cudaMemsetParams *p) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeMemset);
    if (e == cudaSuccess)
        (*n)->fill = *p;
    return e;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t n, cudaMemsetParams *p) { return *p = n->fill, cudaSuccess; }
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t n, const cudaMemsetParams *p) { return n->fill = *p, cudaSuccess; }

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, const cudaHostNodeParams *p) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeHost);
    if (e == cudaSuccess)
        (*n)->host = *p;
    return e;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t n, cudaHostNodeParams *p) { return *p = n->host, cudaSuccess; }
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t n, const cudaHostNodeParams *p) { return n->host = *p, cudaSuccess; }

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaGraph_t child) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeGraph);
    if (e == cudaSuccess)
        (*n)->child = gwrt::copyOf(child);
    return e;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t *g) { return *g = n->child, cudaSuccess; }

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeEventRecord);
    if (e == cudaSuccess)
        (*n)->event = event;
    return e;
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaEvent_t event) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeWaitEvent);
    if (e == cudaSuccess)
        (*n)->event = event;
    return e;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, cudaMemAllocNodeParams *p) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeMemAlloc);
    if (e == cudaSuccess)
        e = gwrt::takeNow(&p->dptr, p->bytesize, gwrt::poolOf(gwrt::device));
    if (e == cudaSuccess)
        gwrt::keepForGraph(**n, p->dptr, p->bytesize);
    return e;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after, size_t count, void *memory) {
    cudaError_t e = gwrt::add(n, g, after, count, cudaGraphNodeTypeMemFree);
    if (e == cudaSuccess)
        (*n)->memory = memory;
    return e;
}

cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType type, void *value) {
    bool high = type == cudaGraphMemAttrUsedMemHigh || type == cudaGraphMemAttrReservedMemHigh;
    return cudaMemPoolGetAttribute(gwrt::poolOf(device), high ? cudaMemPoolAttrUsedMemHigh : cudaMemPoolAttrUsedMemCurrent, value);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void *) { return cudaSuccess; }

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags) {
    *exec = nullptr;
    cudaGraph_t copy = gwrt::copyOf(g);
    if (!gwrt::canRun(copy)) {
        delete copy;
        return gwrt::done(cudaErrorInvalidValue);
    }
    *exec = new CUgraphExec_st{copy, flags};
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, cudaGraphNode_t *, char *, size_t) { return cudaGraphInstantiate(exec, g); }
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags) { return cudaGraphInstantiate(exec, g, flags); }

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    if (exec == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    delete exec->graph;
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return gwrt::done(cudaSuccess); }

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
    if (exec == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    cudaError e;
    if (gwrt::captured(s, cudaGraphNodeTypeGraph, e, [&](CUgraphNode_st &n) { n.child = gwrt::copyOf(exec->graph); }))
        return e;
    return gwrt::done(gwrt::runGraph(exec->graph));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaKernelNodeParams *p) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    return copy == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaGraphKernelNodeSetParams(copy, p);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaMemcpy3DParms *p) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    return copy == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaGraphMemcpyNodeSetParams(copy, p);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t n, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    const cudaMemcpy3DParms p = gwrt::rectangle(to, bytes, from, bytes, bytes, 1, kind);
    return cudaGraphExecMemcpyNodeSetParams(exec, n, &p);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaMemsetParams *p) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    return copy == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaGraphMemsetNodeSetParams(copy, p);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaHostNodeParams *p) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    return copy == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaGraphHostNodeSetParams(copy, p);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t n, unsigned enabled) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    if (copy == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    return copy->enabled = enabled != 0, cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t n, unsigned *enabled) {
    cudaGraphNode_t copy = gwrt::copyOfNode(exec, n);
    if (copy == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    return *enabled = copy->enabled, cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info) {
    auto &nodes = exec->graph->nodes;
    auto differs = [&](cudaGraphExecUpdateResult result, cudaGraphNode_t n) {
        if (info != nullptr)
            *info = {result, n, nullptr};
        return gwrt::done(cudaErrorGraphExecUpdateFailure);
    };
    if (info != nullptr)
        *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (nodes.size() != g->nodes.size())
        return differs(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
    for (size_t i = 0; i < nodes.size(); i++) {
        if (nodes[i]->type != g->nodes[i]->type)
            return differs(cudaGraphExecUpdateErrorNodeTypeChanged, g->nodes[i].get());
        if (nodes[i]->after.size() != g->nodes[i]->after.size())
            return differs(cudaGraphExecUpdateErrorTopologyChanged, g->nodes[i].get());
    }
    cudaGraph_t old = exec->graph, copy = gwrt::copyOf(g);
    for (size_t i = 0; i < nodes.size(); i++)
        copy->nodes[i]->origin = nodes[i]->origin; // that is what programs know the nodes by
    exec->graph = copy;
    delete old;
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *node, cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(exec, g, &info);
    if (node != nullptr)
        *node = info.errorNode;
    if (result != nullptr)
        *result = info.result;
    return e;
}
