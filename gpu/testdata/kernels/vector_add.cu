// The first kernel of every course: one thread an element, with a guard for the last block.
//
//	a = float[100003] small 1
//	b = float[100003] small 2
//	c = float[100003] zero
//	launch add<<<391, 256>>>(a, b, c, 100003)
__global__ void add(const float *a, const float *b, float *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) c[i] = a[i] + b[i];
}
