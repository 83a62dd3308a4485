// Stencils: seven points of a line through shared memory with a halo, heat in two
// dimensions, and a box of a volume.
//
//	in = int[4096] small 12
//	out1 = int[4096] zero
//	grid = float[4096] small 13
//	out2 = float[4096] zero
//	volume = int[4096] small 14
//	out3 = int[4096] zero
//	launch line<<<16, 256>>>(in, out1, 4096)
//	launch heat<<<(4, 8), (16, 8)>>>(grid, out2, 64, 64, 0.125)
//	launch box<<<(2, 2, 4), (8, 8, 4)>>>(volume, out3, 16)
#define RADIUS 3

__global__ void line(const int *in, int *out, int n) {
	__shared__ int s[256 + 2 * RADIUS];
	int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
	s[l] = in[g];
	if (threadIdx.x < RADIUS) {
		s[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
		s[l + 256] = g + 256 < n ? in[g + 256] : 0;
	}
	__syncthreads();
	int sum = 0;
	for (int k = -RADIUS; k <= RADIUS; k++) sum += s[l + k];
	out[g] = sum;
}

__global__ void heat(const float *u, float *out, int w, int h, float k) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int i = y * w + x;
	if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
		out[i] = u[i];
		return;
	}
	out[i] = u[i] + k * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4 * u[i]);
}

__global__ void box(const int *in, int *out, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int z = blockIdx.z * blockDim.z + threadIdx.z;
	int sum = 0;
	for (int dz = -1; dz <= 1; dz++)
		for (int dy = -1; dy <= 1; dy++)
			for (int dx = -1; dx <= 1; dx++) {
				int i = x + dx, j = y + dy, k = z + dz;
				if (i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n) sum += in[(k * n + j) * n + i];
			}
	out[(z * n + y) * n + x] = sum;
}
