// In which memory an address is.
#include <cstdint>
#include <cstdio>

__constant__ int constants[4] = {1, 2, 3, 4};
namespace named {
__constant__ const float one = 1, two[2] = {2, 2};
}
__device__ int variable;
__managed__ int found[9];

__device__ int spaces(const void *p) { return __isShared(p) | __isGlobal(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3; }
__device__ int bySpace(const void *p) {
    int shared, global, constant, local;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(shared) : "l"(p));
    asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(global) : "l"(p));
    asm("{ .reg .pred p; isspacep.const p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(constant) : "l"(p));
    asm("{ .reg .pred p; isspacep.local p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(local) : "l"(p));
    return shared | global << 1 | constant << 2 | local << 3;
}

__global__ void ask(const int *buffer, bool barriers) {
    __shared__ int fixed[32];
    extern __shared__ int dynamic[];
    int own[4] = {int(threadIdx.x), 1, 2, 3};
    fixed[threadIdx.x] = dynamic[threadIdx.x] = own[threadIdx.x % 4];
    if (barriers)
        __syncthreads();
    const void *at[] = {fixed + 31 - threadIdx.x, dynamic + threadIdx.x, own + threadIdx.x % 4, buffer, &variable, constants + 3, &named::one, named::two + 1};
    int sum = fixed[barriers ? 31 - threadIdx.x : threadIdx.x];
    for (int i = 0; i < 8; i++)
        if (threadIdx.x == i % 3)
            found[i] = spaces(at[i]) == bySpace(at[i]) ? spaces(at[i]) : -1;
    const void *back = __cvta_shared_to_generic(__cvta_generic_to_shared(at[0]));
    if (threadIdx.x == 5)
        found[8] = sum >= 0 && back == at[0] && __cvta_global_to_generic(__cvta_generic_to_global(buffer)) == buffer;
}

int main() {
    int *buffer;
    cudaMalloc(&buffer, 4);
    for (int barriers = 0; barriers < 2; barriers++) {
        ask<<<2, 32, 32 * sizeof(int)>>>(buffer, barriers);
        int status = cudaDeviceSynchronize();
        printf("%d:", status);
        for (int f : found)
            printf(" %d", f);
        printf("\n");
    }
}
// Output:
// 0: 1 1 8 2 2 4 4 4 1
// 0: 1 1 8 2 2 4 4 4 1
