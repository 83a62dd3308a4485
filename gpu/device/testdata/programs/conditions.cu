// Graphs with nodes whose bodies run on a condition, clusters that a launch asks for, CUDA's own atomic functions, and more of halves.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__managed__ int counter, notes[64], logged;

__global__ void note(int what) { notes[logged++] = what; }
__global__ void odd(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, counter % 2); }
__global__ void choose(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, counter); }
__global__ void countDown(cudaGraphConditionalHandle h) {
    notes[logged++] = counter;
    if (--counter == 0)
        cudaGraphSetConditional(h, 0);
}

cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t *after, void *f, void **args) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = f;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    cudaGraphNode_t n;
    CHECK(cudaGraphAddNode(&n, g, after, nullptr, after != nullptr, &p));
    return n;
}
cudaGraph_t *conditional(cudaGraph_t g, cudaGraphNode_t *after, cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    cudaGraphNode_t n;
    CHECK(cudaGraphAddNode(&n, g, after, nullptr, after != nullptr, &p));
    return p.conditional.phGraph_out;
}
void run(cudaGraph_t g, std::initializer_list<int> values) {
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, g, 0));
    for (int v : values) {
        counter = v, logged = 0;
        CHECK(cudaGraphLaunch(exec, 0));
        CHECK(cudaDeviceSynchronize());
        printf(" %d:", v);
        for (int i = 0; i < logged; i++)
            printf(" %d", notes[i]);
    }
    printf("\n");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(g));
}

void graphs() {
    cudaGraph_t g;
    cudaGraphConditionalHandle h, inner;
    int ten = 10, twenty = 20, thirty = 30;
    void *tens[] = {&ten}, *twenties[] = {&twenty}, *thirties[] = {&thirty}, *handles[] = {&h}, *inners[] = {&inner};

    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphConditionalHandleCreate(&h, g));
    cudaGraphNode_t first = kernel(g, nullptr, (void *)odd, handles);
    cudaGraph_t *bodies = conditional(g, &first, h, cudaGraphCondTypeIf, 2);
    kernel(bodies[0], nullptr, (void *)note, tens);
    kernel(bodies[1], nullptr, (void *)note, twenties);
    printf("if:");
    run(g, {1, 2, 3});

    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = conditional(g, nullptr, h, cudaGraphCondTypeWhile, 1)[0];
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    countDown<<<1, 1, 0, s>>>(h);
    CHECK(cudaStreamEndCapture(s, nullptr));
    // And in each turn another condition.
    cudaGraphNode_t last[1];
    size_t one = 1;
    CHECK(cudaGraphGetNodes(body, last, &one));
    CHECK(cudaGraphConditionalHandleCreate(&inner, body));
    first = kernel(body, last, (void *)odd, inners);
    kernel(conditional(body, &first, inner, cudaGraphCondTypeIf, 1)[0], nullptr, (void *)note, thirties);
    printf("while:");
    run(g, {4, 1});

    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphConditionalHandleCreate(&h, g));
    first = kernel(g, nullptr, (void *)choose, handles);
    bodies = conditional(g, &first, h, cudaGraphCondTypeSwitch, 3);
    kernel(bodies[0], nullptr, (void *)note, tens);
    kernel(bodies[1], nullptr, (void *)note, twenties);
    kernel(bodies[2], nullptr, (void *)note, thirties);
    printf("switch:");
    run(g, {2, 0, 3});

    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    CHECK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g));
    printf("two bodies of while: %s\n", cudaGetErrorString(cudaGraphAddNode(&first, g, nullptr, nullptr, 0, &p)));
    CHECK(cudaGraphDestroy(g));
}

__global__ void neighbours(int *out) {
    __shared__ int mine;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        mine = 100 * blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks()) + cluster.num_blocks();
    cluster.sync();
}

void clusters() {
    int *out;
    CHECK(cudaMallocManaged(&out, 8 * sizeof *out));
    for (unsigned n : {1, 2, 4, 3}) {
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = n;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(8);
        config.blockDim = dim3(32);
        config.attrs = &attribute;
        config.numAttrs = 1;
        cudaError_t e = cudaLaunchKernelEx(&config, neighbours, out);
        printf("clusters of %u:", n);
        if (e != cudaSuccess) {
            printf(" %s\n", e == cudaErrorInvalidValue || e == cudaErrorInvalidClusterSize ? "refused" : cudaGetErrorString(e));
            continue;
        }
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < 8; i++)
            printf(" %d", out[i]);
        printf("\n");
    }
    cudaGetLastError();
}

__global__ void atomics(int *v, unsigned char *byte, float *f, int *ready) {
    __nv_atomic_add(v, 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(v + 1, (int)threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_or(v + 2, 1 << threadIdx.x % 8, __NV_ATOMIC_ACQ_REL);
    __nv_atomic_add(f, 0.5f, __NV_ATOMIC_RELAXED);
    int expected = 0;
    if (__nv_atomic_compare_exchange_n(v + 3, &expected, (int)threadIdx.x + 1, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED))
        __nv_atomic_store_n(v + 4, 7, __NV_ATOMIC_RELAXED);
    else
        __nv_atomic_add(v + 5, expected != 0, __NV_ATOMIC_RELAXED);
    if (threadIdx.x == 63) { // what it has written comes before the flag
        *byte = 9;
        __nv_atomic_store_n(ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
    if (threadIdx.x == 0) {
        while (__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0)
            ;
        float old, now = *byte;
        __nv_atomic_exchange(f + 1, &now, &old, __NV_ATOMIC_RELAXED);
        __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    }
}

__global__ void halves(float *out) {
    __half2 a = __floats2half2_rn(1, -2), b = __floats2half2_rn(1, NAN), c = __hcmadd(a, a, a), e = h2exp2(a);
    out[0] = __hne2_mask(a, b);
    out[1] = __hequ2_mask(a, b) == 0xffffffff;
    out[2] = __low2float(__hmax2_nan(a, b));
    out[3] = __half2float(__hmax(__high2half(a), __high2half(b)));
    out[4] = __low2float(c);
    out[5] = __high2float(c);
    out[6] = __low2float(e) + __high2float(e);
    out[7] = __hbneu2(a, b) + 2 * __hbgeu2(a, b);
    __nv_bfloat162 d = __hfma2_relu(__floats2bfloat162_rn(2, 2), __floats2bfloat162_rn(-1, 1), __floats2bfloat162_rn(1, 1));
    out[8] = __low2float(d) + __high2float(d);
    out[9] = __nv_cvt_bfloat16raw_to_fp8(__float2bfloat16(-3.25f), __NV_SATFINITE, __NV_E4M3);
    out[10] = (int)(char)__nv_fp8_e5m2(-20.0f);
    out[11] = __nv_cvt_float_to_e8m0(5, __NV_SATFINITE, cudaRoundPosInf); // 8, the power of two above
}

int main() {
    graphs();
    clusters();
    int *v;
    float *f;
    CHECK(cudaMallocManaged(&v, 32));
    CHECK(cudaMallocManaged(&f, 64));
    unsigned char *byte;
    CHECK(cudaMallocManaged(&byte, 1));
    atomics<<<1, 64>>>(v, byte, f, v + 6);
    CHECK(cudaDeviceSynchronize());
    printf("atomics: %d %d %d %d %d %d, %g %g\n", v[0], v[1], v[2], v[3] > 0, v[4], v[5], f[0], f[1]);
    halves<<<1, 1>>>(f);
    CHECK(cudaDeviceSynchronize());
    printf("halves:");
    for (int i = 0; i < 12; i++)
        printf(" %g", f[i]);
    printf("\n");
}
// Output:
// if: 1: 10 2: 20 3: 10
// while: 4: 4 30 3 2 30 1 1: 1
// switch: 2: 30 0: 10 3:
// two bodies of while: invalid argument
// clusters of 1: 1 101 201 301 401 501 601 701
// clusters of 2: 102 2 302 202 502 402 702 602
// clusters of 4: 104 204 304 4 504 604 704 404
// clusters of 3: refused
// atomics: 128 63 255 1 7 63, 32 9
// halves: 0 1 1 -2 -2 -6 2.25 2 3 197 -20 130
