// cuRAND's generators of host code. The digests are those of libcurand 10.3.10's own generators on a host.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <curand.h>

unsigned long long digest;
template <class T> void mix(const T *values, size_t n) {
    const unsigned *words = (const unsigned *)values;
    for (size_t i = 0; i < n * sizeof(T) / 4; i++)
        digest = (digest ^ words[i]) * 1099511628211ull;
}

struct Series {
    unsigned *bits;
    float *f;
    double *d;
};

// run makes numbers of all kinds in turn.
void run(curandGenerator_t g, Series s) {
    digest = 14695981039346656037ull;
    int status = curandGenerate(g, s.bits, 90000);
    status |= curandGenerateUniform(g, s.f, 1235);
    cudaDeviceSynchronize();
    mix(s.bits, 90000);
    mix(s.f, 1235);
    status |= curandGenerateUniformDouble(g, s.d, 7001);
    status |= curandGenerate(g, s.bits, 1001);
    cudaDeviceSynchronize();
    mix(s.d, 7001);
    mix(s.bits, 1001);
    double sums[4] = {};
    status |= curandGenerateNormal(g, s.f, 2000, 0, 1);
    status |= curandGenerateNormalDouble(g, s.d, 3000, 1, 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2000; i++)
        sums[0] += s.f[i] * (i % 7);
    for (int i = 0; i < 3000; i++)
        sums[1] += s.d[i] * (i % 7);
    status |= curandGenerateLogNormal(g, s.f, 1000, 1, 0.25f);
    status |= curandGenerateLogNormalDouble(g, s.d, 1000, 1, 0.25);
    status |= curandGenerate(g, s.bits, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1000; i++)
        sums[2] += s.f[i] * (i % 7), sums[3] += s.d[i] * (i % 7);
    mix(s.bits, 100);
    printf("%d %016llx %.1f %.6f %.1f %.6f\n", status, digest, sums[0], sums[1], sums[2], sums[3]);
}

int main() {
    Series host = {(unsigned *)malloc(360000), (float *)malloc(8000), (double *)malloc(56008)}, device;
    cudaMallocManaged(&device.bits, 360000);
    cudaMallocManaged(&device.f, 8000);
    cudaMallocManaged(&device.d, 56008);
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MRG32K3A})
        for (unsigned long long offset : {0ull, (1ull << 40) + 5001}) {
            curandGenerator_t g, h;
            printf("%d %llu: %d", type, offset, curandCreateGeneratorHost(&g, type));
            printf(" %d", curandCreateGenerator(&h, type)), printf(" ");
            curandSetPseudoRandomGeneratorSeed(g, 1234 + offset);
            curandSetGeneratorOffset(g, offset);
            run(g, host);
            printf("  on a device: ");
            curandSetGeneratorOrdering(h, CURAND_ORDERING_PSEUDO_LEGACY);
            curandSetGeneratorOrdering(h, CURAND_ORDERING_PSEUDO_DEFAULT);
            curandSetPseudoRandomGeneratorSeed(h, 1234 + offset);
            curandSetGeneratorOffset(h, offset);
            run(h, device);
            curandDestroyGenerator(g);
            curandDestroyGenerator(h);
        }
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    printf("odd: %d, LongLong: %d, no generator: %d, no mean: %d, type 7: ", curandGenerateNormal(g, device.f, 3, 0, 1),
           curandGenerateLongLong(g, (unsigned long long *)device.d, 2), curandGenerate(nullptr, device.bits, 1), curandGeneratePoisson(g, device.bits, 10, -1));
    curandGeneratePoisson(g, device.bits, 90000, 20);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 90000; i++)
        sum += device.bits[i];
    curandDestroyGenerator(g);
    printf("%d; Poisson of 20: %s\n", curandCreateGenerator(&g, (curandRngType_t)7), fabs(sum / 90000 - 20) < 0.1 ? "right" : "wrong");
    cudaFree(device.bits);
    cudaFree(device.f);
    cudaFree(device.d);
}
// Output:
// 101 0: 0 0 0 da2e8c6558bf4bfd 79.1 9208.703750 8377.3 8308.426986
//   on a device: 0 da2e8c6558bf4bfd 79.1 9208.703750 8377.3 8308.426986
// 101 1099511632777: 0 0 0 e6ec0717e532c516 -88.5 9657.942691 8411.8 8241.017460
//   on a device: 0 e6ec0717e532c516 -88.5 9657.942691 8411.8 8241.017460
// 161 0: 0 0 0 90744591b4d5ebb9 225.3 9141.082709 8533.4 8462.168345
//   on a device: 0 90744591b4d5ebb9 225.3 9141.082709 8533.4 8462.168345
// 161 1099511632777: 0 0 0 8ffbaf8f6c23c443 84.7 9140.222595 8383.9 8332.129671
//   on a device: 0 8ffbaf8f6c23c443 84.7 9140.222595 8383.9 8332.129671
// 121 0: 0 0 0 11120f2865c7b0d0 81.6 8768.895237 8472.8 8495.604287
//   on a device: 0 11120f2865c7b0d0 81.6 8768.895237 8472.8 8495.604287
// 121 1099511632777: 0 0 0 222345526c33293a 355.8 8484.066037 8469.5 8556.757462
//   on a device: 0 222345526c33293a 355.8 8484.066037 8469.5 8556.757462
// odd: 105, LongLong: 103, no generator: 101, no mean: 104, type 7: 103; Poisson of 20: right
