// Shapes that are easily got wrong: blocks that are no multiple of a warp, early returns
// before a barrier, loops of unequal length without barriers, three dimensions, one thread.
//
//	x = int[1000] small 66
//	sums = int[11] zero
//	early = int[300] zero
//	cube = int[210] zero
//	single = int[1] zero
//	launch odd_block<<<11, 93>>>(x, sums, 1000)
//	launch early_return<<<4, 77>>>(x, early, 300)
//	launch indices<<<(2, 1, 3), (5, 7, 1)>>>(cube)
//	launch lonely<<<1, 1>>>(x, single, 1000)
__global__ void odd_block(const int *x, int *sums, int n) {
	__shared__ int s[93];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	int active = blockDim.x;
	while (active > 1) {
		int half = (active + 1) / 2;
		if (threadIdx.x < active / 2) s[threadIdx.x] += s[threadIdx.x + half];
		active = half;
		__syncthreads();
	}
	if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

__global__ void early_return(const int *x, int *out, int n) {
	__shared__ int s[77];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	s[threadIdx.x] = x[i];
	__syncthreads();
	if (threadIdx.x == 0) {
		out[i] = s[0];
		return;
	}
	out[i] = s[threadIdx.x] - s[threadIdx.x - 1];
}

__global__ void indices(int *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y, z = blockIdx.z;
	out[(z * 7 + y) * 10 + x] = x + 100 * y + 10000 * z + gridDim.z * 1000000;
}

__global__ void lonely(const int *x, int *out, int n) {
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += x[i] * i;
		__syncthreads();
	}
	*out = sum;
}
