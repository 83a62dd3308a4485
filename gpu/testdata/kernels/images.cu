// Pictures: edges by Sobel, a median of nine, a histogram equalised in one block.
//
//	in = uchar[4096] below 256 65
//	edges = uchar[4096] zero
//	median = uchar[4096] zero
//	flat = uchar[1024] zero
//	launch sobel<<<(4, 4), (16, 16)>>>(in, edges, 64, 64)
//	launch median9<<<(2, 8), (32, 8)>>>(in, median, 64, 64)
//	launch equalise<<<1, 256>>>(in, flat, 1024)
__device__ int at(const unsigned char *p, int x, int y, int w, int h) {
	return p[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int gx = 0, gy = 0;
	for (int d = -1; d <= 1; d++) {
		int k = d == 0 ? 2 : 1;
		gx += k * (at(in, x + 1, y + d, w, h) - at(in, x - 1, y + d, w, h));
		gy += k * (at(in, x + d, y + 1, w, h) - at(in, x + d, y - 1, w, h));
	}
	out[y * w + x] = min((abs(gx) + abs(gy)) / 8, 255);
}

__global__ void median9(const unsigned char *in, unsigned char *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, v[9], n = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			int p = at(in, x + dx, y + dy, w, h), k = n++;
			for (; k > 0 && v[k - 1] > p; k--) v[k] = v[k - 1];
			v[k] = p;
		}
	out[y * w + x] = v[4];
}

__global__ void equalise(const unsigned char *in, unsigned char *out, int n) {
	__shared__ int bins[256];
	int t = threadIdx.x;
	bins[t] = 0;
	__syncthreads();
	for (int i = t; i < n; i += blockDim.x) atomicAdd(&bins[in[i]], 1);
	__syncthreads();
	for (int k = 1; k < 256; k *= 2) {
		int add = t < k ? 0 : bins[t - k];
		__syncthreads();
		bins[t] += add;
		__syncthreads();
	}
	for (int i = t; i < n; i += blockDim.x) out[i] = bins[in[i]] * 255 / n;
}
