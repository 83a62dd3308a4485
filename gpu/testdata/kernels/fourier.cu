// The fast Fourier transform of a block, and the plain one to compare.
//
//	re = float[256] small 61
//	im = float[256] small 62
//	re0 = float[256] small 61
//	im0 = float[256] small 62
//	outr = float[256] zero
//	outi = float[256] zero
//	near re 2e-2
//	near im 2e-2
//	near outr 2e-2
//	near outi 2e-2
//	launch fft<256><<<1, 128>>>(re, im)
//	launch dft<<<4, 64>>>(re0, im0, outr, outi, 256)
template <int n> __global__ void fft(float *re, float *im) {
	__shared__ float r[n], q[n];
	int t = threadIdx.x;
	for (int i = t; i < n; i += blockDim.x) {
		int to = __brev(i) >> (32 - 8);
		r[to] = re[i];
		q[to] = im[i];
	}
	__syncthreads();
	for (int half = 1; half < n; half *= 2) {
		int k = t % half, a = t / half * 2 * half + k, b = a + half;
		float s, c;
		sincospif(-(float)k / half, &s, &c);
		float xr = r[b] * c - q[b] * s, xi = r[b] * s + q[b] * c;
		float ar = r[a], ai = q[a];
		r[a] = ar + xr;
		q[a] = ai + xi;
		r[b] = ar - xr;
		q[b] = ai - xi;
		__syncthreads();
	}
	for (int i = t; i < n; i += blockDim.x) {
		re[i] = r[i];
		im[i] = q[i];
	}
}

__global__ void dft(const float *re, const float *im, float *outr, float *outi, int n) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	float sr = 0, si = 0;
	for (int j = 0; j < n; j++) {
		float s, c;
		sincospif(-2.0f * (j * k % n) / n, &s, &c);
		sr += re[j] * c - im[j] * s;
		si += re[j] * s + im[j] * c;
	}
	outr[k] = sr;
	outi[k] = si;
}
