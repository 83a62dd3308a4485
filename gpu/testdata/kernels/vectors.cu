// Vector types, with operators of one's own since CUDA has none.
//
//	p = float[256] small 54
//	q = float[256] zero
//	pixels = uchar[256] below 256 55
//	gray = uchar[64] zero
//	pairs = double[64] small 56
//	products = double[64] zero
//	near q 1e-6
//	launch rotate<<<1, 64>>>(p, q)
//	launch grayscale<<<1, 64>>>(pixels, gray)
//	launch multiply<<<1, 32>>>(pairs, products)
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void rotate(const float4 *p, float4 *q) {
	float4 v = p[threadIdx.x];
	float3 n = {v.x, v.y, v.z};
	q[threadIdx.x] = 0.5f * v + make_float4(v.y, v.z, v.w, sqrtf(dot(n, n)));
}

__global__ void grayscale(const uchar4 *in, unsigned char *out) {
	uchar4 c = in[threadIdx.x];
	out[threadIdx.x] = (c.x * 77 + c.y * 151 + c.z * 28) >> 8;
}

__global__ void multiply(const double2 *z, double2 *out) {
	double2 a = z[threadIdx.x], b = z[(threadIdx.x + 1) % 32];
	out[threadIdx.x] = make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
