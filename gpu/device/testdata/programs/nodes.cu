// What graphs and their nodes are asked for, and objects that graphs hold.
#include <atomic>
#include <cstdio>
#include <thread>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__device__ int number;

__global__ void add(int *x, int value) { *x += value; }

std::atomic<int> gone;
void destroyed(void *name) {
    printf("destroyed %s\n", static_cast<const char *>(name));
    gone++;
}

// waitFor waits until so many objects are destroyed, which a thread of the driver may do.
void waitFor(int count) {
    while (gone < count)
        std::this_thread::yield();
}

int main() {
    int *x, host[2] = {5, 0};
    CHECK(cudaMallocManaged(&x, sizeof *x));
    *x = 1;

    cudaGraph_t g, child, other, found;
    cudaGraphNode_t kernel, copy, record, wait, inner, memory, freed, second;
    CHECK(cudaGraphCreate(&g, 0));
    int value = 10;
    void *args[] = {&x, &value};
    cudaKernelNodeParams p = {};
    p.func = reinterpret_cast<void *>(add), p.gridDim = 1, p.blockDim = 1, p.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&kernel, g, nullptr, 0, &p));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&copy, g, &kernel, 1, number, &host[0], sizeof(int), 0, cudaMemcpyHostToDevice));
    cudaEvent_t one, two, now;
    CHECK(cudaEventCreate(&one));
    CHECK(cudaEventCreate(&two));
    CHECK(cudaGraphAddEventRecordNode(&record, g, &copy, 1, one));
    CHECK(cudaGraphAddEventWaitNode(&wait, g, &record, 1, one));
    CHECK(cudaGraphCreate(&child, 0));
    value = 100;
    CHECK(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &p));
    CHECK(cudaGraphAddChildGraphNode(&second, g, &wait, 1, child));

    CHECK(cudaGraphEventRecordNodeGetEvent(record, &now));
    printf("records one: %d\n", now == one);
    CHECK(cudaGraphEventRecordNodeSetEvent(record, two));
    CHECK(cudaGraphEventRecordNodeGetEvent(record, &now));
    printf("records two: %d\n", now == two);
    CHECK(cudaGraphEventWaitNodeSetEvent(wait, two));
    CHECK(cudaGraphEventWaitNodeGetEvent(wait, &now));
    printf("waits for two: %d\n", now == two);
    printf("%s, ", cudaGetErrorName(cudaGraphEventWaitNodeSetEvent(record, one)));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));

    cudaKernelNodeAttrValue v = {};
    v.cooperative = 1;
    CHECK(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &v));
    v = {};
    v.priority = -2;
    CHECK(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &v));
    CHECK(cudaGraphKernelNodeCopyAttributes(inner, kernel));
    v = {};
    CHECK(cudaGraphKernelNodeGetAttribute(inner, cudaLaunchAttributeCooperative, &v));
    printf("cooperative %d", v.cooperative);
    CHECK(cudaGraphKernelNodeGetAttribute(inner, cudaLaunchAttributePriority, &v));
    printf(", priority %d\n", v.priority);

    cudaGraphInstantiateParams params = {};
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithParams(&exec, g, &params));
    unsigned long long flags = 9;
    CHECK(cudaGraphExecGetFlags(exec, &flags));
    printf("instantiated: %d, flags %llu\n", params.result_out == cudaGraphInstantiateSuccess, flags);
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&host[1], number, sizeof(int)));
    printf("%d %d\n", *x, host[1]);
    CHECK(cudaEventQuery(two));

    // The instance changes, the graph does not.
    host[0] = 6;
    int seven = 7;
    CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, copy, number, &seven, sizeof(int), 0, cudaMemcpyHostToDevice));
    CHECK(cudaGraphExecEventRecordNodeSetEvent(exec, record, one));
    CHECK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, one));
    value = 1000;
    CHECK(cudaGraphCreate(&other, 0));
    CHECK(cudaGraphAddKernelNode(&inner, other, nullptr, 0, &p));
    CHECK(cudaGraphExecChildGraphNodeSetParams(exec, second, other));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&host[1], number, sizeof(int)));
    printf("%d %d\n", *x, host[1]);
    CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(copy, &host[1], number, sizeof(int), 0, cudaMemcpyDeviceToHost));

    cudaMemAllocNodeParams taken = {}, asked;
    taken.poolProps.allocType = cudaMemAllocationTypePinned;
    taken.poolProps.location = {cudaMemLocationTypeDevice, 0};
    taken.bytesize = 512;
    CHECK(cudaGraphCreate(&found, 0));
    CHECK(cudaGraphAddMemAllocNode(&memory, found, nullptr, 0, &taken));
    CHECK(cudaGraphAddMemFreeNode(&freed, found, &memory, 1, taken.dptr));
    CHECK(cudaGraphMemAllocNodeGetParams(memory, &asked));
    void *place;
    CHECK(cudaGraphMemFreeNodeGetParams(freed, &place));
    printf("%zu bytes, the same memory: %d %d\n", asked.bytesize, asked.dptr == taken.dptr, place == taken.dptr);
    CHECK(cudaGraphDestroy(found));

    // A graph, its copies and the program have references.
    cudaUserObject_t object, moved;
    static char name[] = "object", name2[] = "moved";
    CHECK(cudaUserObjectCreate(&object, name, destroyed, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaUserObjectCreate(&moved, name2, destroyed, 2, cudaUserObjectNoDestructorSync));
    CHECK(cudaUserObjectRetain(object, 2));
    CHECK(cudaGraphCreate(&found, 0));
    CHECK(cudaGraphRetainUserObject(found, object, 1, 0));
    CHECK(cudaGraphRetainUserObject(found, moved, 2, cudaGraphUserObjectMove));
    CHECK(cudaUserObjectRelease(object, 3));
    printf("released\n");
    CHECK(cudaGraphReleaseUserObject(found, moved, 1));
    printf("one reference is left\n");
    CHECK(cudaGraphReleaseUserObject(found, moved, 1));
    waitFor(1);
    cudaGraphExec_t holder;
    CHECK(cudaGraphInstantiate(&holder, found, 0));
    CHECK(cudaGraphReleaseUserObject(found, object, 1));
    CHECK(cudaGraphDestroy(found));
    printf("the instance holds the other\n");
    CHECK(cudaGraphExecDestroy(holder));
    waitFor(2);
}

// Output:
// records one: 1
// records two: 1
// waits for two: 1
// cudaErrorInvalidValue, cudaErrorInvalidValue
// cooperative 1, priority -2
// instantiated: 1, flags 0
// 111 5
// 1121 7
// 512 bytes, the same memory: 1 1
// released
// one reference is left
// destroyed moved
// the instance holds the other
// destroyed object
