// cuRAND's generators in kernels. The lines marked "published" can be compared with the generators' authors: L'Ecuyer's streams begin
// with 0.12701, 0.31852, 0.30918, and Random123 has the numbers of Philox for these counters and keys (kat_vectors). The digests
// and the other lines are what NVIDIA's curand_kernel.h 10.3.10 gives when a host's compiler compiles it.
#include <cstdio>
#include <curand_kernel.h>

__device__ void mix(unsigned long long &digest, unsigned value) { digest = (digest ^ value) * 1099511628211ull; }

// digests takes 3000 numbers of each of 96 streams.
template <class State> __global__ void digests(unsigned long long *digest) {
    const unsigned long long seeds[] = {0, 1, 1234, 0xdeadbeefcafe}, sequences[] = {0, 1, 4095, 1000000, 1ull << 24, 1ull << 27};
    const unsigned long long offsets[] = {0, 3, 100000, 0x1234567};
    int i = threadIdx.x;
    State s;
    curand_init(seeds[i % 4], sequences[i / 4 % 6], offsets[i / 24], &s);
    unsigned long long d = 14695981039346656037ull;
    for (int k = 0; k < 3000; k++)
        mix(d, curand(&s));
    skipahead(12345, &s);
    skipahead_sequence(3, &s);
    mix(d, curand(&s));
    mix(d, __float_as_uint(curand_uniform(&s)));
    mix(d, (unsigned)__double_as_longlong(curand_uniform_double(&s)));
    mix(d, curand_poisson(&s, 10));
    digest[i] = d;
}

__global__ void published(uint4 *philox, double *mrg) {
    curandStatePhilox4_32_10_t s;
    curand_init(0, 0, 0, &s);
    philox[0] = curand4(&s);
    curand_init(0x299f31d0a4093822, 0x0370734413198a2e, 0, &s);
    for (int i = 0; i < 4; i++) // a quarter of the counter at a time
        skipahead(0x85a308d3243f6a88, &s);
    philox[1] = curand4(&s);
    curandStateMRG32k3a_t m;
    curand_init(0, 0, 0, &m);
    for (int i = 0; i < 3; i++)
        mrg[i] = curand_uniform_double(&m);
}

struct Normals {
    float one[3], log;
    float2 two;
    double precise[3], preciseLog;
    double2 preciseTwo;
    unsigned large, next;
};
template <class State> __global__ void normals(Normals *n) {
    State s;
    curand_init(7, 3, 1, &s);
    for (float &x : n->one)
        x = curand_normal(&s);
    n->log = curand_log_normal(&s, 1, 0.5f);
    n->two = curand_normal2(&s);
    for (double &x : n->precise)
        x = curand_normal_double(&s);
    n->preciseLog = curand_log_normal_double(&s, 1, 0.5);
    n->preciseTwo = curand_normal2_double(&s);
    n->next = curand(&s);
}

// middle is about Poisson numbers of a middle mean, which have no sequence in common with cuRAND's.
template <class State> __global__ void middle(double *sums) {
    State s;
    curand_init(11, threadIdx.x, 0, &s);
    double sum = 0, squares = 0;
    for (int i = 0; i < 1000; i++) {
        double v = curand_poisson(&s, 200);
        sum += v, squares += v * v;
    }
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
}

// corput has the direction numbers of van der Corput's sequence: a Sobol sequence's first dimension.
__global__ void corput(double *out) {
    curandDirectionVectors32_t v;
    for (int i = 0; i < 32; i++)
        v[i] = 1u << (31 - i);
    curandStateSobol32_t s;
    curand_init(v, 1u, &s);
    for (int i = 0; i < 4; i++)
        out[i] = curand_uniform_double(&s);
    curand_init(v, 1u, &s);
    for (int i = 4; i < 8; i++)
        out[i] = curand_normal_double(&s);
    curandStateScrambledSobol32_t c;
    curand_init(v, 0x80000000u, 1u, &c);
    for (int i = 8; i < 12; i++)
        out[i] = curand_uniform_double(&c);
}

template <class State> void show(const char *name) {
    unsigned long long *d, all = 14695981039346656037ull;
    cudaMallocManaged(&d, 96 * sizeof *d);
    digests<State><<<1, 96>>>(d);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; i++)
        all = (all ^ d[i]) * 1099511628211ull;
    printf("%s: digest %016llx\n", name, all);
    Normals *n;
    cudaMallocManaged(&n, sizeof *n);
    normals<State><<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("  %.3f %.3f %.3f  %.3f  %.3f %.3f\n", n->one[0], n->one[1], n->one[2], n->log, n->two.x, n->two.y);
    printf("  %.9f %.9f %.9f  %.9f  %.9f %.9f  %u\n", n->precise[0], n->precise[1], n->precise[2], n->preciseLog, n->preciseTwo.x, n->preciseTwo.y, n->next);
    double *sums;
    cudaMallocManaged(&sums, 2 * sizeof *sums);
    sums[0] = sums[1] = 0;
    middle<State><<<1, 128>>>(sums);
    cudaDeviceSynchronize();
    double mean = sums[0] / 128000, variance = sums[1] / 128000 - mean * mean;
    printf("  mean of 200 %s, variance of 200 %s\n", mean > 199.8 && mean < 200.2 ? "right" : "wrong", variance > 197 && variance < 203 ? "right" : "wrong");
    cudaFree(d);
    cudaFree(n);
    cudaFree(sums);
}

int main() {
    uint4 *p;
    double *m;
    cudaMallocManaged(&p, 2 * sizeof *p);
    cudaMallocManaged(&m, 12 * sizeof *m);
    published<<<1, 1>>>(p, m);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        printf("published: %08x %08x %08x %08x\n", p[i].x, p[i].y, p[i].z, p[i].w);
    printf("published: %.5f %.5f %.5f\n", m[0], m[1], m[2]);
    show<curandStateXORWOW_t>("XORWOW");
    show<curandStatePhilox4_32_10_t>("Philox");
    show<curandStateMRG32k3a_t>("MRG32k3a");
    corput<<<1, 1>>>(m);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%.6f%c", m[i], i % 4 == 3 ? '\n' : ' ');
    cudaFree(p);
    cudaFree(m);
}
// Output:
// published: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// published: d16cfe09 94fdcceb 5001e420 24126ea1
// published: 0.12701 0.31853 0.30919
// XORWOW: digest 8b842b35204b2c11
//   0.322 -1.058 0.642  3.158  -1.619 -1.052
//   2.974377798 -1.277498490 -0.475699239  1.926076469  1.181855195 -0.312257308  1458409523
//   mean of 200 right, variance of 200 right
// Philox: digest 83677d79a4d3d145
//   1.744 1.066 -0.528  3.561  0.817 -0.795
//   0.944659688 -1.228469285 -0.990605876  1.875846484  0.558925625 -0.308567650  3588273104
//   mean of 200 right, variance of 200 right
// MRG32k3a: digest ec27179e423b3e9b
//   -0.955 -0.522 -0.302  2.668  0.221 0.554
//   0.780899897 1.529307473 -0.023606937  2.166358025  -0.404905201 0.457777757  1325423203
//   mean of 200 right, variance of 200 right
// 0.500000 0.750000 0.250000 0.375000
// 0.000000 0.674490 -0.674490 -0.318639
// 0.000000 0.250000 0.750000 0.875000
