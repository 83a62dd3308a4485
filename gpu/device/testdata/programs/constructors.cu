// Objects with constructors in shared memory, functions that return structures, virtual functions: what
// compilers write for them is none of the kernel's own accesses, or is easily missed.
#include <cstdio>
#include <cuda_fp16.h>
#include <new>

struct Point {
    float x, y;
    __host__ __device__ Point() {}
    __host__ __device__ Point(float x, float y) : x(x), y(y) {}
};

__shared__ Point everywhere[32];

__device__ Point turned(Point p) { return Point(-p.y, p.x); }

__global__ void points(float *out) {
    __shared__ Point own[32];
    __shared__ half2 pairs[32];
    int t = threadIdx.x;
    own[t] = Point(t, 1);
    everywhere[t] = turned(own[t]);
    pairs[t] = __floats2half2_rn(t, 2);
    __syncthreads();
    if (t > 0)
        return;
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += own[i].x + everywhere[i].x + everywhere[i].y + __low2float(pairs[i]) + __high2float(pairs[i]);
    *out = sum;
}

struct alignas(16) Row {
    float v[8];
};
struct Triple {
    double a, b, c;
};
struct Large {
    int n[100];
};

__device__ __noinline__ Row row(float first) {
    Row r;
    for (int i = 0; i < 8; i++)
        r.v[i] = first + i;
    return r;
}
__device__ __noinline__ Triple triple(double a) { return {a, a + 1, a + 2}; }
__device__ __noinline__ double2 pair(double a) { return make_double2(a, -a); }
__device__ __noinline__ float2 small(float a) { return make_float2(a, 1); }
__device__ __noinline__ Large large(int first) {
    Large l;
    for (int i = 0; i < 100; i++)
        l.n[i] = first;
    return l;
}

struct Results {
    Row row;
    Triple triple;
    double2 pair;
    float2 small;
    Large large;
    float sine, cosine, whole;
    int exponent;
};

__global__ void compute(Results *r) {
    __shared__ Row rows[32];
    int t = threadIdx.x;
    rows[t] = row(t);
    __syncthreads();
    r += t;
    r->row = rows[31 - t];
    r->triple = triple(t);
    r->pair = pair(t);
    r->small = small(t);
    r->large = large(t);
    sincosf(0, &r->sine, &r->cosine);
    modff(2.5f, &r->whole);
    frexpf(8, &r->exponent);
}

__global__ void add(const Results *r, double *sum) {
    double s = 0;
    for (int t = 0; t < 32; t++, r++) {
        s += r->triple.a + r->triple.b + r->triple.c + r->pair.x + r->pair.y + r->small.x + r->small.y;
        for (float v : r->row.v)
            s += v;
        for (int n : r->large.n)
            s += n;
        s += r->sine + r->cosine + r->whole + r->exponent;
    }
    *sum = s;
}

struct Counter {
    __device__ virtual ~Counter() {}
    __device__ virtual void count(int n) = 0;
};
struct Sum : Counter {
    int total;
    __device__ Sum() : total(0) {}
    __device__ void count(int n) override { atomicAdd(&total, n); }
};
__device__ Counter *counter;

__global__ void create() { counter = new Sum; }
__global__ void fill() { counter->count(threadIdx.x); }
__global__ void finish(int *total) {
    *total = static_cast<Sum *>(counter)->total;
    delete counter;
}

int main() {
    float *x;
    double *sum;
    int *total;
    Results *r;
    cudaMallocManaged(&x, sizeof *x);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&total, sizeof *total);
    cudaMalloc(&r, 32 * sizeof *r);
    points<<<1, 32>>>(x);
    compute<<<1, 32>>>(r);
    add<<<1, 1>>>(r, sum);
    create<<<1, 1>>>();
    fill<<<1, 32>>>();
    finish<<<1, 1>>>(total);
    cudaDeviceSynchronize();
    printf("%g\n%g\n%d\n", *x, *sum, *total);
}

// Output:
// 1520
// 56800
// 496
