// Generators of host code. A stream's state moves on when a group of its numbers is complete: one or two numbers of XORWOW and
// MRG32k3a, four of Philox. The next call goes on with the next stream.
#pragma once

#include <memory>

namespace gwrand {

// A Maker makes the numbers of a group. Kinds are what is generated.
template <class State> constexpr size_t groupOf = 1;
template <> inline constexpr size_t groupOf<curandStatePhilox4_32_10_t> = 4;

struct Bits {
    typedef unsigned Value;
    static constexpr bool pairs = false;
    template <class State> void make(State *s, Value *out) const {
        if constexpr (groupOf<State> == 4) {
            const uint4 v = curand4(s);
            out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
        } else {
            *out = curand(s);
        }
    }
};
struct Uniform {
    typedef float Value;
    static constexpr bool pairs = false;
    template <class State> void make(State *s, Value *out) const {
        if constexpr (groupOf<State> == 4) {
            const float4 v = curand_uniform4(s);
            out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
        } else {
            *out = curand_uniform(s);
        }
    }
};
struct UniformDouble {
    typedef double Value;
    static constexpr bool pairs = false;
    template <class State> void make(State *s, Value *out) const {
        if constexpr (groupOf<State> == 4) {
            const double4 v = curand_uniform4_double(s);
            out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
        } else {
            *out = curand_uniform_double(s);
        }
    }
};
struct Normal {
    typedef float Value;
    static constexpr bool pairs = true;
    float mean, deviation;
    bool log;
    float of(float n) const { return log ? expf(mean + deviation * n) : mean + deviation * n; }
    template <class State> void make(State *s, Value *out) const {
        for (size_t i = 0; i < std::max<size_t>(groupOf<State>, 2); i += 2) {
            const float2 v = curand_normal2(s);
            out[i] = of(v.x), out[i + 1] = of(v.y);
        }
    }
};
struct NormalDouble {
    typedef double Value;
    static constexpr bool pairs = true;
    double mean, deviation;
    bool log;
    double of(double n) const { return log ? exp(mean + deviation * n) : mean + deviation * n; }
    template <class State> void make(State *s, Value *out) const {
        for (size_t i = 0; i < std::max<size_t>(groupOf<State>, 2); i += 2) {
            const double2 v = curand_normal2_double(s);
            out[i] = of(v.x), out[i + 1] = of(v.y);
        }
    }
};
struct Poisson {
    typedef unsigned Value;
    static constexpr bool pairs = false;
    double mean;
    template <class State> void make(State *s, Value *out) const {
        for (size_t i = 0; i < groupOf<State>; i++)
            out[i] = curand_poisson(s, mean);
    }
};

// Generate makes numbers from start on, counted from the first of stream 0, for the streams of a block.
template <class State, class Kind> struct Generate {
    static constexpr size_t group = groupOf<State> == 1 && Kind::pairs ? 2 : groupOf<State>;
    static constexpr size_t perBlock = 512; // streams
    Kind kind;
    State *states;
    size_t streams;
    typename Kind::Value *out;
    size_t start, n;

    void operator()(size_t block) const {
        const size_t first = start / group, last = (start + n - 1) / group; // groups
        for (size_t s = block * perBlock; s < std::min(streams, (block + 1) * perBlock); s++) {
            size_t g = first / streams * streams + s;
            if (g < first)
                g += streams;
            if (g > last)
                continue;
            stream(s, g, last);
        }
    }
    void stream(size_t s, size_t g, size_t last) const {
        State state = states[s];
        for (; g <= last; g += streams) {
            State next = state;
            typename Kind::Value made[group];
            kind.make(&next, made);
            for (size_t i = 0; i < group; i++)
                if (const size_t at = g * group + i; at >= start && at < start + n)
                    out[at - start] = made[i];
            if ((g + 1) * group <= start + n)
                state = next;
        }
        states[s] = state;
    }
};

struct Generator {
    virtual ~Generator() = default;
    virtual curandStatus_t order(curandOrdering_t ordering) = 0;
    virtual void seeded() = 0;
    virtual curandStatus_t bits(unsigned *out, size_t n) = 0;
    virtual curandStatus_t uniform(float *out, size_t n) = 0;
    virtual curandStatus_t uniform(double *out, size_t n) = 0;
    virtual curandStatus_t normal(const char *name, float *out, size_t n, Normal kind) = 0;
    virtual curandStatus_t normal(const char *name, double *out, size_t n, NormalDouble kind) = 0;
    virtual curandStatus_t poisson(unsigned *out, size_t n, double mean) = 0;

    bool host = false;
    cudaStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    size_t next = 0; // where the next number comes from: a stream, or a number of its group
    bool ready = false;
};

template <class State> class GeneratorOf : public Generator {
    State *states = nullptr;
    size_t streams;
    const size_t usual;

    // begin sets the streams' states, each of which is a jump away from the one before.
    void begin() {
        const unsigned long long rounds = offset / (streams * groupOf<State>);
        State s;
        curand_init(seed, 0, rounds * groupOf<State>, &s);
        for (size_t i = 0; i < streams; i++) {
            states[i] = s;
            if (i < offset / groupOf<State> % streams) // passed over already
                skipahead(groupOf<State>, &states[i]);
            if constexpr (std::is_same_v<State, curandStateMRG32k3a_t>)
                skipahead_subsequence(1, &s);
            else
                skipahead_sequence(1, &s);
        }
        ready = true;
    }

    template <class Kind> curandStatus_t generate(const char *name, typename Kind::Value *out, size_t n, Kind kind) {
        using Work = Generate<State, Kind>;
        if (n == 0)
            return CURAND_STATUS_SUCCESS;
        if (groupOf<State> == 1 && n % Work::group != 0)
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        if (!ready) {
            if (states == nullptr && cudaMallocManaged(&states, usual * sizeof(State)) != cudaSuccess)
                return CURAND_STATUS_ALLOCATION_FAILED;
            begin();
        }
        // Of XORWOW and MRG32k3a next counts streams, each of which makes a whole group.
        const size_t unit = groupOf<State> == 1 ? Work::group : 1, start = next * unit;
        const Work work = {kind, states, streams, out, start, n};
        const size_t blocks = gwlib::divideUp(streams, Work::perBlock);
        next = (start + n) / unit % (streams * groupOf<State>);
        if (!host)
            return gwlib::launch(name, blocks, work, stream) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
        for (size_t i = 0; i < blocks; i++)
            work(i);
        return CURAND_STATUS_SUCCESS;
    }

public:
    explicit GeneratorOf(size_t streams) : streams(streams), usual(streams) {}
    ~GeneratorOf() { cudaFree(states); }
    void seeded() override {
        ready = false;
        next %= streams * groupOf<State>;
    }
    curandStatus_t order(curandOrdering_t ordering) override {
        if (ordering == CURAND_ORDERING_PSEUDO_DYNAMIC && host)
            return CURAND_STATUS_OUT_OF_RANGE;
        if (ordering == CURAND_ORDERING_PSEUDO_SEEDED) {
            if (std::is_same_v<State, curandStateXORWOW_t>)
                gwlib::refuse("curandSetGeneratorOrdering", "the simulator does not have CURAND_ORDERING_PSEUDO_SEEDED: use CURAND_ORDERING_PSEUDO_DEFAULT");
            return CURAND_STATUS_OUT_OF_RANGE;
        }
        if (ordering < CURAND_ORDERING_PSEUDO_BEST || ordering > CURAND_ORDERING_PSEUDO_DYNAMIC)
            return CURAND_STATUS_OUT_OF_RANGE;
        streams = ordering == CURAND_ORDERING_PSEUDO_LEGACY && groupOf<State> == 1 ? 4096 : usual;
        ready = false;
        return CURAND_STATUS_SUCCESS;
    }
    curandStatus_t bits(unsigned *out, size_t n) override { return generate("curandGenerate", out, n, Bits()); }
    curandStatus_t uniform(float *out, size_t n) override { return generate("curandGenerateUniform", out, n, Uniform()); }
    curandStatus_t uniform(double *out, size_t n) override { return generate("curandGenerateUniformDouble", out, n, UniformDouble()); }
    curandStatus_t normal(const char *name, float *out, size_t n, Normal kind) override { return generate(name, out, n, kind); }
    curandStatus_t normal(const char *name, double *out, size_t n, NormalDouble kind) override { return generate(name, out, n, kind); }
    curandStatus_t poisson(unsigned *out, size_t n, double mean) override { return generate("curandGeneratePoisson", out, n, Poisson{mean}); }
};

} // namespace gwrand

struct curandGenerator_st {
    std::unique_ptr<gwrand::Generator> of;
};
typedef struct curandGenerator_st *curandGenerator_t;

GW_RT curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type) {
    *g = nullptr;
    std::unique_ptr<gwrand::Generator> made;
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: made.reset(new gwrand::GeneratorOf<curandStateXORWOW_t>(4096)); break;
    case CURAND_RNG_PSEUDO_MRG32K3A: made.reset(new gwrand::GeneratorOf<curandStateMRG32k3a_t>(81920)); break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: made.reset(new gwrand::GeneratorOf<curandStatePhilox4_32_10_t>(65536)); break;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
        gwlib::refuse("curandCreateGenerator", "the simulator has no Mersenne Twister: use CURAND_RNG_PSEUDO_PHILOX4_32_10, or run on a GPU");
        return CURAND_STATUS_TYPE_ERROR;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        gwlib::refuse("curandCreateGenerator", "the simulator does not have the direction numbers of Sobol sequences: give your own to curand_init in a kernel, use a "
                                               "pseudorandom generator, or run on a GPU");
        return CURAND_STATUS_TYPE_ERROR;
    default: return CURAND_STATUS_TYPE_ERROR;
    }
    *g = new curandGenerator_st{std::move(made)};
    return CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type) {
    const curandStatus_t e = curandCreateGenerator(g, type);
    if (e == CURAND_STATUS_SUCCESS)
        (*g)->of->host = true;
    return e;
}
#define GW_GENERATOR(g)                                                                                                  \
    if (g == nullptr)                                                                                                    \
        return CURAND_STATUS_NOT_INITIALIZED;
GW_RT curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    GW_GENERATOR(g)
    delete g;
    return CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandGetVersion(int *version) { return *version = CURAND_VERSION, CURAND_STATUS_SUCCESS; }
GW_RT curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
    constexpr int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    return *value = parts[type], CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    GW_GENERATOR(g)
    return g->of->stream = stream, CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    GW_GENERATOR(g)
    g->of->seed = seed;
    g->of->seeded();
    return CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    GW_GENERATOR(g)
    g->of->offset = g->of->next = offset;
    g->of->seeded();
    return CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t ordering) {
    GW_GENERATOR(g)
    return g->of->order(ordering);
}
GW_RT curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned) {
    GW_GENERATOR(g)
    return CURAND_STATUS_TYPE_ERROR;
}
GW_RT curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
    GW_GENERATOR(g)
    return CURAND_STATUS_SUCCESS;
}
GW_RT curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n) {
    GW_GENERATOR(g)
    return g->of->bits(out, n);
}
GW_RT curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *, size_t) {
    GW_GENERATOR(g)
    return CURAND_STATUS_TYPE_ERROR; // for 64-bit Sobol sequences alone
}
GW_RT curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n) {
    GW_GENERATOR(g)
    return g->of->uniform(out, n);
}
GW_RT curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n) {
    GW_GENERATOR(g)
    return g->of->uniform(out, n);
}
GW_RT curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation) {
    GW_GENERATOR(g)
    return g->of->normal("curandGenerateNormal", out, n, gwrand::Normal{mean, deviation, false});
}
GW_RT curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double deviation) {
    GW_GENERATOR(g)
    return g->of->normal("curandGenerateNormalDouble", out, n, gwrand::NormalDouble{mean, deviation, false});
}
GW_RT curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation) {
    GW_GENERATOR(g)
    return g->of->normal("curandGenerateLogNormal", out, n, gwrand::Normal{mean, deviation, true});
}
GW_RT curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double deviation) {
    GW_GENERATOR(g)
    return g->of->normal("curandGenerateLogNormalDouble", out, n, gwrand::NormalDouble{mean, deviation, true});
}
GW_RT curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t n, double mean) {
    GW_GENERATOR(g)
    if (!(mean > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    return g->of->poisson(out, n, mean);
}
#undef GW_GENERATOR
