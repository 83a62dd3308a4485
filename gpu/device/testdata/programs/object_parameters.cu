// Kernels take objects that have a copy constructor and a destructor: those run on the host, and each thread has the bytes for its own.
#include <cstdio>
#include <cstring>

struct Text {
    char *data;
    int n;
    Text(const char *s) : n(strlen(s)) {
        cudaMallocManaged(&data, n + 1);
        strcpy(data, s);
    }
    Text(const Text &t) : Text(t.data) {}
    ~Text() { cudaFree(data); }
};

__global__ void change(Text t, int *sum) {
    t.n += threadIdx.x;
    atomicAdd(sum, t.n);
    if (threadIdx.x == 0) {
        t.data[0] = 'H';
        printf("on the device: %s, %d\n", t.data, t.n);
    }
}

template <class T> __global__ void last(int x, T t, const char *end) { printf("%d %s%s\n", x, t.data, end); }

int main() {
    Text t("hello");
    int *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    change<<<1, 4>>>(t, sum);
    cudaDeviceSynchronize();
    char *end;
    cudaMallocManaged(&end, 2);
    strcpy(end, "!");
    last<<<1, 1>>>(7, t, end);
    cudaError_t e = cudaDeviceSynchronize();
    printf("on the host: %s, sum %d, %s\n", t.data, *sum, cudaGetErrorString(e));
    return 0;
}

// Output:
// on the device: Hello, 5
// 7 hello!
// on the host: hello, sum 26, no error
