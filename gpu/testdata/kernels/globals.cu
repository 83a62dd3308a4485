// Variables of the program: constant tables, device counters and arrays that live on from
// launch to launch.
//
//	x = int[128] below 16 51
//	out = int[128] zero
//	state = int[3] zero
//	launch translate<<<2, 64>>>(x, out)
//	launch tally<<<2, 64>>>(x)
//	launch tally<<<2, 64>>>(x)
//	launch report<<<1, 1>>>(state)
struct Setting {
	int scale;
	int table[16];
};

__constant__ Setting setting = {3, {5, 8, 13, 21, 34, 55, 89, 144, 1, 1, 2, 3, 5, 8, 13, 21}};
__device__ int counter = 100;
__device__ unsigned long long wide[2];
namespace inner {
__device__ int most;
}

__global__ void translate(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = setting.table[x[i]] * setting.scale;
}

__global__ void tally(const int *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&counter, x[i]);
	atomicAdd(&wide[x[i] & 1], 1ull);
	atomicMax(&inner::most, x[i]);
}

__global__ void report(int *state) {
	state[0] = counter;
	state[1] = (int)(wide[0] * 1000 + wide[1]);
	state[2] = inner::most;
}
