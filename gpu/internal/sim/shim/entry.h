// Entry points: how the runtime calls a kernel of any signature.
#pragma once

namespace gwsim {

constexpr uint32_t maxThreadsPerBlock = 1024;
template <class... More> constexpr uint32_t firstBound(long long threads, More...) {
    return threads > 0 && threads < maxThreadsPerBlock ? uint32_t(threads) : maxThreadsPerBlock;
}

template <auto K> struct Kernel;

// A Passed is how a parameter stands in the parameter buffer: a reference as the address of what it refers to.
template <class P> struct Passed {
    using Type = P;
    static P &value(Type &stored) { return stored; }
};
template <class P> struct Passed<P &> {
    using Type = P *;
    static P &value(Type &stored) { return *stored; }
};
template <class P> struct Passed<P &&> {
    using Type = std::remove_reference_t<P> *;
    static P &&value(Type &stored) { return static_cast<P &&>(*stored); }
};

// A type whose objects are copied or destroyed by code of its own is passed as the address of an object that the caller makes, by the
// ABI of C++. A kernel's threads get its bytes, as on a GPU: none of that code runs for them.
template <class P>
constexpr bool isPlain = std::is_reference_v<P> || (std::is_trivially_copy_constructible_v<P> && std::is_trivially_move_constructible_v<P> && std::is_trivially_destructible_v<P>);
template <class P> struct Bytes {
    alignas(P) char bytes[sizeof(P)];
};
template <class P, bool = isPlain<P>> struct Given {
    using Type = P;
    using Argument = P;
    static P argument(Type &t) { return static_cast<P>(t); }
};
template <class P> struct Given<P, false> {
    using Type = Bytes<P>;
    using Argument = P &;
    static P &argument(Type &t) { return reinterpret_cast<P &>(t); }
};

template <class... P, void (*K)(P...)> struct Kernel<K> {
    // callWithBytes calls a function of the kernel's type with parameters that are not all plain.
    template <void (*F)(P...)> GW_UNWATCHED static void callWithBytes(typename Given<P>::Type... p) {
        auto f = reinterpret_cast<void (*)(typename Given<P>::Argument...)>(F);
        asm("" : "+r"(f)); // the compiler is not to see that the types differ
        f(Given<P>::argument(p)...);
    }
    // at is where parameter i starts in the parameter buffer; at(sizeof...(P)) is its length.
    static constexpr size_t at(size_t i) {
        const size_t sizes[] = {sizeof(typename Passed<P>::Type)..., 0}, aligns[] = {alignof(typename Passed<P>::Type)..., 1};
        size_t offset = 0;
        for (size_t k = 0;; k++) {
            offset = (offset + aligns[k] - 1) & ~(aligns[k] - 1);
            if (k == i)
                return offset;
            offset += sizes[k];
        }
    }

    static constexpr size_t bytes = at(sizeof...(P));

    static size_t sizeOf(size_t i) {
        const size_t sizes[] = {sizeof(typename Passed<P>::Type)..., 0};
        return sizes[i];
    }

    template <class T> GW_UNWATCHED static typename Given<T>::Type load(const char *from) {
        // Through memcpy, because the buffer itself is aligned to nothing in particular.
        using Stored = typename Passed<typename Given<T>::Type>::Type;
        constexpr size_t n = sizeof(Stored);
        alignas(Stored) char bytes[n];
        __builtin_memcpy(bytes, from, n); // check mode is not to see it
        return static_cast<typename Given<T>::Type>(Passed<typename Given<T>::Type>::value(*reinterpret_cast<Stored *>(bytes)));
    }

    // put stores an argument of host code as parameter i.
    template <class T> static void put(char *to, size_t i, const T &value) {
        constexpr bool references[] = {std::is_reference_v<P>..., false};
        const void *address = &value;
        if (references[i])
            memcpy(to + at(i), &address, sizeof address);
        else
            memcpy(to + at(i), address, sizeof value);
    }
    // pack does so for all, as cudaLaunchKernel is given them.
    static void pack(char *to, void **from) {
        const size_t sizes[] = {sizeof(typename Passed<P>::Type)..., 0};
        for (size_t i = 0; i < sizeof...(P); i++)
            memcpy(to + at(i), from[i], sizes[i]);
    }

    // threads is direct mode: the block's threads in a plain loop, from threadIdx on.
    GW_KERNEL_CALLER GW_UNWATCHED static void threads(typename Given<P>::Type... p) {
        const dim3 n = blockDim;
        uint3 t = threadIdx;
        for (; t.z < n.z; t.z++, t.y = 0) {
            for (; t.y < n.y; t.y++, t.x = 0) {
                for (; t.x < n.x; t.x++) {
                    threadIdx = t;
                    // If the kernel faults, the fault handler reads threadIdx.
                    asm volatile("" ::"m"(threadIdx));
#ifdef GW_CHECK
                    threadBegins();
#endif
                    if constexpr ((isPlain<P> && ...))
                        K(p...);
                    else
                        callWithBytes<K>(p...);
                    // It may be set by a signal.
                    if (__builtin_expect(const_cast<volatile unsigned &>(promoted), 0))
                        return;
                }
            }
        }
    }

    template <size_t... I> GW_UNWATCHED static void call(const char *args, std::index_sequence<I...>) {
        (void)args; // a kernel may have no parameters
        threads(load<P>(args + at(I))...);
    }

    GW_UNWATCHED static void run(const char *args) { call(args, std::index_sequence_for<P...>()); }

    // runSplit calls the function that runs a whole block at once.
    template <void (*S)(P...), size_t... I> static void callSplit(const char *args, std::index_sequence<I...>) {
        (void)args;
        if constexpr ((isPlain<P> && ...))
            S(load<P>(args + at(I))...);
        else
            callWithBytes<S>(load<P>(args + at(I))...);
    }
    template <void (*S)(P...)> static void runSplit(const char *args) { callSplit<S>(args, std::index_sequence_for<P...>()); }
};

// Internal, so that every module has its own.
#if defined(GW_SEVERAL) && defined(GW_CHECK)
inline thread_local volatile char touched;
#else
static thread_local volatile char touched;
#endif
__attribute__((noinline, unused)) GW_UNWATCHED static void *touch() {
    touched = 1;
    return const_cast<char *>(&touched);
}

// A Constant registers a __constant__ variable.
struct Constant {
    const void *begin, *end;
    const Constant *next;
    template <class T> explicit Constant(T *p);
};
inline const Constant *constants;
template <class T> Constant::Constant(T *p) : begin(const_cast<const std::remove_cv_t<T> *>(p)), end(const_cast<const std::remove_cv_t<T> *>(p) + 1), next(constants) {
    constants = this;
}
GW_UNWATCHED __attribute__((noinline, unused)) static bool isConstant(const void *p) {
    for (const Constant *c = constants; c != nullptr; c = c->next)
        if (p >= c->begin && p < c->end)
            return true;
    return false;
}

// What a kernel's attributes say about its launches.
struct Bounds {
    uint32_t maxThreads;
    dim3 cluster;
};
constexpr Bounds bounds(uint32_t maxThreads, dim3 cluster = dim3(0, 0, 0)) { return {maxThreads, cluster}; }

template <auto K> constexpr Entry entry(Bounds b) {
    return {uint32_t(Kernel<K>::bytes), b.maxThreads, Kernel<K>::run, touch, nullptr, {b.cluster.x, b.cluster.y, b.cluster.z}};
}
template <auto K, auto S> constexpr Entry entry(Bounds b) {
    Entry e = entry<K>(b);
    e.split = Kernel<K>::template runSplit<S>;
    return e;
}

} // namespace gwsim

// GW_KERNEL gives a kernel a symbol to be found by. The kernel comes last, in parentheses
// since template arguments may hold commas, and after it its split form if it has one.
#define GW_KERNEL(symbol, bounds, ...)                                                                                   \
    extern "C" GW_API const gwsim::Entry symbol;                                                                         \
    const gwsim::Entry symbol = gwsim::entry<__VA_ARGS__>(gwsim::bounds);
