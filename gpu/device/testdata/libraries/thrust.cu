// Thrust: containers in device memory, algorithms, iterators, policies, and kernels and the runtime's copies over the same memory.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
#include <thrust/system/cuda/execution_policy.h>

__global__ void addOne(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

__global__ void sortRows(int *x, int rows, int columns) {
    int row = threadIdx.x;
    if (row < rows)
        thrust::sort(thrust::seq, x + row * columns, x + (row + 1) * columns);
}

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

struct SumOfTuple {
    template <class Tuple> __host__ __device__ int operator()(const Tuple &t) const { return thrust::get<0>(t) + thrust::get<1>(t); }
};

template <class Vector> void print(const char *name, const Vector &v) {
    printf("%s:", name);
    for (size_t i = 0; i < v.size(); i++)
        printf(" %d", (int)v[i]);
    printf("\n");
}

void containers() {
    thrust::host_vector<int> h(8);
    for (int i = 0; i < 8; i++)
        h[i] = (i * 5 + 3) % 8;
    thrust::device_vector<int> d = h;
    d.push_back(-1);
    print("device", d);
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    print("sorted", d);
    addOne<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), (int)d.size());
    print("after a kernel", d);
    int back[9];
    cudaError_t e = cudaMemcpy(back, thrust::raw_pointer_cast(d.data()), sizeof back, cudaMemcpyDeviceToHost);
    printf("copy: %s, first %d, last %d\n", cudaGetErrorString(e), back[0], back[8]);
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, thrust::raw_pointer_cast(d.data()));
    printf("device memory: %d\n", a.type == cudaMemoryTypeDevice);
    d[2] = 40;
    d.resize(4);
    print("resized", d);
    thrust::universal_vector<int> u(5, 2);
    addOne<<<1, 32>>>(thrust::raw_pointer_cast(u.data()), 5);
    cudaDeviceSynchronize();
    print("universal", u);
    thrust::device_vector<int> grid(12);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(12), grid.begin(), [] __host__ __device__(int i) { return (i * 7) % 12; });
    sortRows<<<1, 3>>>(thrust::raw_pointer_cast(grid.data()), 3, 4);
    print("sorted rows", grid);
}

void algorithms() {
    thrust::device_vector<float> x(4), y(4, 1.0f);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2});
    print("saxpy", y);
    printf("sum %g, product %g\n", thrust::reduce(y.begin(), y.end()), thrust::reduce(y.begin(), y.end(), 1.0f, thrust::multiplies<float>()));
    thrust::device_vector<int> v(10), out(10);
    thrust::sequence(v.begin(), v.end(), 1);
    thrust::inclusive_scan(v.begin(), v.end(), out.begin());
    print("inclusive", out);
    thrust::exclusive_scan(v.begin(), v.end(), out.begin(), 100);
    print("exclusive", out);
    auto end = thrust::copy_if(v.begin(), v.end(), out.begin(), IsEven());
    printf("even: %d, counted %d\n", (int)(end - out.begin()), (int)thrust::count_if(v.begin(), v.end(), IsEven()));
    printf("squares: %d\n", thrust::transform_reduce(v.begin(), v.end(), Square(), 0, thrust::plus<int>()));
    printf("dot: %d\n", thrust::inner_product(v.begin(), v.end(), v.begin(), 0));
    int raw[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    thrust::copy(raw, raw + 10, v.begin());
    printf("largest at %d, least at %d\n", (int)(thrust::max_element(v.begin(), v.end()) - v.begin()), (int)(thrust::min_element(v.begin(), v.end()) - v.begin()));
    thrust::device_vector<int> keys = v, values(10);
    thrust::sequence(values.begin(), values.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    print("keys", keys);
    print("values", values);
    thrust::device_vector<int> groups(10), counts(10);
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), groups.begin(), counts.begin());
    groups.resize(ends.first - groups.begin());
    counts.resize(ends.second - counts.begin());
    print("groups", groups);
    print("counts", counts);
    thrust::device_vector<int> wanted(3), found(3);
    wanted[0] = 0, wanted[1] = 4, wanted[2] = 9;
    thrust::lower_bound(keys.begin(), keys.end(), wanted.begin(), wanted.end(), found.begin());
    print("found", found);
    keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
    print("unique", keys);
    thrust::stable_partition(v.begin(), v.end(), IsEven());
    print("partition", v);
    v.erase(thrust::remove_if(v.begin(), v.end(), IsEven()), v.end());
    print("odd", v);
    thrust::device_vector<thrust::complex<float>> z(2, thrust::complex<float>(0, 1));
    thrust::complex<float> p = thrust::reduce(z.begin(), z.end(), thrust::complex<float>(1, 0), thrust::multiplies<thrust::complex<float>>());
    printf("complex %g %g\n", p.real(), p.imag());
}

void iterators() {
    thrust::device_vector<int> a(5), b(5, 10), sum(5);
    thrust::sequence(a.begin(), a.end());
    auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    thrust::transform(zipped, zipped + 5, sum.begin(), SumOfTuple());
    print("zip", sum);
    thrust::device_vector<int> order(3);
    order[0] = 4, order[1] = 0, order[2] = 2;
    printf("permutation: %d\n", thrust::reduce(thrust::make_permutation_iterator(sum.begin(), order.begin()), thrust::make_permutation_iterator(sum.begin(), order.end())));
    printf("transformed: %d\n", thrust::reduce(thrust::make_transform_iterator(a.begin(), Square()), thrust::make_transform_iterator(a.end(), Square())));
    thrust::copy(a.begin(), a.end(), thrust::make_reverse_iterator(sum.end()));
    print("reversed", sum);
    int *raw = thrust::raw_pointer_cast(b.data());
    thrust::for_each(thrust::device, thrust::make_counting_iterator(0), thrust::make_counting_iterator(5), [=] __host__ __device__(int i) { raw[i] *= i; });
    print("for each", b);
}

void policies() {
    int *raw = nullptr;
    cudaMalloc(&raw, 6 * sizeof(int));
    thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
    thrust::fill(p, p + 6, 7);
    p[3] = 1;
    thrust::sort(thrust::device, raw, raw + 6);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::transform(thrust::cuda::par.on(stream), p, p + 6, p, Square());
    addOne<<<1, 32, 0, stream>>>(raw, 6);
    cudaStreamSynchronize(stream);
    thrust::host_vector<int> h(p, p + 6);
    print("device pointer", h);
    cudaFree(raw);
    cudaStreamDestroy(stream);
    thrust::device_ptr<int> q = thrust::device_malloc<int>(3);
    thrust::sequence(q, q + 3, 5);
    addOne<<<1, 32>>>(thrust::raw_pointer_cast(q), 3);
    printf("device_malloc: %d\n", thrust::reduce(q, q + 3));
    thrust::device_free(q);
    int local[] = {5, 2, 8};
    thrust::sort(thrust::host, local, local + 3);
    printf("host: %d %d %d\n", local[0], local[1], local[2]);
    thrust::default_random_engine engine(7);
    engine.discard(3);
    thrust::uniform_int_distribution<int> dice(1, 6);
    int n = dice(engine);
    printf("dice: %d\n", n >= 1 && n <= 6);
}

int main() {
    containers();
    algorithms();
    iterators();
    policies();
    return cudaDeviceSynchronize();
}

// Output:
// device: 3 0 5 2 7 4 1 6 -1
// sorted: 7 6 5 4 3 2 1 0 -1
// after a kernel: 8 7 6 5 4 3 2 1 0
// copy: no error, first 8, last 0
// device memory: 1
// resized: 8 7 40 5
// universal: 3 3 3 3 3
// sorted rows: 0 2 7 9 1 4 6 11 3 5 8 10
// saxpy: 1 3 5 7
// sum 16, product 105
// inclusive: 1 3 6 10 15 21 28 36 45 55
// exclusive: 100 101 103 106 110 115 121 128 136 145
// even: 5, counted 5
// squares: 385
// dot: 385
// largest at 5, least at 1
// keys: 1 1 2 3 3 4 5 5 6 9
// values: 1 3 6 0 9 2 4 8 7 5
// groups: 1 2 3 4 5 6 9
// counts: 2 1 2 1 2 1 1
// found: 0 5 9
// unique: 1 2 3 4 5 6 9
// partition: 4 2 6 3 1 1 5 9 5 3
// odd: 3 1 1 5 9 5 3
// complex -1 0
// zip: 10 11 12 13 14
// permutation: 36
// transformed: 30
// reversed: 4 3 2 1 0
// for each: 0 10 20 30 40
// device pointer: 2 50 50 50 50 50
// device_malloc: 21
// host: 2 5 8
// dice: 1
