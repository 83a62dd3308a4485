// A dot product in two launches, and in one with the last block finishing the work.
//
//	a = float[20000] small 36
//	b = float[20000] small 37
//	part = float[32] zero
//	two = float[1] zero
//	part1 = float[32] zero
//	one = float[1] zero
//	done = uint[1] zero
//	launch partial<<<32, 128>>>(a, b, part, 20000)
//	launch total<<<1, 32>>>(part, two)
//	launch at_once<<<32, 128>>>(a, b, part1, one, done, 20000)
__global__ void partial(const float *a, const float *b, float *out, int n) {
	__shared__ float cache[128];
	int tid = threadIdx.x + blockIdx.x * blockDim.x, index = threadIdx.x;
	float temp = 0;
	while (tid < n) {
		temp += a[tid] * b[tid];
		tid += blockDim.x * gridDim.x;
	}
	cache[index] = temp;
	__syncthreads();
	int i = blockDim.x / 2;
	while (i != 0) {
		if (index < i) cache[index] += cache[index + i];
		__syncthreads();
		i /= 2;
	}
	if (index == 0) out[blockIdx.x] = cache[0];
}

__global__ void total(const float *part, float *out) {
	float v = part[threadIdx.x];
	for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
	if (threadIdx.x == 0) *out = v;
}

__global__ void at_once(const float *a, const float *b, volatile float *part, float *out, unsigned *done, int n) {
	__shared__ float s[128];
	__shared__ bool last;
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
	s[threadIdx.x] = sum;
	__syncthreads();
	for (int k = 64; k > 0; k /= 2) {
		if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		part[blockIdx.x] = s[0];
		__threadfence();
		last = atomicAdd(done, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		__threadfence();
		float all = 0;
		for (int i = 0; i < gridDim.x; i++) all += part[i];
		*out = all;
	}
}
