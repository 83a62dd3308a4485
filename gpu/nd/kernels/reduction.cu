#line 1 "{{name}}.cu"
struct nd_args { long long folds, parts, run, from[3]; nd_walk keep, fold; };

// Folds what the block's threads have; thread 0 gets it.
static __device__ nd_acc nd_block(nd_acc v) {
    __shared__ longlong2 room[{{threads}}]; // as what needs constructing cannot be shared
    nd_part *const s = (nd_part *)room;
    s[threadIdx.x].v = v;
    __syncthreads();
    for (int k = {{threads}} / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x].v = nd_join(s[threadIdx.x].v, s[threadIdx.x + k].v);
        __syncthreads();
    }
    return s[0].v;
}
static __device__ __forceinline__ void nd_finish({{T}} *out, nd_part *parts, const nd_acc v, bool last) {
    if (threadIdx.x != 0)
        return;
    if (!last) {
        parts[blockIdx.x].v = v;
        return;
    }
    {{R}} r;
    nd_post(v, r);
    out[blockIdx.x] = {{result}};
}
extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}({{T}} *out, nd_part *parts{{params}}, const nd_args a) {
    const long long first = blockIdx.x % a.parts * a.run, last = first + a.run < a.folds ? first + a.run : a.folds;
    long long from[3] = {a.from[0], a.from[1], a.from[2]};
    nd_step(a.keep, blockIdx.x / a.parts, from);
    nd_acc v = nd_identity();
    for (long long i = first + threadIdx.x; i < last; i += {{threads}}) {
        long long at[3] = {from[0], from[1], from[2]};
        nd_step(a.fold, i, at);
        v = nd_join(v, nd_map({{args}}));
    }
    nd_finish(out, parts, nd_block(v), a.parts == 1);
}
extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}_last({{T}} *out, nd_part *parts, long long n) {
    nd_acc v = nd_identity();
    for (long long i = threadIdx.x; i < n; i += {{threads}})
        v = nd_join(v, parts[blockIdx.x * n + i].v);
    nd_finish(out, parts, nd_block(v), true);
}
