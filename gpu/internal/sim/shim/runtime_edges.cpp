// What runtime_edges.h declares; part of program.cpp.

namespace gwrt {

bool fits(const cudaGraphEdgeData &d, const CUgraphNode_st &from, const CUgraphNode_st &to) {
    constexpr unsigned char none[5] = {};
    if (d.to_port != 0 || memcmp(d.reserved, none, sizeof none) != 0)
        return false;
    if (d.type == cudaGraphDependencyTypeDefault)
        return d.from_port == 0;
    return d.type == cudaGraphDependencyTypeProgrammatic && from.type == cudaGraphNodeTypeKernel && to.type == cudaGraphNodeTypeKernel &&
           (d.from_port == cudaGraphKernelNodePortProgrammatic || d.from_port == cudaGraphKernelNodePortLaunchCompletion);
}

bool comesAfter(const CUgraphNode_st &node, cudaGraphNode_t before) {
    return std::find(node.after.begin(), node.after.end(), before) != node.after.end();
}

cudaError setEdges(CUgraphNode_st &node, const cudaGraphNode_t *before, const cudaGraphEdgeData *data, size_t n) {
    for (size_t i = 0; data != nullptr && i < n; i++)
        if (!fits(data[i], *before[i], node))
            return cudaErrorInvalidValue;
    keepEdges(node.edges, before, data, n);
    return cudaSuccess;
}

cudaError change(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n, bool adds) {
    if (g == nullptr || (n > 0 && (from == nullptr || to == nullptr)))
        return done(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        bool right = from[i] != nullptr && to[i] != nullptr && from[i] != to[i] && from[i]->graph == g && to[i]->graph == g;
        right = right && comesAfter(*to[i], from[i]) != adds;
        if (right && adds)
            right = setEdges(*to[i], &from[i], data == nullptr ? nullptr : &data[i], 1) == cudaSuccess;
        if (!right)
            return done(cudaErrorInvalidValue);
        if (adds)
            to[i]->after.push_back(from[i]);
        else
            separate(*to[i], from[i]);
    }
    return cudaSuccess;
}

} // namespace gwrt

cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *n) {
    gwrt::Edges all;
    for (auto &node : g->nodes)
        for (cudaGraphNode_t before : node->after)
            all.add(before, node.get());
    return all.tell(from, to, data, n);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n) { return cudaGraphGetEdges(g, from, to, nullptr, n); }

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n) {
    gwrt::Edges all;
    for (cudaGraphNode_t before : node->after)
        all.add(before, node);
    return all.tell(nodes, nullptr, data, n);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n) { return cudaGraphNodeGetDependencies(node, nodes, nullptr, n); }

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n) {
    gwrt::Edges all;
    for (auto &other : node->graph->nodes)
        if (gwrt::comesAfter(*other, node))
            all.add(node, other.get());
    return all.tell(nullptr, nodes, data, n);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n) { return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, n); }

cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n) {
    return gwrt::change(g, from, to, data, n, true);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n) {
    return gwrt::change(g, from, to, nullptr, n, true);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n) {
    return gwrt::change(g, from, to, data, n, false);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n) {
    return gwrt::change(g, from, to, nullptr, n, false);
}
