// CUB: algorithms of blocks and warps in kernels, and of devices.
#include <cstdio>
#include <cub/cub.cuh>

constexpr int threads = 128, items = 4, n = threads * items;

__global__ void reduce(const int *in, int *out) {
    using Reduce = cub::BlockReduce<int, threads>;
    __shared__ typename Reduce::TempStorage room;
    int mine[items];
    for (int i = 0; i < items; i++)
        mine[i] = in[threadIdx.x * items + i];
    int sum = Reduce(room).Sum(mine);
    __syncthreads();
    int largest = Reduce(room).Reduce(mine[0], [](int a, int b) { return a < b ? b : a; });
    __syncthreads();
    int first = Reduce(room).Sum(mine[0], 10);
    if (threadIdx.x == 0)
        out[0] = sum, out[1] = largest, out[2] = first;
}

// RunningTotal is what came before the block: a block works through its tiles.
struct RunningTotal {
    int total;
    __device__ int operator()(int sum) {
        int before = total;
        total += sum;
        return before;
    }
};

__global__ void scan(const int *in, int *inclusive, int *exclusive, int *all) {
    using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, threads>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } room;
    int mine[items], out[items], sum;
    Load(room.load).Load(in, mine);
    __syncthreads();
    Scan(room.scan).InclusiveSum(mine, out);
    __syncthreads();
    Store(room.store).Store(inclusive, out);
    __syncthreads();
    RunningTotal before = {1000};
    Scan(room.scan).ExclusiveSum(mine, out, before);
    __syncthreads();
    Store(room.store).Store(exclusive, out);
    __syncthreads();
    int one = 1, rank;
    Scan(room.scan).ExclusiveSum(one, rank, sum);
    if (threadIdx.x == threads - 1)
        all[0] = rank, all[1] = sum;
}

__global__ void sort(const int *in, int *keys, int *values) {
    using Sort = cub::BlockRadixSort<int, threads, items, int>;
    __shared__ typename Sort::TempStorage room;
    int k[items], v[items];
    cub::LoadDirectBlocked(threadIdx.x, in, k);
    for (int i = 0; i < items; i++)
        v[i] = threadIdx.x * items + i;
    Sort(room).SortDescending(k, v);
    cub::StoreDirectBlocked(threadIdx.x, keys, k);
    cub::StoreDirectBlocked(threadIdx.x, values, v);
}

__global__ void exchange(int *out, int *heads) {
    using Exchange = cub::BlockExchange<int, threads, items>;
    __shared__ typename Exchange::TempStorage room;
    int mine[items];
    for (int i = 0; i < items; i++)
        mine[i] = threadIdx.x * items + i;
    Exchange(room).BlockedToStriped(mine);
    for (int i = 0; i < items; i++)
        out[threadIdx.x * items + i] = mine[i];
    using Discontinuity = cub::BlockDiscontinuity<int, threads>;
    __shared__ typename Discontinuity::TempStorage flags;
    int group[1] = {int(threadIdx.x) / 50}, head[1];
    Discontinuity(flags).FlagHeads(head, group, [](int a, int b) { return a != b; });
    heads[threadIdx.x] = head[0];
}

__global__ void warps(int *sums, int *scans) {
    using Reduce = cub::WarpReduce<int>;
    using Scan = cub::WarpScan<int, 8>;
    __shared__ typename Reduce::TempStorage reduceRoom[threads / 32];
    __shared__ typename Scan::TempStorage scanRoom[threads / 8];
    int sum = Reduce(reduceRoom[threadIdx.x / 32]).Sum(threadIdx.x);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    int scanned, all;
    Scan(scanRoom[threadIdx.x / 8]).InclusiveSum(int(threadIdx.x % 8), scanned, all);
    scans[threadIdx.x] = scanned * 100 + all;
}

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

// twice calls f as CUB's device algorithms are called: for the size of the temporary storage, and with it.
template <class F> void twice(F f) {
    void *room = nullptr;
    size_t bytes = 0;
    cudaError_t e = f(room, bytes);
    if (e == cudaSuccess)
        e = cudaMalloc(&room, bytes);
    if (e == cudaSuccess)
        e = f(room, bytes);
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaFree(room);
}

// The bits of numbers in the order of unsigned integers.
__global__ void kinds(unsigned *out) {
    typedef cub::Traits<float> F;
    out[0] = F::TwiddleIn(__float_as_uint(-1.0f));
    out[1] = F::TwiddleOut(F::TwiddleIn(__float_as_uint(-1.0f)));
    out[2] = cub::Traits<int>::TwiddleIn(0xffffffff);
    out[3] = __float_as_uint(F::Max());
    out[4] = 8 * int(cub::Log2<200>::VALUE == 8) + 7;
#if CUB_VERSION <= 300000 // newer ones have no categories
    out[4] -= (cub::Traits<int>::CATEGORY != cub::SIGNED_INTEGER) + 2 * (cub::Traits<unsigned>::CATEGORY != cub::UNSIGNED_INTEGER) +
              4 * (cub::Traits<double>::CATEGORY != cub::FLOATING_POINT);
#endif
}

// A block's sum by a type that has another name outside of the kernel.
typedef cub::BlockReduce<int, threads> SumOfBlock;
template <class T> using PartsOfBlock = cub::BlockReduce<T, threads>;
__global__ void named(const int *in, int *out) {
    __shared__ SumOfBlock::TempStorage room;
    __shared__ PartsOfBlock<int>::TempStorage other;
    int sum = SumOfBlock(room).Sum(in[threadIdx.x]), most = PartsOfBlock<int>(other).Reduce(in[threadIdx.x], Larger());
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = sum, out[1] = most;
}

int main() {
    int *in, *a, *b, *c;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    cudaMallocManaged(&c, n * sizeof(int));
    for (int i = 0; i < n; i++)
        in[i] = (i * 37 + 11) % 101 - 50;
    int total = 0, largest = -1000, first = 0;
    for (int i = 0; i < n; i++)
        total += in[i];
    for (int i = 0; i < threads; i++)
        largest = in[i * items] > largest ? in[i * items] : largest, first += i < 10 ? in[i * items] : 0;
    reduce<<<1, threads>>>(in, a);
    cudaDeviceSynchronize();
    printf("reduce: %d %d %d\n", a[0] - total, a[1] - largest, a[2] - first);

    scan<<<1, threads>>>(in, a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0, s = 0; i < n; i++) {
        wrong += b[i] != 1000 + s;
        s += in[i];
        wrong += a[i] != s;
    }
    printf("scan: %d wrong, rank %d, sum %d\n", wrong, c[0], c[1]);

    sort<<<1, threads>>>(in, a, b);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += in[b[i]] != a[i] || (i > 0 && (a[i] > a[i - 1] || (a[i] == a[i - 1] && b[i] < b[i - 1])));
    printf("sort: %d wrong\n", wrong);

    exchange<<<1, threads>>>(a, b);
    cudaDeviceSynchronize();
    printf("exchange: %d %d %d, heads", a[1], a[5], a[511]);
    for (int i = 0; i < threads; i++)
        if (b[i])
            printf(" %d", i);
    printf("\n");

    warps<<<1, threads>>>(a, b);
    cudaDeviceSynchronize();
    printf("warps: %d %d, %d %d\n", a[0], a[3], b[7], b[127]);

    twice([&](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, in, a, n); });
    twice([&](void *room, size_t &bytes) { return cub::DeviceReduce::Reduce(room, bytes, in, a + 1, n, Larger(), -1000); });
    cudaDeviceSynchronize();
    printf("device: %d %d\n", a[0] - total, a[1]);
    twice([&](void *room, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(room, bytes, in, a, n); });
    cudaDeviceSynchronize();
    printf("scan: %d %d\n", a[0], a[n - 1] + in[n - 1] - total);
    twice([&](void *room, size_t &bytes) { return cub::DeviceRadixSort::SortPairs(room, bytes, in, a, in, b, n); });
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += a[i] != b[i] || (i > 0 && a[i] < a[i - 1]);
    printf("sort: %d wrong, first %d\n", wrong, a[0]);
    twice([&](void *room, size_t &bytes) { return cub::DeviceRunLengthEncode::Encode(room, bytes, a, b, c, in, n); });
    cudaDeviceSynchronize();
    printf("runs: %d, first %d of %d\n", in[0], c[0], b[0]);
    twice([&](void *room, size_t &bytes) { return cub::DeviceSelect::If(room, bytes, a, b, c, n, IsOdd()); });
    cudaDeviceSynchronize();
    printf("odd: %d, last %d\n", c[0], b[c[0] - 1]);
    twice([&](void *room, size_t &bytes) { return cub::DeviceHistogram::HistogramEven(room, bytes, a, c, 5, -50, 50, n); });
    cudaDeviceSynchronize();
    printf("histogram: %d %d %d %d\n", c[0], c[1], c[2], c[3]);
    // Two of three channels in two rows of two pixels, each row with a byte that is no pixel's.
    unsigned char *pixels = reinterpret_cast<unsigned char *>(a);
    for (int i = 0; i < 14; i++)
        pixels[i] = i % 7 == 6 ? 1 : i * 10;
    int *channels[2] = {b, c}, levels[2] = {3, 4}, *edges[2] = {in, in + 3};
    unsigned lower[2] = {0, 30}, upper[2] = {100, 120};
    twice([&](void *room, size_t &bytes) { return cub::DeviceHistogram::MultiHistogramEven<3, 2>(room, bytes, pixels, channels, levels, lower, upper, 2, 2, size_t(7)); });
    cudaDeviceSynchronize();
    printf("channels: %d %d, %d %d %d\n", b[0], b[1], c[0], c[1], c[2]);
    const int between[] = {0, 40, 75, 10, 11, 100, 120};
    for (int i = 0; i < 7; i++)
        in[i] = between[i];
    twice([&](void *room, size_t &bytes) { return cub::DeviceHistogram::MultiHistogramRange<3, 2>(room, bytes, pixels, channels, levels, edges, 2, 2, size_t(7)); });
    cudaDeviceSynchronize();
    printf("ranges: %d %d, %d %d %d\n", b[0], b[1], c[0], c[1], c[2]);
    kinds<<<1, 1>>>(reinterpret_cast<unsigned *>(a));
    cudaDeviceSynchronize();
    printf("traits: %08x %08x %08x %08x %d\n", a[0], a[1], a[2], a[3], a[4]);
    for (int i = 0; i < threads; i++)
        c[i] = i * 37 % 100;
    named<<<1, threads>>>(c, a);
    cudaDeviceSynchronize();
    printf("named: %d %d\n", a[0], a[1]);
    return cudaDeviceSynchronize();
}

// Output:
// reduce: 0 0 0
// scan: 0 wrong, rank 127, sum 128
// sort: 0 wrong
// exchange: 128 129 511, heads 0 50 100
// warps: 496 3568, 2828 2828
// device: 0 50
// scan: 0 0
// sort: 0 wrong, first -50
// runs: 101, first 5 of -50
// odd: 255, last 49
// histogram: 127 127 126 127
// channels: 2 1, 1 1 1
// ranges: 2 1, 1 2 1
// traits: 407fffff bf800000 7fffffff 7f7fffff 15
// named: 6336 99
