// Functions of newer devices: atomic sums of vectors, arithmetic with pairs, and the blocks of a cluster.
#pragma once

#if __CUDA_ARCH__ >= 900
// Each element is added atomically, the vector as a whole is not.
#define GW_VECTOR_SUM(name)                                                                                              \
    GW_DEVICE float2 name(float2 *p, float2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }                \
    GW_DEVICE float4 name(float4 *p, float4 v) {                                                                         \
        return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)};             \
    }
GW_VECTOR_SUM(atomicAdd)
GW_VECTOR_SUM(atomicAdd_block)
GW_VECTOR_SUM(atomicAdd_system)
#undef GW_VECTOR_SUM

GW_DEVICE dim3 __clusterDim() { return gwsim::clusterDim(); }
GW_DEVICE dim3 __clusterRelativeBlockIdx() {
    uint3 n = gwsim::clusterDim();
    return {blockIdx.x % n.x, blockIdx.y % n.y, blockIdx.z % n.z};
}
GW_DEVICE dim3 __clusterIdx() {
    uint3 n = gwsim::clusterDim();
    return {blockIdx.x / n.x, blockIdx.y / n.y, blockIdx.z / n.z};
}
GW_DEVICE dim3 __clusterGridDimInClusters() {
    uint3 n = gwsim::clusterDim();
    return {gridDim.x / n.x, gridDim.y / n.y, gridDim.z / n.z};
}
GW_DEVICE unsigned __clusterSizeInBlocks() {
    uint3 n = gwsim::clusterDim();
    return n.x * n.y * n.z;
}
GW_DEVICE unsigned __clusterRelativeBlockRank() {
    uint3 n = gwsim::clusterDim();
    dim3 at = __clusterRelativeBlockIdx();
    return at.x + n.x * (at.y + n.y * at.z);
}
GW_DEVICE unsigned __cluster_query_shared_rank(const void *p) { return gwsim::rankOf(static_cast<const char *>(p)); }
GW_DEVICE void *__cluster_map_shared_rank(const void *mine, unsigned rank) {
    return gwsim::sharedOf(const_cast<char *>(static_cast<const char *>(mine)), rank);
}
// Threads wait where they wait for the others, and may do something before it.
GW_DEVICE void __cluster_barrier_arrive() {}
GW_DEVICE void __cluster_barrier_arrive_relaxed() {}
GW_DEVICE void __cluster_barrier_wait(int line = __builtin_LINE()) { gwsim::clusterBarrier(line); }
GW_DEVICE unsigned __isCtaShared(const void *p) { return __isShared(p); }
GW_DEVICE unsigned __isClusterShared(const void *p) {
    auto mine = static_cast<char *>(gwsim::touch());
    bool found = false;
    for (unsigned r = 0; r < __clusterSizeInBlocks(); r++) // the blocks have the same at the same distance
        found = found || gwsim::inSharedMemory(static_cast<const char *>(p) - (gwsim::sharedOf(mine, r) - mine), mine);
    return found;
}
#endif

// Barriers of a block by their numbers, at each of which all of its threads wait.
namespace gwsim {
inline void numbered(const char *name, unsigned id, unsigned threads, int line) {
    if (id > 15)
        refuse("a barrier has a number from 0 to 15");
    if (threads != blockDim.x * blockDim.y * blockDim.z)
        refuse("of barriers by number the simulator has those for all threads of the block: use __syncthreads, or __syncwarp for a warp");
    barrier(name, false, line);
}
} // namespace gwsim
GW_DEVICE void __barrier_sync(unsigned id, int line = __builtin_LINE()) { gwsim::numbered("__barrier_sync", id, blockDim.x * blockDim.y * blockDim.z, line); }
GW_DEVICE void __barrier_sync_count(unsigned id, unsigned threads, int line = __builtin_LINE()) { gwsim::numbered("__barrier_sync_count", id, threads, line); }

#if __CUDA_ARCH__ >= 1000
#define GW_PAIRS(rounding)                                                                                               \
    GW_DEVICE float2 __fadd2_##rounding(float2 a, float2 b) { return {__fadd_##rounding(a.x, b.x), __fadd_##rounding(a.y, b.y)}; }\
    GW_DEVICE float2 __fmul2_##rounding(float2 a, float2 b) { return {__fmul_##rounding(a.x, b.x), __fmul_##rounding(a.y, b.y)}; }\
    GW_DEVICE float2 __ffma2_##rounding(float2 a, float2 b, float2 c) {                                                  \
        return {__fmaf_##rounding(a.x, b.x, c.x), __fmaf_##rounding(a.y, b.y, c.y)};                                     \
    }
GW_PAIRS(rn)
GW_PAIRS(rz)
GW_PAIRS(ru)
GW_PAIRS(rd)
#undef GW_PAIRS
#endif
