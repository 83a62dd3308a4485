// Several small integers in a word: dot products of bytes, arithmetic by byte and by half
// word, and shifts over two words.
//
//	a = uint[256] bits 70
//	b = uint[256] bits 71
//	dots = int[256] zero
//	parts = uint[256] zero
//	halves = uint[256] zero
//	shifts = uint[256] zero
//	nth = uint[256] zero
//	launch dot<<<2, 128>>>(a, b, dots)
//	launch by_byte<<<2, 128>>>(a, b, parts)
//	launch by_half<<<2, 128>>>(a, b, halves)
//	launch shift<<<2, 128>>>(a, b, shifts)
//	launch find<<<2, 128>>>(a, b, nth)
__global__ void dot(const unsigned *a, const unsigned *b, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int x = a[i], y = b[i];
	out[i] = __dp4a(x, y, 7) + (int)__dp4a(a[i], b[i], 9u) + 3 * __dp2a_lo(x, y, 1) + 5 * (int)__dp2a_hi(a[i], b[i], 2u);
}

__global__ void by_byte(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = a[i], y = b[i], r = __vadd4(x, y);
	r = r * 31 + __vsub4(x, y);
	r = r * 31 + __vaddus4(x, y);
	r = r * 31 + __vsubus4(x, y);
	r = r * 31 + __vaddss4(x, y);
	r = r * 31 + __vavgu4(x, y);
	r = r * 31 + __vabsdiffu4(x, y);
	r = r * 31 + __vmaxs4(x, y);
	r = r * 31 + __vminu4(x, y);
	r = r * 31 + __vcmpgtu4(x, y);
	r = r * 31 + __vsetles4(x, y);
	r = r * 31 + __vsadu4(x, y);
	r = r * 31 + __vabs4(x);
	out[i] = r * 31 + __vneg4(y);
}

__global__ void by_half(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = a[i], y = b[i], r = __vadd2(x, y);
	r = r * 31 + __vsubss2(x, y);
	r = r * 31 + __vaddus2(x, y);
	r = r * 31 + __vavgs2(x, y);
	r = r * 31 + __vhaddu2(x, y);
	r = r * 31 + __vabsdiffs2(x, y);
	r = r * 31 + __vmaxu2(x, y);
	r = r * 31 + __vmins2(x, y);
	r = r * 31 + __vcmpeq2(x, y | 0xffff);
	r = r * 31 + __vsetgeu2(x, y);
	r = r * 31 + __vsads2(x, y);
	out[i] = r * 31 + __vabsss2(x);
}

__global__ void shift(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned n = i % 40;
	out[i] = __funnelshift_l(a[i], b[i], n) + 3 * __funnelshift_r(a[i], b[i], n) + 5 * __funnelshift_lc(a[i], b[i], n) +
		7 * __funnelshift_rc(a[i], b[i], n) + __byte_perm(a[i], b[i], 0x6420 + i % 8);
}

__global__ void find(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __fns(a[i], b[i] % 32, i % 9 - 4);
}
