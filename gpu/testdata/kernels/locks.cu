// A lock, tickets, and a counter that only the last thread finds full.
//
//	total = int[4] zero
//	order = int[64] zero
//	launch locked<<<16, 1>>>(total)
//	launch tickets<<<4, 16>>>(total, order)
__device__ int lock_word;

__global__ void locked(int *total) {
	while (atomicCAS(&lock_word, 0, 1) != 0) {
	}
	__threadfence();
	volatile int *t = total;
	t[0] = t[0] + 1;
	t[1] = t[1] + blockIdx.x;
	__threadfence();
	atomicExch(&lock_word, 0);
}

__global__ void tickets(int *total, int *taken) {
	int mine = atomicAdd(&total[2], 1);
	taken[mine] = 1;
	if (mine == 63) total[3] = 1;
}
