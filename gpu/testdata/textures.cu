// What the tests of textures launch.
__global__ void read1(cudaTextureObject_t t, const float4 *at, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex1D<float>(t, at[i].x);
}
__global__ void read2(cudaTextureObject_t t, const float4 *at, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex2D<float>(t, at[i].x, at[i].y);
}
__global__ void read3(cudaTextureObject_t t, const float4 *at, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex3D<float>(t, at[i].x, at[i].y, at[i].z);
}
__global__ void bytes(cudaTextureObject_t t, uchar4 *out, int w) { out[threadIdx.x] = tex2D<uchar4>(t, threadIdx.x % w, threadIdx.x / w); }
__global__ void colours(float scale, cudaTextureObject_t a, float4 *out, cudaTextureObject_t b) {
	float4 x = tex2D<float4>(a, 0.5f, 0.5f), y = tex2D<float4>(b, 1, 0);
	*out = make_float4(scale * x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__global__ void ints(cudaTextureObject_t t, int *out) { out[threadIdx.x] = tex1D<int>(t, (int)threadIdx.x - 1); }
__global__ void paint(cudaSurfaceObject_t s, int v) {
	surf1Dwrite(surf1Dread<float>(s, threadIdx.x * 4) + v, s, threadIdx.x * 4);
}
__global__ void outside(cudaSurfaceObject_t s) { surf1Dwrite(1.0f, s, 4 * 4); }
__global__ void fault(int *x) { *(volatile int *)0x10 = 1; }
