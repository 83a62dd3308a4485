// Memory that kernels allocate themselves: lists in several threads, freed by another
// launch, and objects.
//
//	lists = ulong[64] zero
//	sums = int[64] zero
//	objects = int[64] zero
//	launch build<<<2, 32>>>(lists)
//	launch add_up<<<2, 32>>>(lists, sums)
//	launch objects_of<<<2, 32>>>(objects)
struct Node {
	int value;
	Node *next;
};

__global__ void build(unsigned long long *lists) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Node *list = nullptr;
	for (int k = 0; k < i % 5; k++) {
		Node *n = (Node *)malloc(sizeof(Node));
		if (n == nullptr) __trap();
		n->value = i + k;
		n->next = list;
		list = n;
	}
	lists[i] = (unsigned long long)list;
}

__global__ void add_up(unsigned long long *lists, int *sums) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (Node *n = (Node *)lists[i]; n != nullptr;) {
		sums[i] += n->value;
		Node *next = n->next;
		free(n);
		n = next;
	}
	lists[i] = 0;
}

struct Counter {
	int n, *calls;
	__device__ Counter(int n, int *calls) : n(n), calls(calls) { ++*calls; }
	__device__ ~Counter() { *calls += 10; }
	__device__ int twice() const { return 2 * n; }
};

__global__ void objects_of(int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, calls = 0;
	Counter *one = new Counter(i, &calls);
	int *many = new int[8];
	for (int k = 0; k < 8; k++) many[k] = k * one->twice();
	int sum = 0;
	for (int k = 0; k < 8; k++) sum += many[k];
	delete[] many;
	delete one;
	out[i] = sum * 100 + calls;
}
