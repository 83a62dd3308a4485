// Matrix products that a warp makes together, as on tensor cores.
//
// Lanes hold the elements of a fragment in an order that CUDA leaves open; here neighbours in
// memory are on neighbouring lanes. A product is worked out in double precision and rounded
// once, where the hardware rounds partial sums in ways of its own.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if __CUDA_ARCH__ >= 700

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision

namespace detail {

template <class T> struct Stored { using type = T; };
template <> struct Stored<precision::tf32> { using type = float; };

template <class A, class B> constexpr bool is = std::is_same<A, B>::value;

constexpr bool shape(int m, int n, int k, int a, int b, int c) { return m == a && n == b && k == c; }

// exists says which shapes there are for elements of a type, as factor or as sum.
template <class T> constexpr bool exists(bool sum, int m, int n, int k) {
    bool sixteen = shape(m, n, k, 16, 16, 16) || shape(m, n, k, 32, 8, 16) || shape(m, n, k, 8, 32, 16);
    bool modern = __CUDA_ARCH__ >= 800;
    if (is<T, __half>)
        return sixteen;
    if (is<T, signed char> || is<T, unsigned char>)
        return !sum && sixteen && __CUDA_ARCH__ >= 720;
    if (is<T, __nv_bfloat16>)
        return !sum && sixteen && modern;
    if (is<T, precision::tf32>)
        return !sum && shape(m, n, k, 16, 16, 8) && modern;
    if (is<T, double>)
        return shape(m, n, k, 8, 8, 4) && modern;
    if (is<T, float>)
        return sum && (sixteen || (shape(m, n, k, 16, 16, 8) && modern));
    return is<T, int> && sum && sixteen && __CUDA_ARCH__ >= 720;
}

} // namespace detail

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
    static constexpr bool sum = detail::is<Use, accumulator>;
    static_assert(detail::exists<T>(sum, m, n, k), "tensor cores of this architecture have no fragment of this shape and type");
    static_assert(sum == detail::is<Layout, void>, "factors have a layout, row_major or col_major; accumulators have none");

public:
    using element_type = T;
    using storage_element_type = typename detail::Stored<T>::type;
    static constexpr int rows = detail::is<Use, matrix_b> ? k : m;
    static constexpr int cols = detail::is<Use, matrix_a> ? k : n;
    static constexpr bool byColumn = detail::is<Layout, col_major>;
    static constexpr int distinct = rows * cols / 32; // elements of a lane
    // Factors of half precision are held several times, as on the first tensor cores.
    static constexpr int num_elements = detail::is<T, __half> && !sum ? 16 : distinct;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];

    // rowOf and colOf are the place in the matrix of a lane's element.
    static constexpr int rowOf(int lane, int i) { return byColumn ? (i * 32 + lane) % rows : (i * 32 + lane) / cols; }
    static constexpr int colOf(int lane, int i) { return byColumn ? (i * 32 + lane) / rows : (i * 32 + lane) % cols; }
};

namespace detail {

// What a lane brings to a product, as numbers that hold any of the types exactly.
struct Part {
    const double *a, *b;
    double *sum;
};

template <class A, class B, class C> GW_UNWATCHED void product(gwsim::Group &g) {
    double a[A::rows][A::cols] = {}, b[B::rows][B::cols] = {};
    gwsim::eachLane(g.lanes, [&](int lane) { // those that have returned are missing
        auto part = reinterpret_cast<const Part *>(g.value[lane]);
        for (int i = 0; i < A::distinct; i++)
            a[A::rowOf(lane, i)][A::colOf(lane, i)] = part->a[i];
        for (int i = 0; i < B::distinct; i++)
            b[B::rowOf(lane, i)][B::colOf(lane, i)] = part->b[i];
    });
    gwsim::eachLane(g.lanes, [&](int lane) {
        auto part = reinterpret_cast<const Part *>(g.value[lane]);
        for (int i = 0; i < C::distinct; i++)
            for (int k = 0; k < A::cols; k++)
                part->sum[i] += a[C::rowOf(lane, i)][k] * b[k][C::colOf(lane, i)];
    });
}

template <class A, class B, class C> inline constexpr gwsim::Op opProduct{"mma_sync", product<A, B, C>, false, true};
inline constexpr gwsim::Op opLoad{"load_matrix_sync", nullptr, false, true}, opStore{"store_matrix_sync", nullptr, false, true};

inline double number(float v) { return v; }
inline double number(double v) { return v; }
inline double number(int v) { return v; }
inline double number(signed char v) { return v; }
inline double number(unsigned char v) { return v; }
inline double number(__half v) { return v.f(); }
inline double number(__nv_bfloat16 v) { return v.f(); }

// Of a float that stands for tf32 the hardware reads the upper bits.
inline double truncated(float v) { return __uint_as_float(__float_as_uint(v) & ~0x1fffu); }

inline void put(float &to, double v, bool) { to = (float)v; }
inline void put(double &to, double v, bool) { to = v; }
inline void put(__half &to, double v, bool) { to = __half(v); }
inline void put(int &to, double v, bool saturate) { to = saturate ? gwsim::convert<int>(v) : (int)(long long)v; }

template <class F> void numbers(const F &f, double *to) {
    for (int i = 0; i < F::distinct; i++) {
        if constexpr (is<typename F::element_type, precision::tf32>)
            to[i] = truncated(f.x[i]);
        else
            to[i] = number(f.x[i]);
    }
}

// reaches says that mma_sync has sums of a type for factors of another.
template <class T, class Sum> constexpr bool reaches =
    is<T, __half> ? is<Sum, float> || is<Sum, __half>
                  : is<Sum, typename std::conditional<is<T, double>, double, typename std::conditional<std::is_integral<T>::value, int, float>::type>::type>;

template <class F, class T> void load(F &f, const T *from, unsigned ldm, bool byColumn, int line) {
    gwsim::collective(opLoad, ~0u, 0, 0, line);
    int lane = gwsim::lane();
    for (int i = 0; i < F::num_elements; i++) {
        int row = F::rowOf(lane, i % F::distinct), col = F::colOf(lane, i % F::distinct);
        f.x[i] = i < F::distinct ? from[byColumn ? col * ldm + row : row * ldm + col] : f.x[i % F::distinct];
    }
}

} // namespace detail

template <int m, int n, int k, class T, class Layout, class Use, class V> inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &v) {
    for (auto &x : f.x)
        x = v;
}

template <class Use, int m, int n, int k, class T, class Layout, class V>
inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const V *from, unsigned ldm, int line = __builtin_LINE()) {
    static_assert(!detail::is<Use, accumulator>, "loading an accumulator needs the layout as a fourth argument: mem_row_major or mem_col_major");
    detail::load(f, from, ldm, f.byColumn, line);
}
template <int m, int n, int k, class T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned ldm, layout_t layout, int line = __builtin_LINE()) {
    detail::load(f, from, ldm, layout == mem_col_major, line);
}

template <int m, int n, int k, class T>
inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout, int line = __builtin_LINE()) {
    gwsim::collective(detail::opStore, ~0u, 0, 0, line);
    int lane = gwsim::lane();
    for (int i = 0; i < f.num_elements; i++) {
        int row = f.rowOf(lane, i), col = f.colOf(lane, i);
        to[layout == mem_col_major ? col * ldm + row : row * ldm + col] = f.x[i];
    }
}

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class From, class To>
inline void mma_sync(fragment<accumulator, m, n, k, To> &to, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                     const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, From> &from,
                     bool saturate = false, int line = __builtin_LINE()) {
    static_assert(detail::reaches<T, To> && detail::reaches<T, From>, "tensor cores do not add products of this type to accumulators of that");
    using A = fragment<matrix_a, m, n, k, T, LayoutA>;
    using B = fragment<matrix_b, m, n, k, T, LayoutB>;
    using C = fragment<accumulator, m, n, k, To>;
    double as[A::distinct], bs[B::distinct], sum[C::distinct];
    detail::numbers(a, as);
    detail::numbers(b, bs);
    detail::numbers(from, sum);
    detail::Part part = {as, bs, sum};
    gwsim::collective(detail::opProduct<A, B, C>, ~0u, reinterpret_cast<uint64_t>(&part), 0, line);
    for (int i = 0; i < C::distinct; i++)
        detail::put(to.x[i], sum[i], saturate);
}

// Rounds as the instruction for it does: halves away from zero.
inline float __float_to_tf32(float v) { return v - v == 0 ? __uint_as_float((__float_as_uint(v) + 0x1000u) & ~0x1fffu) : v; }

} // namespace wmma
} // namespace nvcuda

#endif
