// What runtime_copies.h declares; part of program.cpp.

namespace gwrt {

bool sideOf(cudaArray_t array, const cudaPitchedPtr &p, const cudaPos &pos, const cudaExtent &extent, size_t element, Side &out) {
    if (array != nullptr) {
        size_t x = pos.x * element;
        out = {array->data + pos.z * array->slice() + pos.y * array->pitch + x, array->pitch, array->slice()};
        return x + extent.width <= array->width * element && pos.y + extent.height <= array->rows() && pos.z + extent.depth <= array->planes();
    }
    size_t rows = p.ysize > 0 ? p.ysize : 1;
    out = {static_cast<char *>(p.ptr) + pos.z * p.pitch * rows + pos.y * p.pitch + pos.x, p.pitch, p.pitch * rows};
    return p.ptr != nullptr && (extent.height * extent.depth <= 1 || pos.x + extent.width <= p.pitch);
}

cudaError copyNow(const cudaMemcpy3DParms &p) {
    cudaExtent extent = p.extent;
    size_t element = p.srcArray != nullptr ? elementBytes(p.srcArray->format) : p.dstArray != nullptr ? elementBytes(p.dstArray->format) : 1;
    extent.width *= element; // with an array the extent counts elements
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
        return done(cudaSuccess);
    Side from, to;
    if (!sideOf(p.srcArray, p.srcPtr, p.srcPos, extent, element, from) || !sideOf(p.dstArray, p.dstPtr, p.dstPos, extent, element, to))
        return done(cudaErrorInvalidValue);
    // Arrays lie in memory that both use.
    cudaMemcpyKind kind = p.srcArray != nullptr || p.dstArray != nullptr ? cudaMemcpyDefault : p.kind;
    bool dense = from.pitch == extent.width && to.pitch == extent.width;
    for (size_t z = 0; z < extent.depth; z++) {
        char *a = to.at + z * to.slice, *b = from.at + z * from.slice;
        cudaError e = dense || extent.height == 1 ? call(Copy, number(a), number(b), extent.width * extent.height, kind)
                                                  : call(CopyRect, number(a), to.pitch, number(b), from.pitch, extent.width, extent.height, kind);
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

cudaMemcpy3DParms rectangle(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms p = {};
    p.dstPtr = {to, toPitch, width, height}, p.srcPtr = {const_cast<void *>(from), fromPitch, width, height};
    p.extent = {width, height, 1}, p.kind = kind;
    return p;
}

cudaError copyIn(cudaStream_t s, const cudaMemcpy3DParms &p) {
    cudaError e;
    if (captured(s, cudaGraphNodeTypeMemcpy, e, [&](CUgraphNode_st &n) { n.copy = p; }))
        return e;
    return copyNow(p);
}

cudaError fillNow(const cudaMemsetParams &p) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
        return done(cudaErrorInvalidValue);
    std::vector<char> row(p.width * p.elementSize);
    for (size_t i = 0; i < row.size(); i++)
        row[i] = char(p.value >> 8 * (i % p.elementSize));
    for (size_t y = 0; y < p.height; y++) {
        char *to = static_cast<char *>(p.dst) + y * p.pitch;
        if (cudaError e = p.elementSize == 1 ? call(Fill, number(to), p.value & 0xff, p.width) : call(Copy, number(to), number(row.data()), row.size(), cudaMemcpyDefault))
            return e;
    }
    return cudaSuccess;
}

cudaError fillIn(cudaStream_t s, const cudaMemsetParams &p) {
    cudaError e;
    if (captured(s, cudaGraphNodeTypeMemset, e, [&](CUgraphNode_st &n) { n.fill = p; }))
        return e;
    return fillNow(p);
}

} // namespace gwrt

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t s) {
    if (gwsim::inKernel())
        return memcpy(to, from, n), cudaSuccess;
    return gwrt::copyIn(s, gwrt::rectangle(to, n, from, n, n, 1, kind));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t s) {
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t s) {
    if (width > toPitch || width > fromPitch)
        return gwrt::done(cudaErrorInvalidPitchValue);
    return gwrt::copyIn(s, gwrt::rectangle(to, toPitch, from, fromPitch, width, height, kind));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t s) {
    if (gwsim::inKernel())
        return memset(to, value, n), cudaSuccess;
    return gwrt::fillIn(s, {to, n, unsigned(value) & 0xff, 1, n, 1});
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t s) {
    return gwrt::fillIn(s, {to, pitch, unsigned(value) & 0xff, 1, width, height});
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent) {
    *p = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t s) {
    cudaError_t e = cudaSuccess;
    for (size_t z = 0; z < extent.depth && e == cudaSuccess; z++)
        e = cudaMemset2DAsync(static_cast<char *>(p.ptr) + z * p.pitch * p.ysize, p.pitch, value, extent.width, extent.height, s);
    return e;
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) { return cudaMemset3DAsync(p, value, extent); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t s) { return gwrt::copyIn(s, *p); }
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) { return cudaMemcpy3DAsync(p); }

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t s) {
    return gwrt::copyIn(s, {p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent, cudaMemcpyDefault});
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p) { return cudaMemcpy3DPeerAsync(p); }
