// y = a x + y: plain, in a grid-stride loop, and in vectors of four.
//
//	x = float[65536] small 3
//	y = float[65536] small 4
//	launch saxpy<<<256, 256>>>(65536, 2.5, x, y)
//	launch saxpy_stride<<<20, 128>>>(65536, -0.5, x, y)
//	launch saxpy4<<<64, 256>>>(16384, 4, x, y)
__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_stride(int n, float a, const float *x, float *y) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = a * x[i] + y[i];
}

__global__ void saxpy4(int n, float a, const float4 *x, float4 *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float4 u = x[i], v = y[i];
	y[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
}
