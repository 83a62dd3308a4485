// What kernels that were written in Go call. Package gokernel writes the rest of the program.
namespace go {

// A thread that panics fails as an assert does, with the text as the condition, and ends the launch. Of several threads that panic, one
// says so.
static __device__ unsigned panicking;

struct message {
	char text[96];
	int n;
	__device__ void add(const char *s) {
		while (*s && n < 95) text[n++] = *s++;
		text[n] = 0;
	}
	__device__ void add(long long v) {
		char digits[24];
		int at = 23;
		unsigned long long rest = v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v;
		digits[at] = 0;
		do {
			digits[--at] = (char)('0' + rest % 10);
			rest /= 10;
		} while (rest > 0);
		if (v < 0) digits[--at] = '-';
		add(digits + at);
	}
};

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

static __device__ __noinline__ void panic_index(long long i, long long n, const char *file, int line) {
	message m{};
	m.add("index out of range [");
	m.add(i);
	m.add("] with length ");
	m.add(n);
	fail(m.text, file, line);
}

static __device__ __noinline__ void panic_part(long long low, long long high, long long n, const char *file, int line) {
	message m{};
	m.add("slice bounds out of range [");
	m.add(low);
	m.add(":");
	m.add(high);
	m.add("] with length ");
	m.add(n);
	fail(m.text, file, line);
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

template <class T> static __device__ void clear(slice<T> s) {
	for (long long i = 0; i < s.n; i++) s.p[i] = T{};
}

// Integers overflow by wrapping, which C++ defines for unsigned ones. wide<T> has at least the bits of int, to which C++ promotes.
template <class T> struct wide { typedef unsigned type; };
template <> struct wide<long long> { typedef unsigned long long type; };
template <> struct wide<unsigned long long> { typedef unsigned long long type; };
template <class T> static __device__ T sum(T a, T b) { return (T)((typename wide<T>::type)a + (typename wide<T>::type)b); }
template <class T> static __device__ T difference(T a, T b) { return (T)((typename wide<T>::type)a - (typename wide<T>::type)b); }
template <class T> static __device__ T product(T a, T b) { return (T)((typename wide<T>::type)a * (typename wide<T>::type)b); }
template <class T> static __device__ T negative(T a) { return (T)(0 - (typename wide<T>::type)a); }
#ifdef __CUDA_ARCH__
// CUDA 13.0's compiler negates the least 16-bit integer to 32768, which is none.
template <> __device__ inline short negative(short a) {
#ifdef GOPHERWARP_SIM
	return (short)(0 - (unsigned)a);
#else
	int negated;
	asm("neg.s32 %0, %1;" : "=r"(negated) : "r"((int)a));
	return (short)negated;
#endif
}
#endif

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
template <class T> static __device__ T smaller_float(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return sign_of(a) ? a : b;
	return a < b ? a : b;
}
template <class T> static __device__ T larger_float(T a, T b) {
	if (a != a) return a;
	if (b != b) return b;
	if (a == b) return sign_of(a) ? b : a;
	return a > b ? a : b;
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

