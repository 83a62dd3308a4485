// C++17 in kernels: lambdas, function objects, if constexpr, folds, templates of values
// and of types, constexpr functions and structured bindings.
//
//	x = int[128] small 53
//	a = int[128] zero
//	b = float[128] zero
//	c = int[128] zero
//	options --std=c++17
//	launch apply<Square><<<2, 64>>>(x, a)
//	launch apply<Twice><<<2, 64>>>(a, a)
//	launch pick<float, 3><<<2, 64>>>(x, b)
//	launch bind<<<2, 64>>>(x, c, 10)
struct Square {
	__device__ int operator()(int v) const { return v * v; }
};
struct Twice {
	__device__ int operator()(int v) const { return 2 * v; }
};

template <class F> __global__ void apply(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = F()(x[i]);
}

__device__ constexpr int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }

template <class... T> __device__ auto total(T... v) { return (v + ...); }

template <typename T, int n> __global__ void pick(const int *x, T *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if constexpr (sizeof(T) == 4 && n > 2)
		out[i] = total(T(x[i]), T(1), T(power(2, n)));
	else
		out[i] = 0;
}

struct Pair {
	int lo, hi;
};

__global__ void bind(const int *x, int *out, int k) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto clamp = [=](int v, int most) { return v > most ? most : v; };
	auto [lo, hi] = Pair{clamp(x[i], 3), k};
	int calls = 0;
	auto count = [&calls](int v) { calls++; return v; };
	out[i] = count(lo) * 100 + count(hi) + calls;
}
