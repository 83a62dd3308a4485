// Loops with barriers that go on as long as a shared variable, or a vote of the block, says so.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

constexpr int length = 256;

// Neighbours change places until nobody has anything to do.
__global__ void oddEven(int *x) {
    __shared__ int s[length];
    __shared__ bool moved;
    int t = threadIdx.x;
    x += blockIdx.x * length;
    s[t] = x[t];
    do {
        __syncthreads();
        if (t == 0)
            moved = false;
        __syncthreads();
        for (int odd = 0; odd < 2; odd++) {
            if (t % 2 == odd && t + 1 < length && s[t] > s[t + 1]) {
                int v = s[t];
                s[t] = s[t + 1];
                s[t + 1] = v;
                moved = true;
            }
            __syncthreads();
        }
    } while (moved);
    x[t] = s[t];
}

struct Queue {
    int begin, end;
};

// Breadth first: the vertices v, 2v + 1 and 2v + 2 are a tree.
__global__ void walk(int *level, int vertices) {
    __shared__ int queue[length];
    __shared__ Queue now;
    if (threadIdx.x == 0) {
        now = {0, 1};
        queue[0] = 0;
        level[0] = 0;
    }
    __syncthreads();
    for (int depth = 1;; depth++) {
        if (now.begin == now.end)
            break;
        int first = now.begin, last = now.end;
        __syncthreads();
        if (threadIdx.x == 0)
            now.begin = last;
        for (int i = first + threadIdx.x; i < last; i += blockDim.x)
            for (int to = 2 * queue[i] + 1; to <= 2 * queue[i] + 2; to++)
                if (to < vertices) {
                    level[to] = depth;
                    queue[atomicAdd(&now.end, 1)] = to;
                }
        __syncthreads();
    }
}

// The block goes on while anybody has something left; all count the rounds.
__global__ void votes(const int *x, int *out) {
    int left = x[threadIdx.x], n = 0, m = 0, w = 0;
    while (__syncthreads_or(left > 0)) {
        left--;
        if (left != 3)
            n++;
    }
    left = x[threadIdx.x];
    do
        m++, left--;
    while (!__syncthreads_and(left < 0));
    left = x[threadIdx.x];
    for (int i = 0; __syncthreads_count(left > i) > 100; i += 2)
        w += i;
    out[threadIdx.x] = n * 10000 + m * 100 + w;
}

__device__ int sum(cg::thread_block block, int *s, int v) {
    s[block.thread_rank()] = v;
    block.sync();
    for (unsigned k = block.num_threads() / 2; k > 0; k /= 2) {
        if (block.thread_rank() < k)
            s[block.thread_rank()] += s[block.thread_rank() + k];
        block.sync();
    }
    return s[0];
}

__global__ void sums(const int *x, int *out) {
    __shared__ int s[length];
    cg::thread_block block = cg::this_thread_block();
    int all = sum(block, s, x[block.group_index().x * block.group_dim().x + block.thread_rank()]);
    out[blockIdx.x * length + threadIdx.x] = all;
}

int main() {
    int *x, *out, wrong = 0;
    cudaMallocManaged(&x, 2 * length * sizeof *x);
    cudaMallocManaged(&out, 2 * length * sizeof *out);
    for (int i = 0; i < 2 * length; i++)
        x[i] = i * 37 % 101 + i / length;
    oddEven<<<2, length>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * length; i++)
        wrong += i % length > 0 && x[i] < x[i - 1];
    printf("sorted: %d wrong, %d and %d\n", wrong, x[0], x[2 * length - 1]);
    walk<<<1, 64>>>(out, 200);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < 200; i++)
        wrong += out[i] != 31 - __builtin_clz(i + 1);
    printf("levels: %d wrong\n", wrong);
    for (int i = 0; i < length; i++)
        x[i] = i % 20;
    votes<<<1, length>>>(x, out);
    cudaDeviceSynchronize();
    printf("votes: %d %d %d\n", out[0], out[4], out[length - 1]);
    for (int i = 0; i < 2 * length; i++)
        x[i] = i;
    sums<<<2, length>>>(x, out);
    cudaDeviceSynchronize();
    printf("sums: %d %d\n", out[5], out[length + 5]);
}

// Output:
// sorted: 0 wrong, 0 and 101
// levels: 0 wrong
// votes: 192030 182030 182030
// sums: 32640 98176
