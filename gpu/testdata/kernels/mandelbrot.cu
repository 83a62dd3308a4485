// The Mandelbrot set: threads that take very different times.
//
//	out = uchar[6144] zero
//	launch mandelbrot<<<(6, 8), (16, 8)>>>(out, 96, 64, 60)
__global__ void mandelbrot(unsigned char *out, int w, int h, int limit) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	double cx = -2.0 + 3.0 * px / w, cy = -1.0 + 2.0 * py / h, x = 0, y = 0;
	int n = 0;
	while (n < limit && __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) <= 4.0) {
		double t = __dadd_rn(__dsub_rn(__dmul_rn(x, x), __dmul_rn(y, y)), cx);
		y = __dadd_rn(__dmul_rn(__dmul_rn(2.0, x), y), cy);
		x = t;
		n++;
	}
	out[py * w + px] = n;
}
