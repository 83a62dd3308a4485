// Plans: the layout of a batch of transforms, and their execution. A transform of several dimensions is done along one after the
// other, in memory of the plan.
#pragma once

#include <map>
#include <memory>

namespace gwfft {

// A Layout is where the numbers of a batch are.
struct Layout {
    long long embed[3], stride, dist; // embed are the dimensions of what the numbers lie in
    long long at(const int *i, int rank) const {
        long long place = 0;
        for (int d = 0; d < rank; d++)
            place = place * embed[d] + i[d];
        return place * stride;
    }
};

struct Plan {
    cufftType type;
    int rank, n[3], batch;
    Layout in, out;
    cudaStream_t stream = nullptr;
    std::vector<std::unique_ptr<Line>> lines; // by dimension
    Number *work = nullptr;                   // the whole batch, and behind it scratch of each block
    size_t blocks, scratch;
    ~Plan() { cudaFree(work); }
    size_t total() const { return size_t(n[0]) * (rank > 1 ? n[1] : 1) * (rank > 2 ? n[2] : 1); }
    bool isDouble() const { return type >= CUFFT_Z2Z; }
    bool fromReal() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
    bool toReal() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
    int half() const { return n[rank - 1] / 2 + 1; }
};
constexpr size_t most = 64; // blocks

inline std::map<cufftHandle, std::unique_ptr<Plan>> &plans() {
    static std::map<cufftHandle, std::unique_ptr<Plan>> all;
    return all;
}
inline Plan *planOf(cufftHandle h) {
    const auto found = plans().find(h);
    return found == plans().end() ? nullptr : found->second.get();
}

// A Place is an index of several dimensions of a number.
struct Place {
    int i[3];
    Place(size_t k, const int *n, int rank) {
        for (int d = rank - 1; d >= 0; d--)
            i[d] = int(k % n[d]), k /= n[d];
    }
};

// Read brings a batch into the plan's memory; the missing half of a spectrum is the conjugate of the other.
template <class R> struct Read {
    const Plan *p;
    const R *from;
    void operator()(size_t block) const {
        const size_t total = p->total(), all = total * p->batch;
        const int last = p->rank - 1;
        for (size_t k = all * block / p->blocks; k < all * (block + 1) / p->blocks; k++) {
            Place place(k % total, p->n, p->rank);
            const long long base = (long long)(k / total) * p->in.dist;
            if (p->fromReal()) {
                p->work[k] = {from[base + p->in.at(place.i, p->rank)], 0};
                continue;
            }
            const bool mirrored = p->toReal() && place.i[last] >= p->half();
            for (int d = 0; d <= last && mirrored; d++)
                place.i[d] = place.i[d] == 0 ? 0 : p->n[d] - place.i[d];
            const R *const at = from + 2 * (base + p->in.at(place.i, p->rank));
            p->work[k] = {at[0], mirrored ? -at[1] : at[1]};
        }
    }
};
// Along transforms the lines of a dimension.
struct Along {
    const Plan *p;
    int dimension, sign;
    void operator()(size_t block) const {
        const Line &line = *p->lines[dimension];
        size_t inner = 1;
        for (int d = dimension + 1; d < p->rank; d++)
            inner *= p->n[d];
        const size_t count = p->total() * p->batch / line.n;
        Number *const mine = p->work + p->total() * p->batch + block * p->scratch;
        for (size_t k = count * block / p->blocks; k < count * (block + 1) / p->blocks; k++)
            one(line, p->work + k / inner * inner * line.n + k % inner, inner, mine);
    }
    GW_UNWATCHED void one(const Line &line, Number *x, size_t stride, Number *mine) const {
        for (int i = 0; i < line.n; i++)
            mine[i] = x[i * stride];
        line.transform(mine, mine + line.n, sign);
        for (int i = 0; i < line.n; i++)
            x[i * stride] = mine[i];
    }
};
template <class R> struct Write {
    const Plan *p;
    R *to;
    void operator()(size_t block) const {
        const size_t total = p->total(), all = total * p->batch;
        for (size_t k = all * block / p->blocks; k < all * (block + 1) / p->blocks; k++) {
            const Place place(k % total, p->n, p->rank);
            const long long at = (long long)(k / total) * p->out.dist + p->out.at(place.i, p->rank);
            if (p->toReal()) {
                to[at] = R(p->work[k].re);
            } else if (!p->fromReal() || place.i[p->rank - 1] < p->half()) {
                to[2 * at] = R(p->work[k].re);
                to[2 * at + 1] = R(p->work[k].im);
            }
        }
    }
};

template <class R> cufftResult execute(const char *name, cufftHandle h, std::initializer_list<cufftType> types, const void *in, void *out, int sign) {
    Plan *p = planOf(h);
    if (p == nullptr)
        return CUFFT_INVALID_PLAN;
    if (std::find(types.begin(), types.end(), p->type) == types.end())
        return CUFFT_INVALID_TYPE;
    if (in == nullptr || out == nullptr || (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    cudaError_t e = gwlib::launch(name, p->blocks, Read<R>{p, static_cast<const R *>(in)}, p->stream);
    for (int d = 0; d < p->rank && e == cudaSuccess; d++)
        e = gwlib::launch(name, p->blocks, Along{p, d, sign}, p->stream);
    if (e == cudaSuccess)
        e = gwlib::launch(name, p->blocks, Write<R>{p, static_cast<R *>(out)}, p->stream);
    return e == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// layout fills in what the caller gave, or the numbers one after the other.
inline Layout layout(const Plan &p, const long long *embed, long long stride, long long dist, bool halved) {
    Layout l = {{1, 1, 1}, 1, 1};
    for (int d = 0; d < p.rank; d++)
        l.embed[d] = halved && d == p.rank - 1 ? p.half() : p.n[d];
    if (embed == nullptr) {
        for (int d = 0; d < p.rank; d++)
            l.dist *= l.embed[d];
        return l;
    }
    for (int d = 0; d < p.rank; d++)
        l.embed[d] = embed[d];
    l.stride = stride, l.dist = dist;
    return l;
}

inline cufftResult make(cufftHandle h, int rank, const long long *n, const long long *inembed, long long istride, long long idist, const long long *onembed, long long ostride,
                        long long odist, cufftType type, long long batch, size_t *size) {
    if (rank < 1 || rank > 3)
        return CUFFT_INVALID_SIZE;
    const auto types = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
    if (std::find(types.begin(), types.end(), type) == types.end())
        return CUFFT_INVALID_TYPE;
    auto p = std::make_unique<Plan>();
    p->type = type, p->rank = rank, p->batch = int(batch);
    size_t longest = 0;
    for (int d = 0; d < rank; d++) {
        if (n[d] < 1 || n[d] > 1 << 27 || batch < 1)
            return CUFFT_INVALID_SIZE;
        p->n[d] = int(n[d]);
        p->lines.push_back(std::make_unique<Line>(p->n[d]));
        longest = std::max(longest, size_t(n[d]) + p->lines.back()->scratch());
    }
    // Where one of the layouts is not given, neither counts.
    if (inembed == nullptr || onembed == nullptr)
        inembed = onembed = nullptr;
    p->in = layout(*p, inembed, istride, idist, p->toReal()), p->out = layout(*p, onembed, ostride, odist, p->fromReal());
    p->blocks = std::min<size_t>(most, gwlib::divideUp(p->total() * batch, 1024)), p->scratch = longest;
    const size_t bytes = (p->total() * batch + p->blocks * longest) * sizeof(Number);
    if (cudaMalloc(&p->work, bytes) != cudaSuccess)
        return CUFFT_ALLOC_FAILED;
    if (Plan *before = planOf(h))
        p->stream = before->stream;
    plans()[h] = std::move(p);
    if (size != nullptr)
        *size = bytes;
    return CUFFT_SUCCESS;
}
template <class I> const long long *widened(const I *p, int rank, long long (&to)[3]) {
    for (int d = 0; d < 3 && d < rank && p != nullptr; d++)
        to[d] = p[d];
    return p == nullptr ? nullptr : to;
}
template <class I> cufftResult makeMany(cufftHandle h, int rank, const I *n, const I *inembed, I istride, I idist, const I *onembed, I ostride, I odist, cufftType type, I batch,
                                        size_t *size) {
    long long a[3], b[3], c[3];
    return n == nullptr ? CUFFT_INVALID_VALUE : make(h, rank, widened(n, rank, a), widened(inembed, rank, b), istride, idist, widened(onembed, rank, c), ostride, odist, type, batch, size);
}
inline cufftResult makePlain(cufftHandle h, std::initializer_list<long long> n, cufftType type, long long batch, size_t *size) {
    return make(h, int(n.size()), n.begin(), nullptr, 0, 0, nullptr, 0, 0, type, batch, size);
}

} // namespace gwfft

GW_RT cufftResult cufftCreate(cufftHandle *h) {
    static cufftHandle next;
    *h = ++next;
    gwfft::plans()[*h] = nullptr;
    return CUFFT_SUCCESS;
}
GW_RT cufftResult cufftDestroy(cufftHandle h) { return gwfft::plans().erase(h) > 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
GW_RT cufftResult cufftMakePlan1d(cufftHandle h, int n, cufftType type, int batch, size_t *size) { return gwfft::makePlain(h, {n}, type, batch, size); }
GW_RT cufftResult cufftMakePlan2d(cufftHandle h, int nx, int ny, cufftType type, size_t *size) { return gwfft::makePlain(h, {nx, ny}, type, 1, size); }
GW_RT cufftResult cufftMakePlan3d(cufftHandle h, int nx, int ny, int nz, cufftType type, size_t *size) { return gwfft::makePlain(h, {nx, ny, nz}, type, 1, size); }
GW_RT cufftResult cufftMakePlanMany(cufftHandle h, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type, int batch,
                                    size_t *size) {
    return gwfft::makeMany<int>(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, size);
}
GW_RT cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride,
                                      long long odist, cufftType type, long long batch, size_t *size) {
    return gwfft::makeMany<long long>(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, size);
}
GW_RT cufftResult cufftPlan1d(cufftHandle *h, int n, cufftType type, int batch) { return cufftCreate(h), cufftMakePlan1d(*h, n, type, batch, nullptr); }
GW_RT cufftResult cufftPlan2d(cufftHandle *h, int nx, int ny, cufftType type) { return cufftCreate(h), cufftMakePlan2d(*h, nx, ny, type, nullptr); }
GW_RT cufftResult cufftPlan3d(cufftHandle *h, int nx, int ny, int nz, cufftType type) { return cufftCreate(h), cufftMakePlan3d(*h, nx, ny, nz, type, nullptr); }
GW_RT cufftResult cufftPlanMany(cufftHandle *h, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type, int batch) {
    return cufftCreate(h), cufftMakePlanMany(*h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
GW_RT cufftResult cufftSetStream(cufftHandle h, cudaStream_t stream) {
    gwfft::Plan *p = gwfft::planOf(h);
    return p == nullptr ? CUFFT_INVALID_PLAN : (p->stream = stream, CUFFT_SUCCESS);
}
GW_RT cufftResult cufftGetSize(cufftHandle h, size_t *size) {
    gwfft::Plan *p = gwfft::planOf(h);
    return p == nullptr ? CUFFT_INVALID_PLAN : (*size = (p->total() * p->batch + p->blocks * p->scratch) * sizeof(gwfft::Number), CUFFT_SUCCESS);
}
GW_RT cufftResult cufftEstimate1d(int n, cufftType, int batch, size_t *size) { return *size = size_t(n) * batch * sizeof(gwfft::Number), CUFFT_SUCCESS; }
// The simulator allocates its own working memory in any case.
GW_RT cufftResult cufftSetAutoAllocation(cufftHandle, int) { return CUFFT_SUCCESS; }
GW_RT cufftResult cufftSetWorkArea(cufftHandle, void *) { return CUFFT_SUCCESS; }
GW_RT cufftResult cufftGetVersion(int *v) { return *v = CUFFT_VERSION, CUFFT_SUCCESS; }

GW_RT cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int sign) { return gwfft::execute<float>("cufftExecC2C", h, {CUFFT_C2C}, in, out, sign); }
GW_RT cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out) { return gwfft::execute<float>("cufftExecR2C", h, {CUFFT_R2C}, in, out, CUFFT_FORWARD); }
GW_RT cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out) { return gwfft::execute<float>("cufftExecC2R", h, {CUFFT_C2R}, in, out, CUFFT_INVERSE); }
GW_RT cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out, int sign) {
    return gwfft::execute<double>("cufftExecZ2Z", h, {CUFFT_Z2Z}, in, out, sign);
}
GW_RT cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out) {
    return gwfft::execute<double>("cufftExecD2Z", h, {CUFFT_D2Z}, in, out, CUFFT_FORWARD);
}
GW_RT cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out) {
    return gwfft::execute<double>("cufftExecZ2D", h, {CUFFT_Z2D}, in, out, CUFFT_INVERSE);
}
