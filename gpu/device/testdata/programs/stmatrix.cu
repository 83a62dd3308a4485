// Matrices that are stored by stmatrix from the registers to which ldmatrix loads them, and from registers set by hand.
#include <cstdint>
#include <cstdio>

__device__ uint16_t out[4 * 64];

template <int way> __global__ void store() {
    __shared__ alignas(16) uint16_t from[4 * 64], to[4 * 64];
    for (int i = threadIdx.x; i < 4 * 64; i += 32)
        from[i] = i, to[i] = 0;
    __syncthreads();
    unsigned source = unsigned(__cvta_generic_to_shared(from + threadIdx.x * 8)), target = unsigned(__cvta_generic_to_shared(to + threadIdx.x * 8));
    uint32_t r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(source));
    if (way == 0)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    if (way == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(target), "r"(r[0]), "r"(r[1]) : "memory");
    if (way == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(target), "r"(r[0]) : "memory");
    if (way == 3)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(target), "r"(r[0]), "r"(r[1]) : "memory");
    if (way == 4) {
        // Lane i has elements 2 i % 8 and 2 i % 8 + 1 of row i / 4, from 200 on.
        uint32_t mine = (200 + 2 * threadIdx.x) | (201 + 2 * threadIdx.x) << 16;
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(target), "r"(mine), "r"(mine) : "memory");
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4 * 64; i += 32)
        out[i] = to[i];
}

uint16_t host[4 * 64];

bool run(void (*kernel)(), int matrices, bool transposed) {
    kernel<<<1, 32>>>();
    cudaMemcpyFromSymbol(host, out, sizeof host);
    bool same = true;
    for (int i = 0; i < 4 * 64; i++) {
        int row = i / 8 % 8, column = i % 8, want = transposed ? i / 64 * 64 + column * 8 + row : i;
        same = same && host[i] == (i < matrices * 64 ? want : 0);
    }
    return same;
}

int main() {
    printf("the same: %d", run(store<0>, 4, false));
    printf(" %d", run(store<1>, 2, false));
    printf(" %d\n", run(store<2>, 1, false));
    printf("transposed: %d", run(store<3>, 2, true));
    printf(" %d\n", !run(store<3>, 2, false));
    run(store<4>, 0, false);
    printf("row 3 of the second:");
    for (int i = 0; i < 8; i++)
        printf(" %d", host[64 + 3 * 8 + i]);
    printf("\n");
    return cudaDeviceSynchronize();
}
// Output:
// the same: 1 1 1
// transposed: 1 1
// row 3 of the second: 224 225 226 227 228 229 230 231
