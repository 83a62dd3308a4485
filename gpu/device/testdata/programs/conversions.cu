// Two neighbours that are converted to float and back are rounded. g++ 12.2 leaves the rounding out where it makes a vector of the two.
#include <cstdio>

struct Pair {
    double x, y;
};

__host__ __device__ __attribute__((noinline)) Pair rounded(double p, double q) {
    Pair a;
    a.x = (double)(float)p;
    a.y = (double)(float)q;
    return a;
}

__global__ void print(double p, double q) {
    Pair a = rounded(p, q);
    printf("kernel %a %a\n", a.x, a.y);
}

int main() {
    print<<<1, 1>>>(0.1, 0.2);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    Pair a = rounded(0.1, 0.2);
    printf("host %a %a\n", a.x, a.y);
}

// Output:
// kernel 0x1.99999ap-4 0x1.99999ap-3
// host 0x1.99999ap-4 0x1.99999ap-3
