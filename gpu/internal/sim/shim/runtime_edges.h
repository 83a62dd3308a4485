// The edges of graphs, with their data. What a node waits for is done when the node begins, whatever its ports: a launch that may begin
// early begins late.
#pragma once

enum cudaGraphDependencyType { cudaGraphDependencyTypeDefault, cudaGraphDependencyTypeProgrammatic };
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2

namespace gwrt {

// fits reports whether an edge may have the data: only kernels have other ports than the default, and only for what goes out of them.
bool fits(const cudaGraphEdgeData &d, const CUgraphNode_st &from, const CUgraphNode_st &to);

bool comesAfter(const CUgraphNode_st &node, cudaGraphNode_t before);
cudaError setEdges(CUgraphNode_st &node, const cudaGraphNode_t *before, const cudaGraphEdgeData *data, size_t n);

// Edges are a list of them with what they are asked for.
struct Edges {
    std::vector<cudaGraphNode_t> from, to;
    std::vector<cudaGraphEdgeData> data;
    void add(cudaGraphNode_t before, cudaGraphNode_t after) { from.push_back(before), to.push_back(after), data.push_back(edgeFrom(after->edges, before)); }
    // tell fills the lists of one who asks. Without a list for the data none may be lost.
    cudaError tell(cudaGraphNode_t *froms, cudaGraphNode_t *tos, cudaGraphEdgeData *datas, size_t *n) const {
        if (datas == nullptr && !std::all_of(data.begin(), data.end(), isDefault))
            return done(cudaErrorLossyQuery);
        size_t copy = *n, other = *n;
        const bool counts = froms == nullptr && tos == nullptr;
        if (froms != nullptr)
            list(from, froms, &copy);
        if (tos != nullptr)
            list(to, tos, &copy);
        if (datas != nullptr)
            list(data, datas, &other);
        *n = counts ? from.size() : copy;
        return cudaSuccess;
    }
};

// change adds or removes dependencies. Those that are there cannot be added, and others not be removed. What data
// an edge has does not matter when it is removed: CUDA's driver 580 does not compare them.
cudaError change(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n, bool adds);

} // namespace gwrt

cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *n);
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n);
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n);
// The names of CUDA 12 for the forms with data of edges.
#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
