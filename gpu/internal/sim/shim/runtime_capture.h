// Streams, events, and what stream capture makes of calls: nodes of a graph. All work is done when a call returns, so streams
// and events have nothing to do but to exist, to know the time, and to know the capture that they belong to.
#pragma once

enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };
enum cudaStreamUpdateCaptureDependenciesFlags { cudaStreamAddCaptureDependencies, cudaStreamSetCaptureDependencies };
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel,
    cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph,
    cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent,
    cudaGraphNodeTypeEventRecord,
    cudaGraphNodeTypeExtSemaphoreSignal,
    cudaGraphNodeTypeExtSemaphoreWait,
    cudaGraphNodeTypeMemAlloc,
    cudaGraphNodeTypeMemFree,
    cudaGraphNodeTypeConditional = 13,
    cudaGraphNodeTypeCount
};

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile, cudaGraphCondTypeSwitch };
enum { cudaGraphCondAssignDefault = 1 };
struct cudaGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};

namespace gwrt {

// A Start is a launch with its arguments. It can be done again.
struct Start {
    const void *function;
    const gwsim::Entry *entry;
    const char *name;
    size_t (*at)(size_t); // where a parameter stands in args
    size_t parameters;
    std::vector<char> args;
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    std::vector<void *> places; // of the parameters in args, as cudaGraphKernelNodeGetParams gives them
    std::map<int, std::array<char, 64>> attributes; // the values that it was given, by their number
};

// A Condition is what a cudaGraphConditionalHandle points to. Kernels set its value.
struct Condition {
    unsigned value;
    unsigned standard; // at the beginning of each run of the graph
    bool assigned;     // whether that is so
    bool used;         // by a node
};

// A Capture is what happens between cudaStreamBeginCapture and cudaStreamEndCapture.
struct Capture {
    cudaGraph_t graph;
    cudaStream_t origin;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    bool invalid, ended;
    unsigned long long id;
    std::vector<cudaStream_t> streams;  // that take part
    std::vector<cudaGraphNode_t> loose; // the last nodes of streams that were destroyed
};

extern std::atomic<unsigned> graphsMade;
extern std::atomic<int> captures; // under way in any mode but the relaxed one

} // namespace gwrt

// A CUuserObject_st is destroyed with the last reference to it. Graphs have references of their own.
typedef struct CUuserObject_st {
    void *object;
    cudaHostFn_t destroy;
    std::atomic<unsigned> references;
} *cudaUserObject_t;

namespace gwrt {
void release(cudaUserObject_t o, unsigned n);
} // namespace gwrt

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::vector<cudaGraphNode_t> after; // the nodes that come before this one
    std::map<cudaGraphNode_t, cudaGraphEdgeData> edges; // the data of the edges from them that is not the default
    cudaGraph_t graph;                  // that it is in
    cudaGraphNode_t origin;             // the node that it is a copy of
    bool enabled = true;
    unsigned id; // in its graph; copies have the same
    // What it does, by its type:
    gwrt::Start start;
    cudaMemcpy3DParms copy;
    cudaMemsetParams fill;
    cudaHostNodeParams host;
    cudaGraph_t child; // owned
    gwrt::Condition *condition;
    cudaGraphConditionalNodeType conditional;
    std::vector<cudaGraph_t> bodies; // owned
    cudaEvent_t event;
    void *memory; // of an allocation
    size_t bytes;
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<std::shared_ptr<gwrt::Condition>> conditions; // also those of its copies
    std::map<cudaUserObject_t, unsigned> objects;             // references that it has
    unsigned id = ++gwrt::graphsMade, nodesMade = 0;
    ~CUgraph_st();
};
struct CUstream_st {
    int priority;
    unsigned flags;
    int device;
    gwrt::Capture *capture;
    std::vector<cudaGraphNode_t> last; // what the next captured call comes after
    std::map<int, std::array<char, 64>> attributes;
    std::map<cudaGraphNode_t, cudaGraphEdgeData> edges; // from the last nodes, where they are not the default
    std::vector<cudaGraphEdgeData> told;                // the same, as cudaStreamGetCaptureInfo gives them
};
struct CUevent_st {
    bool recorded;
    std::chrono::steady_clock::time_point at;
    unsigned flags;
    gwrt::Capture *capture; // of the stream that recorded it last
    std::vector<cudaGraphNode_t> last;
};

namespace gwrt {

// stateOf is null for the legacy stream, which has nothing to remember.
cudaStream_t stateOf(cudaStream_t s);
bool capturing(cudaStream_t s);

cudaGraphNode_t addNode(cudaGraph_t g, cudaGraphNodeType type, std::vector<cudaGraphNode_t> after);

// record makes the next call of a capturing stream a node. It is null if the capture has failed before.
cudaGraphNode_t record(cudaStream_t s, cudaGraphNodeType type);

// forbidden is what happens to a call that no stream may make while it is captured.
cudaError forbidden(cudaStream_t s);

std::vector<Capture *> &underWay();

// unsafe is the same for calls that belong to no stream and would wait or allocate.
cudaError unsafe(cudaError e = cudaErrorStreamCaptureUnsupported);

// ofLegacy is the same for work of the legacy stream, which would wait for streams that are captured.
cudaError ofLegacy();
cudaError beforeWork(cudaStream_t s);

cudaError recordStart(cudaStream_t s, Start &&start);

// captured makes work of a capturing stream a node that runs f. It reports whether it did.
template <class F> bool captured(cudaStream_t s, cudaGraphNodeType type, cudaError &e, F &&f) {
    if (!capturing(s)) {
        e = beforeWork(s);
        return e != cudaSuccess;
    }
    cudaGraphNode_t n = record(s, type);
    e = n == nullptr ? done(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
    if (n != nullptr)
        f(*n);
    return true;
}

// separate removes the edge between two nodes, if there is one.
void separate(CUgraphNode_st &node, cudaGraphNode_t before);
constexpr bool isDefault(const cudaGraphEdgeData &d) { return d.type == 0 && d.from_port == 0 && d.to_port == 0; }
cudaGraphEdgeData edgeFrom(const std::map<cudaGraphNode_t, cudaGraphEdgeData> &edges, cudaGraphNode_t n);
void keepEdges(std::map<cudaGraphNode_t, cudaGraphEdgeData> &edges, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n);
void join(std::vector<cudaGraphNode_t> &to, const std::vector<cudaGraphNode_t> &more);

// isJoined reports whether all that was captured comes before the last nodes of the stream in which the capture began.
bool isJoined(const Capture &c);

} // namespace gwrt

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *data, size_t n,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **last, const cudaGraphEdgeData **edges, size_t *n);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id = nullptr, cudaGraph_t *graph = nullptr,
                                     const cudaGraphNode_t **last = nullptr, size_t *n = nullptr);
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n, unsigned flags);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, size_t n, unsigned flags = 0);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode);

// ---- streams ----

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
cudaError_t cudaStreamCreate(cudaStream_t *s);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device);
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t e, unsigned = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data, unsigned);

// ---- events ----

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags = 0);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t stream = nullptr, unsigned flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
