// Prices of options by Black and Scholes.
//
//	spot = float[1024] uniform 28
//	call = float[1024] zero
//	put = float[1024] zero
//	near call 2e-3
//	near put 2e-3
//	launch price<<<8, 128>>>(spot, call, put, 1024)
__device__ inline float cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void price(const float *spot, float *call, float *put, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const float strike = 25, years = 2, rate = 0.02f, sigma = 0.3f;
	float s = 5 + 45 * spot[i];
	float root = sqrtf(years);
	float d1 = (logf(s / strike) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root), d2 = d1 - sigma * root;
	float discounted = strike * expf(-rate * years);
	call[i] = s * cdf(d1) - discounted * cdf(d2);
	put[i] = discounted * cdf(-d2) - s * cdf(-d1);
}
