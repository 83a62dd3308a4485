// Copies that touch memory well and badly: consecutive, shifted, strided, as vectors.
//
//	x = float[32800] index
//	plain = float[1024] zero
//	shifted = float[1024] zero
//	strided = float[1024] zero
//	vectors = float[1024] zero
//	launch copy<<<4, 256>>>(x, plain)
//	launch copy_offset<<<4, 256>>>(x, shifted, 3)
//	launch copy_stride<<<4, 256>>>(x, strided, 32)
//	launch copy_vector<<<1, 256>>>(x, vectors)
__global__ void copy(const float *x, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = x[i];
}

__global__ void copy_offset(const float *x, float *out, int offset) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = x[i + offset];
}

__global__ void copy_stride(const float *x, float *out, int stride) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = x[i * stride];
}

__global__ void copy_vector(const float4 *x, float4 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __ldg(&x[i]);
}
