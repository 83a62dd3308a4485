// Products of matrices on tensor cores: a warp makes a tile of 16 by 16. Half precision
// with sums in float and in half, bytes with sums in int, and where the architecture has
// them bfloat16, tf32 and double. Elsewhere a loop does those.
//
//	a = half[1024] uniform 60
//	b = half[1024] uniform 61
//	c = float[1024] uniform 62
//	small = half[256] zero
//	bytes = char[512] small 63
//	more = char[128] small 64
//	whole = int[256] zero
//	brain = bfloat16[256] uniform 65
//	brains = float[256] zero
//	f = float[128] uniform 66
//	g = float[128] uniform 67
//	tf = float[256] zero
//	d = double[32] uniform 68
//	e = double[32] uniform 69
//	dd = double[64] zero
//	near c 1e-5
//	near small 2e-3
//	near brains 1e-5
//	near tf 1e-3
//	near dd 1e-12
//	launch product<<<4, 32>>>(a, b, c)
//	launch in_half<<<1, 32>>>(a, b, small)
//	launch of_bytes<<<1, 32>>>(bytes, more, whole)
//	launch of_bfloat16<<<1, 32>>>(brain, brains)
//	launch of_tf32<<<1, 32>>>(f, g, tf)
//	launch of_double<<<1, 32>>>(d, e, dd)
#include <mma.h>
using namespace nvcuda;

// c += a * b for matrices of 32 by 32, a warp a tile.
__global__ void product(const half *a, const half *b, float *c) {
	int row = blockIdx.x / 2 * 16, col = blockIdx.x % 2 * 16;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
	wmma::fill_fragment(sum, 0.0f);
	for (int k = 0; k < 32; k += 16) {
		wmma::load_matrix_sync(fa, a + row * 32 + k, 32);
		wmma::load_matrix_sync(fb, b + k * 32 + col, 32);
		wmma::mma_sync(sum, fa, fb, sum);
	}
	wmma::load_matrix_sync(old, c + row * 32 + col, 32, wmma::mem_row_major);
	for (int i = 0; i < sum.num_elements; i++) sum.x[i] = 2.0f * sum.x[i] + old.x[i];
	wmma::store_matrix_sync(c + row * 32 + col, sum, 32, wmma::mem_row_major);
}

// The transpose of (a b), with b's columns in a row each.
__global__ void in_half(const half *a, const half *b, half *out) {
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
	wmma::fill_fragment(sum, __float2half(1.0f));
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(sum, fa, fb, sum);
	wmma::store_matrix_sync(out, sum, 16, wmma::mem_col_major);
}

// 32 by 16 times 16 by 8.
__global__ void of_bytes(const signed char *a, const signed char *b, int *out) {
	wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major> fb;
	wmma::fragment<wmma::accumulator, 32, 8, 16, int> sum;
	wmma::fill_fragment(sum, -5);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 8);
	wmma::mma_sync(sum, fa, fb, sum);
	wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
}

__global__ void of_bfloat16(const __nv_bfloat16 *a, float *out) {
#if __CUDA_ARCH__ >= 800
	wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fill_fragment(sum, 0.0f);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, a, 16);
	wmma::mma_sync(sum, fa, fb, sum);
	wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
#else
	for (int i = threadIdx.x; i < 256; i += 32)
		for (int k = 0; k < 16; k++) out[i] += __bfloat162float(a[i / 16 * 16 + k]) * __bfloat162float(a[i % 16 * 16 + k]);
#endif
}

// 16 by 8 times 8 by 16.
__global__ void of_tf32(const float *a, const float *b, float *out) {
#if __CUDA_ARCH__ >= 800
	wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
	wmma::fill_fragment(sum, 0.0f);
	wmma::load_matrix_sync(fa, a, 8);
	wmma::load_matrix_sync(fb, b, 16);
	for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
	for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
	wmma::mma_sync(sum, fa, fb, sum);
	wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
#else
	for (int i = threadIdx.x; i < 256; i += 32)
		for (int k = 0; k < 8; k++) out[i] += a[i / 16 * 8 + k] * b[k * 16 + i % 16];
#endif
}

// 8 by 4 times 4 by 8.
__global__ void of_double(const double *a, const double *b, double *out) {
#if __CUDA_ARCH__ >= 800
	wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
	wmma::fill_fragment(sum, 0.0);
	wmma::load_matrix_sync(fa, a, 4);
	wmma::load_matrix_sync(fb, b, 4);
	wmma::mma_sync(sum, fa, fb, sum);
	wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
#else
	for (int i = threadIdx.x; i < 64; i += 32)
		for (int k = 0; k < 4; k++) out[i] += a[i / 8 * 4 + k] * b[i % 8 * 4 + k];
#endif
}
