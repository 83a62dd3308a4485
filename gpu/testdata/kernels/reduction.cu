// The reduction ladder: one sum a block, each kernel better than the one before.
//
//	x = float[65536] small 5
//	r0 = float[256] zero
//	r1 = float[256] zero
//	r2 = float[256] zero
//	r3 = float[128] zero
//	r4 = float[128] zero
//	r5 = float[128] zero
//	r6 = float[16] zero
//	r7 = float[1] zero
//	launch divergent<<<256, 256>>>(x, r0)
//	launch conflicts<<<256, 256>>>(x, r1)
//	launch sequential<<<256, 256>>>(x, r2)
//	launch first_add<<<128, 256>>>(x, r3)
//	launch unrolled<256><<<128, 256>>>(x, r4)
//	launch shuffled<<<128, 256>>>(x, r5)
//	launch strided<<<16, 256>>>(x, r6, 65536)
//	launch atomic<<<64, 256>>>(x, r7, 65536)
__global__ void divergent(const float *x, float *out) {
	__shared__ float s[256];
	unsigned t = threadIdx.x;
	s[t] = x[blockIdx.x * blockDim.x + t];
	__syncthreads();
	for (unsigned k = 1; k < blockDim.x; k *= 2) {
		if (t % (2 * k) == 0) s[t] += s[t + k];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void conflicts(const float *x, float *out) {
	__shared__ float s[256];
	unsigned t = threadIdx.x;
	s[t] = x[blockIdx.x * blockDim.x + t];
	__syncthreads();
	for (unsigned k = 1; k < blockDim.x; k *= 2) {
		unsigned i = 2 * k * t;
		if (i < blockDim.x) s[i] += s[i + k];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void sequential(const float *x, float *out) {
	__shared__ float s[256];
	unsigned t = threadIdx.x;
	s[t] = x[blockIdx.x * blockDim.x + t];
	__syncthreads();
	for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
		if (t < k) s[t] += s[t + k];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void first_add(const float *x, float *out) {
	__shared__ float s[256];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
	s[t] = x[i] + x[i + blockDim.x];
	__syncthreads();
	for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
		if (t < k) s[t] += s[t + k];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

template <unsigned size> __global__ void unrolled(const float *x, float *out) {
	__shared__ float s[size];
	unsigned t = threadIdx.x, i = blockIdx.x * size * 2 + t;
	s[t] = x[i] + x[i + size];
	__syncthreads();
	if (size >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
	if (size >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
	if (t < 32) {
		float v = s[t] + s[t + 32];
#pragma unroll
		for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
		if (t == 0) out[blockIdx.x] = v;
	}
}

__device__ float warp_sum(float v) {
	for (int k = 16; k > 0; k >>= 1) v += __shfl_xor_sync(0xffffffff, v, k);
	return v;
}

__global__ void shuffled(const float *x, float *out) {
	__shared__ float s[8];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
	float v = warp_sum(x[i] + x[i + blockDim.x]);
	if (t % 32 == 0) s[t / 32] = v;
	__syncthreads();
	if (t < 32) {
		v = warp_sum(t < 8 ? s[t] : 0);
		if (t == 0) out[blockIdx.x] = v;
	}
}

__global__ void strided(const float *x, float *out, int n) {
	__shared__ float s[256];
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
	s[threadIdx.x] = sum;
	__syncthreads();
	for (int k = blockDim.x / 2; k > 0; k /= 2) {
		if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
		__syncthreads();
	}
	if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void atomic(const float *x, float *out, int n) {
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
	sum = warp_sum(sum);
	if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
