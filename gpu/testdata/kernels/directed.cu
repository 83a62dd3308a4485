// Sums and products rounded down, up and towards zero, and numbers taken apart.
//
//	x = float[256] uniform 112
//	y = float[256] uniform 113
//	sums = float[1024] zero
//	products = float[1024] zero
//	parts = int[256] zero
//	doubles = double[512] zero
//	launch add<<<2, 128>>>(x, y, sums)
//	launch multiply<<<2, 128>>>(x, y, products)
//	launch apart<<<2, 128>>>(x, parts)
//	launch wide<<<2, 128>>>(x, y, doubles)
__global__ void add(const float *x, const float *y, float *sums) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = x[i] - 0.5f, b = y[i] * 100;
	sums[4 * i] = __fadd_rd(a, b);
	sums[4 * i + 1] = __fadd_ru(a, b);
	sums[4 * i + 2] = __fadd_rz(-a, -b);
	sums[4 * i + 3] = __fsub_rn(a, b);
}

__global__ void multiply(const float *x, const float *y, float *products) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = x[i] - 0.5f, b = y[i] * 100;
	products[4 * i] = __fmul_rd(a, b);
	products[4 * i + 1] = __fmul_ru(a, b);
	products[4 * i + 2] = __fmul_rz(a, b);
	products[4 * i + 3] = __saturatef(a) + __fmul_rn(a, b);
}

__global__ void apart(const float *x, int *parts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, exponent;
	float fraction = frexpf(x[i] * i + 1, &exponent), whole, rest = modff(x[i] * 100, &whole);
	parts[i] = exponent * 1000 + int(fraction * 512) + int(whole) * 100000 + int(rest * 1024) * 7 + ilogbf(x[i] + 8) + signbit(x[i] - 0.5f);
	parts[i] += (__float_as_int(nextafterf(x[i], 2)) - __float_as_int(x[i])) * 3;
}

__global__ void wide(const float *x, const float *y, double *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double a = x[i], b = y[i];
	out[2 * i] = __dmul_rn(a, b) + __hiloint2double(0x40080000, 0) * __double2hiint(a);
	out[2 * i + 1] = __longlong_as_double(__double_as_longlong(b) ^ 1ll << 63) + __double2loint(a) + __float2int_rd(x[i] * 50 - 25);
}
