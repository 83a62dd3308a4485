// Functions for TestCUDA.
#include <cooperative_groups.h>

#define TURN 5
#define LAST 31

struct state {
	unsigned v;
	__device__ unsigned next() { return v = v * 1664525u + 1013904223u; }
};

// noise returns a number of x.
__device__ __forceinline__ unsigned noise(unsigned x) {
	state s{x};
	s.next();
	return s.next() >> TURN;
}

__device__ void exchange(float *a, float *b) {
	const float t = *a;
	*a = *b;
	*b = t;
}

__device__ double widened(const float *x, short n) { return n * (double)*x; }

// fromLast returns the value of the last thread of the warp.
__device__ int fromLast(int v) { return cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()).shfl(v, LAST); }

__device__ bool odd(long long x) { return x & 1; }
