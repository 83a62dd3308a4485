// Pieces of neural networks: softmax of rows, layer normalisation, activation, and the
// nearest centre of k-means.
//
//	x = float[1024] uniform 63
//	soft = float[1024] zero
//	norm = float[1024] zero
//	act = float[1024] zero
//	centres = float[16] uniform 64
//	nearest = int[512] zero
//	near soft 1e-5
//	near norm 1e-3
//	near act 1e-4
//	launch softmax<<<16, 64>>>(x, soft)
//	launch layer_norm<<<16, 64>>>(x, norm)
//	launch gelu<<<4, 256>>>(x, act)
//	launch assign<<<4, 128>>>(x, centres, nearest, 8)
__device__ float block_reduce(float v, float *s, bool largest) {
	int t = threadIdx.x;
	s[t] = v;
	__syncthreads();
	for (int k = blockDim.x / 2; k > 0; k /= 2) {
		if (t < k) s[t] = largest ? fmaxf(s[t], s[t + k]) : s[t] + s[t + k];
		__syncthreads();
	}
	float all = s[0];
	__syncthreads();
	return all;
}

__global__ void softmax(const float *x, float *out) {
	__shared__ float s[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float most = block_reduce(x[i], s, true);
	float e = __expf(x[i] - most);
	out[i] = e / block_reduce(e, s, false);
}

__global__ void layer_norm(const float *x, float *out) {
	__shared__ float s[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float mean = block_reduce(x[i], s, false) / blockDim.x;
	float d = x[i] - mean;
	float var = block_reduce(d * d, s, false) / blockDim.x;
	out[i] = d * rsqrtf(var + 1e-5f);
}

__global__ void gelu(const float *x, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 4 * x[i] - 2;
	out[i] = 0.5f * v * (1 + erff(v * 0.70710678f));
}

__global__ void assign(const float2 *points, const float2 *centres, int *out, int k) {
	__shared__ float2 c[32];
	if (threadIdx.x < k) c[threadIdx.x] = centres[threadIdx.x];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float2 p = points[i];
	float least = 1e30f;
	for (int j = 0; j < k; j++) {
		float dx = p.x - c[j].x, dy = p.y - c[j].y, d = __fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy));
		if (d < least) {
			least = d;
			best = j;
		}
	}
	out[i] = best;
}
