// Convolutions: of a row with weights in constant memory, and of an image with a halo.
//
//	row = float[2048] small 26
//	out = float[2048] zero
//	image = float[4096] small 27
//	blurred = float[4096] zero
//	launch row_filter<<<16, 128>>>(row, out, 2048)
//	launch image_filter<<<(4, 4), (16, 16)>>>(image, blurred, 64, 64)
__constant__ float weights[5] = {1, -2, 4, -2, 1};
__constant__ float kernel3[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

__global__ void row_filter(const float *x, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 5; k++) {
		int j = i + k - 2;
		if (j >= 0 && j < n) sum += weights[k] * x[j];
	}
	out[i] = sum;
}

__global__ void image_filter(const float *in, float *out, int w, int h) {
	__shared__ float s[18][18];
	int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
	for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
		int x = min(max(x0 + i % 18, 0), w - 1), y = min(max(y0 + i / 18, 0), h - 1);
		s[i / 18][i % 18] = in[y * w + x];
	}
	__syncthreads();
	float sum = 0;
	for (int dy = 0; dy < 3; dy++)
		for (int dx = 0; dx < 3; dx++) sum += kernel3[dy][dx] * s[threadIdx.y + dy][threadIdx.x + dx];
	out[(y0 + 1 + threadIdx.y) * w + x0 + 1 + threadIdx.x] = sum / 16;
}
