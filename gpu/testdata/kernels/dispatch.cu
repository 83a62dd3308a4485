// Calls whose function is known late: virtual functions, tables of functions, pointers to members, and functions that call
// themselves.
//
//	x = int[256] small 116
//	areas = int[256] zero
//	table = int[256] zero
//	members = int[256] zero
//	depth = int[256] zero
//	launch shapes<<<2, 128>>>(x, areas)
//	launch choose<<<2, 128>>>(x, table)
//	launch reach<<<2, 128>>>(x, members)
//	launch recur<<<2, 128>>>(depth)
struct Shape {
	__device__ virtual int area() const = 0;
	__device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
	int a;
	__device__ explicit Square(int a) : a(a) {}
	__device__ int area() const override { return a * a; }
	__device__ int sides() const override { return 4; }
};
struct Disc final : Shape {
	int r;
	__device__ explicit Disc(int r) : r(r) {}
	__device__ int area() const override { return 3 * r * r; }
};

__global__ void shapes(const int *x, int *areas) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Square square(x[i]);
	Disc disc(x[i] + 1);
	const Shape *shape = i % 3 == 0 ? static_cast<const Shape *>(&square) : &disc;
	areas[i] = shape->area() * 10 + shape->sides();
}

__device__ int twice(int v) { return 2 * v; }
__device__ int less(int v) { return v - 1; }
__device__ int square(int v) { return v * v; }
typedef int (*Step)(int);
__device__ const Step steps[] = {twice, less, square};

__global__ void choose(const int *x, int *table) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
	for (int k = 0; k < 4; k++)
		v = steps[(i + k) % 3](v);
	table[i] = v;
}

struct Place {
	int row, column;
	__device__ int sum() const { return row + column; }
	__device__ int difference() const { return row - column; }
};

__global__ void reach(const int *x, int *members) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Place p = {x[i], i};
	int Place::*part = i % 2 ? &Place::row : &Place::column;
	int (Place::*how)() const = i % 5 ? &Place::sum : &Place::difference;
	members[i] = p.*part * 1000 + (p.*how)();
}

__device__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

__global__ void recur(int *depth) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	depth[i] = ackermann(i % 3, i % 7);
}
