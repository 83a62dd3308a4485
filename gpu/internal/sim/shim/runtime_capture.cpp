// What runtime_capture.h declares; part of program.cpp.

namespace gwrt {

std::atomic<unsigned> graphsMade;
std::atomic<int> captures;

void release(cudaUserObject_t o, unsigned n) {
    if (o->references.fetch_sub(n) > n)
        return;
    o->destroy(o->object);
    delete o;
}

} // namespace gwrt

CUgraph_st::~CUgraph_st() {
    for (auto &n : nodes) {
        delete n->child;
        for (cudaGraph_t body : n->bodies)
            delete body;
    }
    for (auto &[object, count] : objects)
        gwrt::release(object, count);
}

namespace gwrt {

cudaStream_t stateOf(cudaStream_t s) {
    static thread_local CUstream_st own{};
    if (s == cudaStreamPerThread)
        return &own;
    return s == cudaStreamLegacy ? nullptr : s;
}

bool capturing(cudaStream_t s) {
    s = stateOf(s);
    return s != nullptr && s->capture != nullptr;
}

cudaGraphNode_t addNode(cudaGraph_t g, cudaGraphNodeType type, std::vector<cudaGraphNode_t> after) {
    auto n = std::make_unique<CUgraphNode_st>();
    n->type = type, n->graph = g, n->after = std::move(after), n->id = g->nodesMade++;
    g->nodes.push_back(std::move(n));
    return g->nodes.back().get();
}

cudaGraphNode_t record(cudaStream_t s, cudaGraphNodeType type) {
    s = stateOf(s);
    if (s->capture->invalid)
        return nullptr;
    cudaGraphNode_t n = addNode(s->capture->graph, type, s->last);
    n->edges.swap(s->edges);
    s->last = {n};
    return n;
}

cudaError forbidden(cudaStream_t s) {
    if (!capturing(s))
        return cudaSuccess;
    stateOf(s)->capture->invalid = true;
    return done(cudaErrorStreamCaptureUnsupported);
}

std::vector<Capture *> &underWay() {
    static std::vector<Capture *> all;
    return all;
}

cudaError unsafe(cudaError e) {
    if (captures == 0)
        return cudaSuccess;
    bool hit = false;
    {
        std::lock_guard<std::mutex> guard(lock);
        for (Capture *c : underWay())
            if (c->mode == cudaStreamCaptureModeGlobal || (c->mode == cudaStreamCaptureModeThreadLocal && c->thread == std::this_thread::get_id()))
                hit = c->invalid = true;
    }
    return hit ? done(e) : cudaSuccess;
}

cudaError ofLegacy() {
    bool blocking = false;
    if (captures > 0) {
        std::lock_guard<std::mutex> guard(lock);
        for (Capture *c : underWay())
            for (cudaStream_t s : c->streams)
                blocking = blocking || (s->flags & cudaStreamNonBlocking) == 0;
    }
    return blocking ? unsafe(cudaErrorStreamCaptureImplicit) : cudaSuccess;
}

cudaError beforeWork(cudaStream_t s) { return stateOf(s) == nullptr ? ofLegacy() : cudaSuccess; }

cudaError recordStart(cudaStream_t s, Start &&start) {
    if (cudaGraphNode_t n = record(s, cudaGraphNodeTypeKernel)) {
        n->start = std::move(start);
        return cudaSuccess;
    }
    return done(cudaErrorStreamCaptureInvalidated);
}

void separate(CUgraphNode_st &node, cudaGraphNode_t before) {
    node.after.erase(std::remove(node.after.begin(), node.after.end(), before), node.after.end());
    node.edges.erase(before);
}

cudaGraphEdgeData edgeFrom(const std::map<cudaGraphNode_t, cudaGraphEdgeData> &edges, cudaGraphNode_t n) {
    auto found = edges.find(n);
    return found == edges.end() ? cudaGraphEdgeData{} : found->second;
}

void keepEdges(std::map<cudaGraphNode_t, cudaGraphEdgeData> &edges, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n) {
    for (size_t i = 0; data != nullptr && i < n; i++)
        if (!isDefault(data[i]))
            edges[nodes[i]] = data[i];
}

void join(std::vector<cudaGraphNode_t> &to, const std::vector<cudaGraphNode_t> &more) {
    for (cudaGraphNode_t n : more)
        if (std::find(to.begin(), to.end(), n) == to.end())
            to.push_back(n);
}

bool isJoined(const Capture &c) {
    std::vector<cudaGraphNode_t> seen = c.origin->last;
    for (size_t i = 0; i < seen.size(); i++)
        join(seen, seen[i]->after);
    std::vector<cudaGraphNode_t> ends = c.loose;
    for (cudaStream_t s : c.streams)
        join(ends, s->last);
    return std::all_of(ends.begin(), ends.end(), [&](cudaGraphNode_t n) { return std::find(seen.begin(), seen.end(), n) != seen.end(); });
}

} // namespace gwrt

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *data, size_t n,
                                          cudaStreamCaptureMode mode) {
    cudaStream_t s = gwrt::stateOf(stream);
    if (s == nullptr)
        return gwrt::done(cudaErrorStreamCaptureUnsupported);
    if (s->capture != nullptr)
        return gwrt::done(cudaErrorIllegalState);
    static std::atomic<unsigned long long> ids;
    auto c = new gwrt::Capture{graph, s, mode, std::this_thread::get_id(), false, false, ++ids, {s}, {}};
    s->capture = c;
    s->last.assign(after, after + n);
    gwrt::keepEdges(s->edges, after, data, n);
    std::lock_guard<std::mutex> guard(gwrt::lock);
    gwrt::underWay().push_back(c);
    gwrt::captures += mode != cudaStreamCaptureModeRelaxed;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    auto graph = new CUgraph_st{};
    cudaError_t e = cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, mode);
    if (e != cudaSuccess)
        delete graph;
    return e;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    cudaStream_t s = gwrt::stateOf(stream);
    if (graph != nullptr)
        *graph = nullptr;
    if (s == nullptr || s->capture == nullptr)
        return gwrt::done(cudaErrorIllegalState);
    gwrt::Capture *c = s->capture;
    if (c->origin != s)
        return gwrt::done(cudaErrorStreamCaptureUnmatched);
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != std::this_thread::get_id())
        return gwrt::done(cudaErrorStreamCaptureWrongThread);
    cudaError e = c->invalid ? cudaErrorStreamCaptureInvalidated : gwrt::isJoined(*c) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
    for (cudaStream_t t : c->streams)
        t->capture = nullptr, t->last.clear(), t->edges.clear();
    {
        std::lock_guard<std::mutex> guard(gwrt::lock);
        auto &all = gwrt::underWay();
        all.erase(std::find(all.begin(), all.end(), c));
        gwrt::captures -= c->mode != cudaStreamCaptureModeRelaxed;
    }
    if (e == cudaSuccess && graph != nullptr)
        *graph = c->graph;
    c->ended = true; // it stays, because events may still name it
    return gwrt::done(e);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    cudaStream_t s = gwrt::stateOf(stream);
    *status = s == nullptr || s->capture == nullptr ? cudaStreamCaptureStatusNone
              : s->capture->invalid                 ? cudaStreamCaptureStatusInvalidated
                                                    : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **last, const cudaGraphEdgeData **edges, size_t *n) {
    if (edges != nullptr)
        *edges = nullptr;
    cudaError_t e = cudaStreamIsCapturing(stream, status);
    if (*status != cudaStreamCaptureStatusActive) {
        // Or the compiler warns of those who trust the function.
        if (graph != nullptr)
            *graph = nullptr;
        if (last != nullptr)
            *last = nullptr;
        if (n != nullptr)
            *n = 0;
        return e;
    }
    cudaStream_t s = gwrt::stateOf(stream);
    if (edges == nullptr && !s->edges.empty())
        return gwrt::done(cudaErrorLossyQuery);
    if (edges != nullptr) {
        s->told.clear();
        for (cudaGraphNode_t n : s->last)
            s->told.push_back(gwrt::edgeFrom(s->edges, n));
        *edges = s->told.data();
    }
    if (id != nullptr)
        *id = s->capture->id;
    if (graph != nullptr)
        *graph = s->capture->graph;
    if (last != nullptr)
        *last = s->last.data();
    if (n != nullptr)
        *n = s->last.size();
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **last, size_t *n) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, last, nullptr, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n, unsigned flags) {
    cudaStream_t s = gwrt::stateOf(stream);
    if (s == nullptr || s->capture == nullptr)
        return gwrt::done(cudaErrorIllegalState);
    if (flags == cudaStreamSetCaptureDependencies)
        s->last.clear(), s->edges.clear();
    gwrt::join(s->last, std::vector<cudaGraphNode_t>(nodes, nodes + n));
    gwrt::keepEdges(s->edges, nodes, data, n);
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, size_t n, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, n, flags);
}

// In a namespace, as variables of threads are: by that they are told from shared variables of kernels, whose size counts.
namespace gwrt {

static thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

} // namespace gwrt

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
    std::swap(*mode, gwrt::captureMode);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) {
    if (gwsim::inKernel()) // where the order of launches is that of the blocks
        return *s = cudaStreamFireAndForget, cudaSuccess;
    *s = new CUstream_st{std::min(0, std::max(-5, priority)), flags, gwrt::device, nullptr, {}};
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { return cudaStreamCreateWithPriority(s, flags, 0); }
cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithPriority(s, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t s) {
    if (gwsim::inKernel())
        return cudaSuccess;
    if (s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (s->capture != nullptr) {
        auto &all = s->capture->streams;
        all.erase(std::remove(all.begin(), all.end(), s), all.end());
        gwrt::join(s->capture->loose, s->last);
        if (s->capture->origin == s) {
            std::lock_guard<std::mutex> guard(gwrt::lock);
            auto &list = gwrt::underWay();
            list.erase(std::remove(list.begin(), list.end(), s->capture), list.end());
            gwrt::captures -= s->capture->mode != cudaStreamCaptureModeRelaxed;
            for (cudaStream_t t : all)
                t->capture = nullptr;
        }
    }
    delete s;
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t s) {
    if (cudaError_t e = gwrt::forbidden(s))
        return e;
    return gwrt::done(gwrt::beforeWork(s));
}

cudaError_t cudaStreamQuery(cudaStream_t s) { return cudaStreamSynchronize(s); }

cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority) {
    cudaStream_t state = gwrt::stateOf(s);
    return *priority = state == nullptr ? 0 : state->priority, cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags) {
    cudaStream_t state = gwrt::stateOf(s);
    return *flags = state == nullptr ? 0 : state->flags, cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device) {
    cudaStream_t state = gwrt::stateOf(s);
    return *device = state == nullptr ? gwrt::device : state->device, cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id) { return *id = gwrt::number(s), cudaSuccess; }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t e, unsigned) {
    if (e == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    cudaStream_t s = gwrt::stateOf(stream);
    if (e->capture == nullptr)
        return gwrt::capturing(stream) ? (s->capture->invalid = true, gwrt::done(cudaErrorStreamCaptureIsolation)) : gwrt::done(cudaSuccess);
    if (e->capture->ended)
        return gwrt::done(cudaErrorCapturedEvent);
    if (s == nullptr)
        return gwrt::done(cudaErrorStreamCaptureImplicit);
    if (s->capture != nullptr && s->capture != e->capture)
        return gwrt::done(cudaErrorStreamCaptureMerge);
    if (s->capture == nullptr) {
        s->capture = e->capture;
        s->capture->streams.push_back(s);
    }
    gwrt::join(s->last, e->last);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void *data) {
    cudaError e;
    if (gwrt::captured(s, cudaGraphNodeTypeHost, e, [&](CUgraphNode_st &n) { n.host = {f, data}; }))
        return e;
    return f(data), gwrt::done(cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data, unsigned) {
    if (cudaError_t e = gwrt::forbidden(s))
        return e;
    return f(s, gwrt::sticky, data), gwrt::done(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags) {
    *e = new CUevent_st{};
    (*e)->flags = flags;
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags) { return cudaEventCreateWithFlags(e, flags); }

cudaError_t cudaEventDestroy(cudaEvent_t e) {
    if (e == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    delete e;
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t stream) {
    if (e == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (gwrt::capturing(stream)) {
        cudaStream_t s = gwrt::stateOf(stream);
        e->capture = s->capture;
        e->last = s->last;
        return cudaSuccess;
    }
    e->capture = nullptr;
    e->recorded = true;
    e->at = std::chrono::steady_clock::now();
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t stream, unsigned flags) {
    if (gwrt::capturing(stream) && (flags & cudaEventRecordExternal)) {
        cudaError result;
        gwrt::captured(stream, cudaGraphNodeTypeEventRecord, result, [&](CUgraphNode_st &n) { n.event = e; });
        return result;
    }
    return cudaEventRecord(e, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t e) {
    if (e == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    return gwrt::done(e->capture != nullptr ? cudaErrorCapturedEvent : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    *ms = 0; // or the compiler warns of those who trust the function
    if (from == nullptr || to == nullptr || !from->recorded || !to->recorded || ((from->flags | to->flags) & cudaEventDisableTiming))
        return gwrt::done(cudaErrorInvalidResourceHandle);
    *ms = gwrt::milliseconds(to->at - from->at);
    return gwrt::done(cudaSuccess);
}
