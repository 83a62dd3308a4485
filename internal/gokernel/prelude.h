// What kernels that were written in Go call. Package gokernel writes the rest of the program.
namespace go {

// A thread that panics fails as an assert does, with the text as the condition, and ends the launch. Of several threads that panic, one
// says so.
static __device__ unsigned panicking;

static __device__ __noinline__ void fail(const char *text, const char *file, int line) {
#ifdef GOPHERWARP_SIM
	__assertfail(text, file, line, "kernel", 1); // ends the launch at once
#else
	if (atomicExch(&panicking, 1u) == 0) __assertfail(text, file, line, "kernel", 1);
again: // until the launch has ended; the simulator takes loops without an end for ones that wait
	__nanosleep(1000);
	goto again;
#endif
}

// fail_with fails with a format of that length in which numbers, of which c is the last, replace each %. It writes from the end, so that a number
// takes one loop, and nothing is unrolled: both save time when a kernel is compiled.
static __device__ __noinline__ void fail_with(const char *format, int length, long long a, long long b, long long c, const char *file, int line) {
	char text[128], *at = text + 127;
	*at = 0;
#pragma unroll 1
	while (length-- > 0) {
		if (format[length] != '%') {
			*--at = format[length];
			continue;
		}
		unsigned long long rest = c < 0 ? 0 - (unsigned long long)c : (unsigned long long)c;
#pragma unroll 1
		do *--at = (char)('0' + rest % 10);
		while (rest /= 10);
		if (c < 0) *--at = '-';
		c = b;
		b = a;
	}
	fail(at, file, line);
}

static __device__ __noinline__ void panic_index(long long i, long long n, const char *file, int line) {
	fail_with("index out of range [%] with length %", 36, 0, i, n, file, line);
}

static __device__ __noinline__ void panic_part(long long low, long long high, long long n, const char *file, int line) {
	fail_with("slice bounds out of range [%:%] with length %", 45, low, high, n, file, line);
}

static __device__ __noinline__ void panic_array(long long have, long long want, const char *file, int line) {
	fail_with("cannot convert slice with length % to array or pointer to array with length %", 77, 0, have, want, file, line);
}

static __device__ __noinline__ void panic(const char *text, const char *file, int line) { fail(text, file, line); }

template <class T> struct slice {
	T *p;
	long long n;
	__device__ T &operator[](long long i) const { return p[i]; }
	__device__ T &at(long long i, const char *file, int line) const {
		if ((unsigned long long)i >= (unsigned long long)n) panic_index(i, n, file, line);
		return p[i];
	}
	__device__ slice part(long long low, long long high) const { return slice{p + low, high - low}; }
	__device__ slice part(long long low, long long high, const char *file, int line) const {
		if (low < 0 || high < low || high > n) panic_part(low, high, n, file, line);
		return slice{p + low, high - low};
	}
};

template <class T, long long N> struct array {
	T v[N > 0 ? N : 1];
	__device__ T &operator[](long long i) { return v[i]; }
	__device__ const T &operator[](long long i) const { return v[i]; }
	__device__ T &at(long long i, const char *file, int line) {
		if ((unsigned long long)i >= (unsigned long long)N) panic_index(i, N, file, line);
		return v[i];
	}
	__device__ const T &at(long long i, const char *file, int line) const {
		if ((unsigned long long)i >= (unsigned long long)N) panic_index(i, N, file, line);
		return v[i];
	}
	__device__ bool operator==(const array &o) const {
		for (long long i = 0; i < N; i++)
			if (!(v[i] == o.v[i])) return false;
		return true;
	}
};

template <class T> static __device__ long long copy(slice<T> to, slice<T> from) {
	const long long n = to.n < from.n ? to.n : from.n;
	if (to.p <= from.p)
		for (long long i = 0; i < n; i++) to.p[i] = from.p[i];
	else
		for (long long i = n; i-- > 0;) to.p[i] = from.p[i];
	return n;
}

template <class A, class T> static __device__ A *array_in(slice<T> s, long long n, const char *file, int line) {
	if (s.n < n) panic_array(s.n, n, file, line);
	return (A *)s.p;
}

template <class T> static __device__ void clear(slice<T> s) {
	for (long long i = 0; i < s.n; i++) s.p[i] = T{};
}

// Whether a function of CUDA C++ can be called with other types of arguments, and its result be another type, so that no value is lost.
template <class T> struct number_kind { static constexpr int kind = 0; };
template <> struct number_kind<bool> { static constexpr int kind = 1; };
#define GO_INTEGER(T) template <> struct number_kind<T> { static constexpr int kind = (T)-1 < (T)0 ? 3 : 2; };
GO_INTEGER(char) GO_INTEGER(signed char) GO_INTEGER(unsigned char) GO_INTEGER(short) GO_INTEGER(unsigned short) GO_INTEGER(int) GO_INTEGER(unsigned)
GO_INTEGER(long) GO_INTEGER(unsigned long) GO_INTEGER(long long) GO_INTEGER(unsigned long long)
template <> struct number_kind<float> { static constexpr int kind = 4; };
template <> struct number_kind<double> { static constexpr int kind = 4; };
template <class T, class U> struct keeps {
	static constexpr int t = number_kind<T>::kind, u = number_kind<U>::kind;
	static constexpr bool value = t != 0 && (t == u ? sizeof(U) >= sizeof(T) : t == 2 && u == 3 && sizeof(U) > sizeof(T));
};
template <class T> struct keeps<T *, T *> { static constexpr bool value = true; };
template <class T> struct keeps<T *, const T *> { static constexpr bool value = true; };
template <class T> struct keeps<T, void> { static constexpr bool value = true; };
template <class T> struct keeps<void, T> { static constexpr bool value = false; };
template <> struct keeps<void, void> { static constexpr bool value = true; };
template <class... T> struct type_list {};
template <class T, class U> struct all_keep { static constexpr bool value = false; };
template <> struct all_keep<type_list<>, type_list<>> { static constexpr bool value = true; };
template <class T, class... Ts, class U, class... Us> struct all_keep<type_list<T, Ts...>, type_list<U, Us...>> {
	static constexpr bool value = keeps<T, U>::value && all_keep<type_list<Ts...>, type_list<Us...>>::value;
};
template <class Has, class Wanted> struct callable { static constexpr bool value = false; };
template <class R, class... P, class S, class... A> struct callable<R(P...), S(A...)> {
	static constexpr bool value = keeps<R, S>::value && all_keep<type_list<A...>, type_list<P...>>::value;
};

// Integers overflow by wrapping, which C++ defines for unsigned ones. wide<T> has at least the bits of int, to which C++ promotes.
template <class T> struct wide { typedef unsigned type; };
template <> struct wide<long long> { typedef unsigned long long type; };
template <> struct wide<unsigned long long> { typedef unsigned long long type; };
template <class T> static __device__ T sum(T a, T b) { return (T)((typename wide<T>::type)a + (typename wide<T>::type)b); }
template <class T> static __device__ T difference(T a, T b) { return (T)((typename wide<T>::type)a - (typename wide<T>::type)b); }
template <class T> static __device__ T product(T a, T b) { return (T)((typename wide<T>::type)a * (typename wide<T>::type)b); }
template <class T> static __device__ T negative(T a) { return (T)(0 - (typename wide<T>::type)a); }
// The number of 16 bits with the lowest bits of v. CUDA 13.0's compiler computes with 16 bits where these are enough, and negates the least such
// number to 32768, which is none. It does not see through assembly.
static __device__ inline short short_of(unsigned v) {
#if defined(__CUDA_ARCH__) && !defined(GOPHERWARP_SIM)
	asm("" : "+r"(v));
#endif
	return (short)v;
}
template <> __device__ inline short sum(short a, short b) { return short_of((unsigned)a + (unsigned)b); }
template <> __device__ inline short difference(short a, short b) { return short_of((unsigned)a - (unsigned)b); }
template <> __device__ inline short product(short a, short b) { return short_of((unsigned)a * (unsigned)b); }
template <> __device__ inline short negative(short a) { return short_of(0 - (unsigned)a); }

// The quotient of the least integer and -1 is that integer.
template <class T> static __device__ T quotient(T a, T b, const char *file, int line) {
	if (b == 0) {
		panic("integer divide by zero", file, line);
		return a;
	}
	if (b == (T)-1 && (T)-1 < 0) return negative(a);
	return (T)(a / b);
}
template <class T> static __device__ T remainder(T a, T b, const char *file, int line) {
	if (b == 0) {
		panic("integer divide by zero", file, line);
		return a;
	}
	if (b == (T)-1 && (T)-1 < 0) return 0;
	return (T)(a % b);
}

// A count may exceed the width: then nothing but the sign is left.
template <class T, class S> static __device__ T left(T a, S count, const char *file, int line) {
	if ((S)-1 < 0 && count < 0) panic("negative shift amount", file, line);
	return (unsigned long long)count >= sizeof(T) * 8 ? (T)0 : (T)((typename wide<T>::type)a << count);
}
template <class T, class S> static __device__ T right(T a, S count, const char *file, int line) {
	if ((S)-1 < 0 && count < 0) panic("negative shift amount", file, line);
	if ((unsigned long long)count >= sizeof(T) * 8) return a < 0 ? (T)-1 : (T)0;
	return (T)(a >> count);
}

// A NaN is the smaller and the larger one of any two, and -0 is smaller than 0.
static __device__ inline unsigned sign_of(float a) { return __float_as_uint(a) >> 31; }
static __device__ inline unsigned sign_of(double a) { return (unsigned)((unsigned long long)__double_as_longlong(a) >> 63); }
template <class T> static __device__ T smaller(T a, T b) { return b < a ? b : a; }
template <class T> static __device__ T larger(T a, T b) { return a < b ? b : a; }
static __device__ inline float lower(float a, float b) { return a < b ? a : b; }
static __device__ inline double lower(double a, double b) {
#if defined(__CUDA_ARCH__) && !defined(GOPHERWARP_SIM)
	// As C++ it would become max.f64 or min.f64, and where only the low 32 bits of these are used, ptxas of CUDA 13.0 can take those of the wrong
	// number. ptxas of 12.9 and 13.5 does not.
	double c;
	asm("{\n.reg .pred p;\nsetp.lt.f64 p, %1, %2;\nselp.f64 %0, %1, %2, p;\n}" : "=d"(c) : "d"(a), "d"(b));
	return c;
#else
	return a < b ? a : b;
#endif
}
template <class T> static __device__ T smaller_float(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return sign_of(a) ? a : b;
	return lower(a, b);
}
template <class T> static __device__ T larger_float(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return sign_of(a) ? b : a;
	return -lower(-a, -b);
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(GOPHERWARP_SIM)
static __device__ inline float smaller(float a, float b) {
	float c;
	asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
	return c;
}
static __device__ inline float larger(float a, float b) {
	float c;
	asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
	return c;
}
#else
static __device__ inline float smaller(float a, float b) { return smaller_float(a, b); }
static __device__ inline float larger(float a, float b) { return larger_float(a, b); }
#endif
static __device__ inline double smaller(double a, double b) { return smaller_float(a, b); }
static __device__ inline double larger(double a, double b) { return larger_float(a, b); }

static __device__ inline unsigned long long bits_of(double a) { return (unsigned long long)__double_as_longlong(a); }
static __device__ inline double float_of(unsigned long long a) { return __longlong_as_double((long long)a); }

static __device__ inline double infinity(long long sign) { return float_of(sign >= 0 ? 0x7ff0000000000000ull : 0xfff0000000000000ull); }
static __device__ inline double not_a_number() { return float_of(0x7ff8000000000001ull); }

static __device__ inline bool is_nan(double a) { return a != a; }
static __device__ inline bool is_infinite(double a, long long sign) {
	return sign >= 0 && a == infinity(1) || sign <= 0 && a == infinity(-1);
}

// Package math's functions prefer infinity to NaN, which Go's own functions do not, and return one NaN for all.
static __device__ inline double math_max(double a, double b) {
	return a == infinity(1) || b == infinity(1) ? infinity(1) : a != a || b != b ? not_a_number() : larger(a, b);
}
static __device__ inline double math_min(double a, double b) {
	return a == infinity(-1) || b == infinity(-1) ? infinity(-1) : a != a || b != b ? not_a_number() : smaller(a, b);
}

static __device__ inline bool sign_bit(double a) { return sign_of(a) != 0; }

static __device__ inline long long leading_zeros(unsigned a) { return __clz((int)a); }
static __device__ inline long long leading_zeros(unsigned long long a) { return __clzll((long long)a); }
static __device__ inline long long trailing_zeros(unsigned a) { return a ? __ffs((int)a) - 1 : 32; }
static __device__ inline long long trailing_zeros(unsigned long long a) { return a ? __ffsll((long long)a) - 1 : 64; }
static __device__ inline long long ones(unsigned a) { return __popc(a); }
static __device__ inline long long ones(unsigned long long a) { return __popcll(a); }
template <class T> static __device__ long long bit_length(T a) { return (long long)sizeof(T) * 8 - leading_zeros(a); }
template <class T> static __device__ T rotate(T a, long long k) {
	const unsigned n = sizeof(T) * 8, s = (unsigned)k & (n - 1);
	return s == 0 ? a : (T)(a << s | a >> (n - s));
}

// A vector type of CUDA as the struct of Go that has its layout.
template <class T, class V> static __device__ T same_bits(const V &v) {
	static_assert(sizeof(T) == sizeof(V), "the size in Go");
	T t;
	memcpy(&t, &v, sizeof t);
	return t;
}

// 16-bit floats are their bits. A NaN keeps its sign and, as a float, its bits.
static __device__ inline float half_value(unsigned short h) {
	if ((h & 0x7fff) > 0x7c00) return __uint_as_float((unsigned)(h & 0x8000) << 16 | 0x7f800000u | (unsigned)(h & 0x3ff) << 13);
#ifdef GOPHERWARP_SIM
	const unsigned sign = (unsigned)(h & 0x8000) << 16, bits = h & 0x7fff;
	if (bits == 0x7c00) return __uint_as_float(sign | 0x7f800000u);
	if (bits < 0x400) return __uint_as_float(sign | __float_as_uint((float)bits * 0x1p-24f));
	return __uint_as_float(sign | ((bits << 13) + (112u << 23)));
#else
	float x;
	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
	return x;
#endif
}

static __device__ inline unsigned short to_half(float x) {
	const unsigned sign = __float_as_uint(x) >> 16 & 0x8000u;
	if (x != x) return (unsigned short)(sign | 0x7e00);
#ifdef GOPHERWARP_SIM
	unsigned bits = __float_as_uint(x) & 0x7fffffffu;
	if (bits >= 0x477ff000u) return (unsigned short)(sign | 0x7c00);
	if (bits < 0x38800000u) return (unsigned short)(sign | (__float_as_uint(__fadd_rn(__uint_as_float(bits), 0.5f)) - 0x3f000000u));
	bits -= 112u << 23;
	bits += 0xfff + (bits >> 13 & 1);
	return (unsigned short)(sign | bits >> 13);
#else
	unsigned short h;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
	return h;
#endif
}

static __device__ inline float brain_value(unsigned short b) { return __uint_as_float((unsigned)b << 16); }

static __device__ inline unsigned short to_brain(float x) {
	const unsigned bits = __float_as_uint(x);
	return (unsigned short)(x != x ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static __device__ inline unsigned short round_half(float x) { return x != x ? 0x7e00 : to_half(x); }

static __device__ inline unsigned short round_brain(float x) { return x != x ? 0x7fc0 : to_brain(x); }

// a·b + c rounded to odd, which may be rounded again.
static __device__ inline float fused_odd(float a, float b, float c) {
	const double p = __dmul_rn(a, b), q = c, s = __dadd_rn(p, q), v = __dadd_rn(s, -p);
	const double rest = __dadd_rn(__dadd_rn(p, -__dadd_rn(s, -v)), __dadd_rn(q, -v));
	double odd = s;
	long long bits = __double_as_longlong(s);
	if (rest != 0 && !(bits & 1) && s - s == 0) odd = __longlong_as_double((rest > 0) == (s > 0) ? bits + 1 : bits - 1);
	const float f = __double2float_rn(odd);
	if ((double)f == odd || odd != odd) return f;
	return __uint_as_float((__float_as_uint(f) - (fabs((double)f) > fabs(odd) ? 1 : 0)) | 1);
}

static __device__ inline unsigned short half_sum(unsigned short a, unsigned short b) { return round_half(__fadd_rn(half_value(a), half_value(b))); }

static __device__ inline unsigned short half_difference(unsigned short a, unsigned short b) { return round_half(__fsub_rn(half_value(a), half_value(b))); }

static __device__ inline unsigned short half_product(unsigned short a, unsigned short b) { return round_half(__fmul_rn(half_value(a), half_value(b))); }

static __device__ inline unsigned short half_quotient(unsigned short a, unsigned short b) { return round_half(__fdiv_rn(half_value(a), half_value(b))); }

static __device__ inline unsigned short half_fused(unsigned short a, unsigned short b, unsigned short c) {
#if defined(GOPHERWARP_SIM) || !defined(__CUDA_ARCH__)
	return round_half(fused_odd(half_value(a), half_value(b), half_value(c)));
#else
	unsigned short d;
	asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a), "h"(b), "h"(c));
	return (d & 0x7fff) > 0x7c00 ? 0x7e00 : d;
#endif
}

static __device__ inline unsigned short brain_sum(unsigned short a, unsigned short b) { return round_brain(__fadd_rn(brain_value(a), brain_value(b))); }

static __device__ inline unsigned short brain_difference(unsigned short a, unsigned short b) { return round_brain(__fsub_rn(brain_value(a), brain_value(b))); }

static __device__ inline unsigned short brain_product(unsigned short a, unsigned short b) { return round_brain(__fmul_rn(brain_value(a), brain_value(b))); }

static __device__ inline unsigned short brain_quotient(unsigned short a, unsigned short b) { return round_brain(__fdiv_rn(brain_value(a), brain_value(b))); }

static __device__ inline unsigned short brain_fused(unsigned short a, unsigned short b, unsigned short c) {
#if !defined(GOPHERWARP_SIM) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	unsigned short d;
	asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(a), "h"(b), "h"(c));
	return (d & 0x7fff) > 0x7f80 ? 0x7fc0 : d;
#else
	return round_brain(fused_odd(brain_value(a), brain_value(b), brain_value(c)));
#endif
}

// Random numbers of a seed, a request and an index are those of package gpu/internal/philox, bit for bit. What the compiler could contract
// with the code around it is rounded explicitly.
struct random_words { unsigned at[4]; };
static __device__ inline random_words random_block(unsigned long long seed, unsigned request, unsigned long long block, unsigned attempt) {
	unsigned c0 = (unsigned)block, c1 = (unsigned)(block >> 32), c2 = request, c3 = attempt;
	unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
#pragma unroll
	for (int round = 0; round < 10; round++) {
		const unsigned long long p = 0xd2511f53ull * c0, q = 0xcd9e8d57ull * c2;
		c0 = (unsigned)(q >> 32) ^ c1 ^ k0;
		c1 = (unsigned)q;
		c2 = (unsigned)(p >> 32) ^ c3 ^ k1;
		c3 = (unsigned)p;
		k0 += 0x9e3779b9u;
		k1 += 0xbb67ae85u;
	}
	return random_words{{c0, c1, c2, c3}};
}

static __device__ inline unsigned random_word(unsigned long long seed, unsigned request, long long i, unsigned attempt = 0) {
	return random_block(seed, request, (unsigned long long)i / 4, attempt).at[(unsigned long long)i % 4];
}

static __device__ inline unsigned long long random_pair(const random_words &w, int half) {
	return w.at[2 * half] | (unsigned long long)w.at[2 * half + 1] << 32;
}

static __device__ inline unsigned long long random_wide(unsigned long long seed, unsigned request, long long i, unsigned attempt = 0) {
	return random_pair(random_block(seed, request, (unsigned long long)i / 2, attempt), (int)(i & 1));
}

static __device__ inline unsigned long long random_below(unsigned long long seed, unsigned request, long long i, unsigned long long n) {
	if (n - 1 < 0x100000000ull) {
		for (unsigned attempt = 0;; attempt++) {
			const unsigned long long m = random_word(seed, request, i, attempt) * n;
			if ((unsigned)m >= (0x100000000ull - n) % n) return m >> 32;
		}
	}
	for (unsigned attempt = 0;; attempt++) {
		const unsigned long long w = random_wide(seed, request, i, attempt);
		if (n == 0) return w;
		if (w * n >= (0 - n) % n) return __umul64hi(w, n);
	}
}

static __device__ inline float random_single(unsigned long long seed, unsigned request, long long i) {
	return (float)(random_word(seed, request, i) >> 8) * 0x1p-24f;
}

static __device__ inline double random_double(unsigned long long seed, unsigned request, long long i) {
	return (double)(random_wide(seed, request, i) >> 11) * 0x1p-53;
}

static __device__ inline double random_open(unsigned long long w) { return (double)((w >> 11) + 1) * 0x1p-53; }

// -2·log(w/2^32), where w is taken as an odd number and rounded down.
static __device__ inline float random_minus_two_log(unsigned w) {
	float n = __uint2float_rn(w | 1);
	if ((double)n > (double)(w | 1)) n = __uint_as_float(__float_as_uint(n) - 1);
	const unsigned x = __float_as_uint(n) - (32u << 23), e = (x - 0x3f3504f3u) & 0xff800000u;
	const float f = __fadd_rn(__uint_as_float(x - e), -1);
	const float fit[7] = {-2 * 0.3333390951156616f, -2 * -0.2500133812427521f, -2 * 0.19963063299655914f, -2 * -0.1657758355140686f,
	                      -2 * 0.14914768934249878f, -2 * -0.14267492294311523f, -2 * 0.08700438588857651f};
	float p = fit[6];
#pragma unroll
	for (int k = 5; k >= 0; k--) p = fmaf(p, f, fit[k]);
	p = fmaf(fmaf(p, f, 1), f, -2);
	return fmaf(p, f, __fmul_rn((float)(int)e, (float)(-2 * 0.6931471805599453 * 0x1p-23)));
}

static __device__ inline double random_log(double x) {
	const unsigned long long root = 0x3fe6a09e667f3bcdull, b = bits_of(x) - root;
	const double e = (double)((long long)b >> 52), m = float_of((b & 0xfffffffffffffull) + root);
	const double s = __ddiv_rn(__dadd_rn(m, -1), __dadd_rn(m, 1)), z = __dmul_rn(s, s);
	double p = 1.0 / 23;
#pragma unroll
	for (int k = 21; k >= 1; k -= 2) p = fma(p, z, 1.0 / k);
	return fma(2 * s, p, __dmul_rn(e, 0.6931471805599453));
}

static __device__ inline float random_normal_single(unsigned long long seed, unsigned request, long long i) {
	const random_words w = random_block(seed, request, (unsigned long long)i / 4, 0);
	const bool second = i & 2;
	const unsigned b = w.at[second ? 3 : 1];
	const float v = __fadd_rn(__uint_as_float((b & 0x7fffffu) | 0x3f800001u), -1.5f), z = __fmul_rn(v, v);
	const float r = __fsqrt_rn(random_minus_two_log(w.at[second ? 2 : 0]));
	float s = fmaf(-0.004602177068591118f, z, 0.07968022674322128f), c = fmaf(-0.020426249131560326f, z, 0.2536063492298126f);
	s = fmaf(s, z, -0.6459634900093079f);
	c = fmaf(c, z, -1.2336980104446411f);
	s = fmaf(s, z, 1.5707963705062866f);
	c = fmaf(c, z, 1);
	s = __fmul_rn(s, v);
	c = __uint_as_float(__float_as_uint(c) ^ (b & 0x80000000u));
	return __fmul_rn(r, ((b >> 30) & 1) != (unsigned)(i & 1) ? s : c);
}

static __device__ inline double random_normal_double(unsigned long long seed, unsigned request, long long i) {
	const random_words w = random_block(seed, request, (unsigned long long)i / 2, 0);
	const unsigned long long b = random_pair(w, 1);
	const double t = __dmul_rn(__dadd_rn((double)((long long)(b << 2 >> 11) - (1ll << 52)), 0.5), 1.5707963267948966 * 0x1p-53);
	const double z = -__dmul_rn(t, t), r = __dsqrt_rn(__dmul_rn(-2, random_log(random_open(random_pair(w, 0)))));
	double s = 1, c = 1;
#pragma unroll
	for (int k = 18; k >= 2; k -= 2) {
		s = fma(s, __dmul_rn(z, 1 / (double)(k * (k + 1))), 1);
		c = fma(c, __dmul_rn(z, 1 / (double)(k * (k - 1))), 1);
	}
	s = __dmul_rn(s, t);
	const unsigned q = (unsigned)(b >> 62) + (unsigned)(i & 1) * 3;
	return __dmul_rn(r, (q & 3) == 0 ? c : (q & 3) == 1 ? -s : (q & 3) == 2 ? -c : s);
}

static __device__ inline float random_exponential_single(unsigned long long seed, unsigned request, long long i) {
	return 0.5f * random_minus_two_log(random_word(seed, request, i));
}

static __device__ inline double random_exponential_double(unsigned long long seed, unsigned request, long long i) {
	return -random_log(random_open(random_wide(seed, request, i)));
}

static __device__ inline long long global_x() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ inline long long global_y() { return (long long)blockIdx.y * blockDim.y + threadIdx.y; }
static __device__ inline long long global_size() { return (long long)gridDim.x * blockDim.x; }
static __device__ inline long long lane() { return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31; }

// The atomic functions of CUDA are for some types; those of 64-bit integers take unsigned ones.
template <class T> static __device__ T atomic_add(T *p, T v) { return atomicAdd(p, v); }
template <> __device__ inline long long atomic_add(long long *p, long long v) {
	return (long long)atomicAdd((unsigned long long *)p, (unsigned long long)v);
}

template <class T> static __device__ T atomic_exchange(T *p, T v) { return atomicExch(p, v); }
template <> __device__ inline long long atomic_exchange(long long *p, long long v) {
	return (long long)atomicExch((unsigned long long *)p, (unsigned long long)v);
}
template <> __device__ inline double atomic_exchange(double *p, double v) {
	return float_of(atomicExch((unsigned long long *)p, bits_of(v)));
}

template <class T> static __device__ T atomic_compare_and_swap(T *p, T old, T v) { return atomicCAS(p, old, v); }
template <> __device__ inline long long atomic_compare_and_swap(long long *p, long long old, long long v) {
	return (long long)atomicCAS((unsigned long long *)p, (unsigned long long)old, (unsigned long long)v);
}

template <class T> static __device__ T atomic_min(T *p, T v) { return atomicMin(p, v); }
template <class T> static __device__ T atomic_max(T *p, T v) { return atomicMax(p, v); }
#define GO_ATOMIC_FLOAT(name, choose)                                                                                                   \
	template <> __device__ inline float name(float *p, float v) {                                                                       \
		unsigned old = *(volatile unsigned *)p, was;                                                                                    \
		do {                                                                                                                            \
			was = old;                                                                                                                  \
			old = atomicCAS((unsigned *)p, was, __float_as_uint(choose(__uint_as_float(was), v)));                                      \
		} while (old != was);                                                                                                           \
		return __uint_as_float(old);                                                                                                    \
	}                                                                                                                                   \
	template <> __device__ inline double name(double *p, double v) {                                                                    \
		unsigned long long old = *(volatile unsigned long long *)p, was;                                                                \
		do {                                                                                                                            \
			was = old;                                                                                                                  \
			old = atomicCAS((unsigned long long *)p, was, bits_of(choose(float_of(was), v)));                                           \
		} while (old != was);                                                                                                           \
		return float_of(old);                                                                                                           \
	}
GO_ATOMIC_FLOAT(atomic_min, smaller)
GO_ATOMIC_FLOAT(atomic_max, larger)

template <class T> static __device__ T shuffle(T v, long long lane) { return __shfl_sync(0xffffffffu, v, (int)lane); }
template <class T> static __device__ T shuffle_down(T v, long long delta) { return __shfl_down_sync(0xffffffffu, v, (unsigned)delta); }
template <class T> static __device__ T shuffle_up(T v, long long delta) { return __shfl_up_sync(0xffffffffu, v, (unsigned)delta); }
template <class T> static __device__ T shuffle_xor(T v, long long mask) { return __shfl_xor_sync(0xffffffffu, v, (int)mask); }
static __device__ inline unsigned ballot(bool b) { return __ballot_sync(0xffffffffu, b); }
static __device__ inline bool all(bool b) { return __all_sync(0xffffffffu, b) != 0; }
static __device__ inline bool any(bool b) { return __any_sync(0xffffffffu, b) != 0; }

// The order of the operations is that of package gpu's functions, so that sums of floats are the same.
template <class T> static __device__ T warp_sum(T v) {
	for (int mask = 16; mask > 0; mask /= 2) v = sum(v, shuffle_xor(v, mask));
	return v;
}
template <> __device__ inline float warp_sum(float v) {
	for (int mask = 16; mask > 0; mask /= 2) v += shuffle_xor(v, mask);
	return v;
}
template <> __device__ inline double warp_sum(double v) {
	for (int mask = 16; mask > 0; mask /= 2) v += shuffle_xor(v, mask);
	return v;
}

template <class T> static __device__ T warp_min(T v) {
	for (int mask = 16; mask > 0; mask /= 2) v = smaller(v, shuffle_xor(v, mask));
	return v;
}

template <class T> static __device__ T warp_max(T v) {
	for (int mask = 16; mask > 0; mask /= 2) v = larger(v, shuffle_xor(v, mask));
	return v;
}

static __device__ inline void sync_grid() { cooperative_groups::this_grid().sync(); }

// Part of a warp. Its size is a constant that the compiler sees after inlining.
struct tile { int size; };
static __device__ inline long long tile_size(tile t) { return t.size; }
static __device__ inline int rank_of(tile t) { return (int)lane() & (t.size - 1); }
static __device__ inline long long tile_rank(tile t) { return rank_of(t); }
static __device__ inline int first_of(tile t) { return (int)lane() & ~(t.size - 1); }
static __device__ inline unsigned mask_of(tile t) { return (0xffffffffu >> (32 - t.size)) << first_of(t); }
static __device__ inline void tile_sync(tile t) { __syncwarp(mask_of(t)); }
static __device__ inline unsigned tile_ballot(tile t, bool b) { return (__ballot_sync(mask_of(t), b) & mask_of(t)) >> first_of(t); }
static __device__ inline bool tile_all(tile t, bool b) { return __all_sync(mask_of(t), b) != 0; }
static __device__ inline bool tile_any(tile t, bool b) { return __any_sync(mask_of(t), b) != 0; }
template <class T> static __device__ T tile_shuffle(tile t, T v, long long rank) { return __shfl_sync(mask_of(t), v, (int)rank, t.size); }
template <class T> static __device__ T tile_shuffle_down(tile t, T v, long long delta) { return __shfl_down_sync(mask_of(t), v, (unsigned)delta, t.size); }
template <class T> static __device__ T tile_shuffle_up(tile t, T v, long long delta) { return __shfl_up_sync(mask_of(t), v, (unsigned)delta, t.size); }
template <class T> static __device__ T tile_shuffle_xor(tile t, T v, long long mask) { return __shfl_xor_sync(mask_of(t), v, (int)mask, t.size); }

static __device__ inline float plain_sum(float a, float b) { return a + b; }
static __device__ inline double plain_sum(double a, double b) { return a + b; }
template <class T> static __device__ T plain_sum(T a, T b) { return sum(a, b); }
template <class T> static __device__ T tile_sum(tile t, T v) {
	for (int mask = t.size / 2; mask > 0; mask /= 2) v = plain_sum(v, tile_shuffle_xor(t, v, mask));
	return v;
}

template <class T> static __device__ T tile_min(tile t, T v) {
	for (int mask = t.size / 2; mask > 0; mask /= 2) v = smaller(v, tile_shuffle_xor(t, v, mask));
	return v;
}

template <class T> static __device__ T tile_max(tile t, T v) {
	for (int mask = t.size / 2; mask > 0; mask /= 2) v = larger(v, tile_shuffle_xor(t, v, mask));
	return v;
}

// Matrices of 16 × 16 elements that a warp holds together.
static __device__ inline void check_matrix(const void *p, long long n, long long stride, int multiple, const char *file, int line) {
	if (stride < 16 || stride % multiple != 0) panic("the stride of a matrix is 16 or more, and a multiple of 8 elements of 16 bits, or of 4 others", file, line);
	if (n < 15 * stride + 16) panic_index(15 * stride + 15, n, file, line);
	if ((unsigned long long)p % 32 != 0) panic("the address of a matrix is no multiple of 32 bytes", file, line);
}
template <class T> struct matrix_a {
	typedef T element;
	nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, T, nvcuda::wmma::row_major> all;
};
template <class T> struct matrix_b {
	typedef T element;
	nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, T, nvcuda::wmma::row_major> all;
};
struct accumulator {
	nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> all;
	__device__ accumulator() { nvcuda::wmma::fill_fragment(all, 0.0f); }
};
template <class M> static __device__ M load_matrix(slice<unsigned short> x, long long stride, const char *file, int line) {
	check_matrix(x.p, x.n, stride, 8, file, line);
	M m;
	nvcuda::wmma::load_matrix_sync(m.all, (const typename M::element *)x.p, (unsigned)stride);
	return m;
}
static __device__ inline accumulator load_accumulator(slice<float> x, long long stride, const char *file, int line) {
	check_matrix(x.p, x.n, stride, 4, file, line);
	accumulator c;
	nvcuda::wmma::load_matrix_sync(c.all, x.p, (unsigned)stride, nvcuda::wmma::mem_row_major);
	return c;
}
static __device__ inline void store_matrix(const accumulator &c, slice<float> x, long long stride, const char *file, int line) {
	check_matrix(x.p, x.n, stride, 4, file, line);
	nvcuda::wmma::store_matrix_sync(x.p, c.all, (unsigned)stride, nvcuda::wmma::mem_row_major);
}
static __device__ inline accumulator scale_matrix(accumulator c, float f) {
	for (int i = 0; i < c.all.num_elements; i++) c.all.x[i] *= f;
	return c;
}
template <class T> static __device__ accumulator multiply_add(const matrix_a<T> &a, const matrix_b<T> &b, const accumulator &c) {
	accumulator d;
	nvcuda::wmma::mma_sync(d.all, a.all, b.all, c.all);
	return d;
}

// The dynamic shared memory of the launch.
extern __shared__ __align__(16) unsigned char dynamic_memory[];
template <class T> static __device__ slice<T> dynamic_shared() {
	unsigned bytes;
	asm("mov.u32 %0, %dynamic_smem_size;" : "=r"(bytes));
	return slice<T>{(T *)dynamic_memory, (long long)(bytes / sizeof(T))};
}

// Elements in rows and columns, and in planes of these.
template <class T> struct view2 {
	slice<T> Data;
	long long Rows, Cols, Stride;
	__device__ T &at(long long row, long long col) const { return Data.p[row * Stride + col]; }
	__device__ T &at(long long row, long long col, const char *file, int line) const {
		if ((unsigned long long)row >= (unsigned long long)Rows) panic_index(row, Rows, file, line);
		if ((unsigned long long)col >= (unsigned long long)Cols) panic_index(col, Cols, file, line);
		return Data.p[row * Stride + col];
	}
	__device__ slice<T> row(long long row) const { return slice<T>{Data.p + row * Stride, Cols}; }
	__device__ slice<T> row(long long row, const char *file, int line) const {
		if ((unsigned long long)row >= (unsigned long long)Rows) panic_index(row, Rows, file, line);
		return slice<T>{Data.p + row * Stride, Cols};
	}
};

template <class T> struct view3 {
	slice<T> Data;
	long long Planes, Rows, Cols;
	__device__ T &at(long long plane, long long row, long long col) const { return Data.p[(plane * Rows + row) * Cols + col]; }
	__device__ T &at(long long plane, long long row, long long col, const char *file, int line) const {
		if ((unsigned long long)plane >= (unsigned long long)Planes) panic_index(plane, Planes, file, line);
		if ((unsigned long long)row >= (unsigned long long)Rows) panic_index(row, Rows, file, line);
		if ((unsigned long long)col >= (unsigned long long)Cols) panic_index(col, Cols, file, line);
		return Data.p[(plane * Rows + row) * Cols + col];
	}
};

} // namespace go

