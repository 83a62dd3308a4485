// What array_api.h declares; part of program.cpp.

namespace gwrt {

bool arrayFits(const cudaExtent &e, unsigned flags, bool levels) {
    static const cudaDeviceProp limits = [] {
        cudaDeviceProp p = {};
        completeProperties(p, 0);
        return p;
    }();
    const bool layers = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap, surface = flags & cudaArraySurfaceLoadStore;
    auto within = [&](size_t w, size_t h, size_t d) { return e.width <= w && e.height <= h && e.depth <= d; };
    auto in2 = [&](const int (&most)[2]) { return within(most[0], most[1], 0); };
    auto in3 = [&](const int (&most)[3]) { return within(most[0], most[1], most[2]); };
    if (e.width == 0 || (flags & cudaArrayTextureGather && (e.height == 0 || e.depth > 0)))
        return false;
    if (cube) {
        const int *most = surface ? limits.maxSurfaceCubemapLayered : limits.maxTextureCubemapLayered;
        return e.width == e.height && e.depth > 0 && e.depth % 6 == 0 && (layers || e.depth == 6) && within(most[0], most[0], most[1]);
    }
    if (layers && e.height == 0) {
        const int *most = surface ? limits.maxSurface1DLayered : limits.maxTexture1DLayered;
        return e.depth > 0 && within(most[0], 0, most[1]);
    }
    if (layers)
        return e.depth > 0 && in3(surface ? limits.maxSurface2DLayered : limits.maxTexture2DLayered);
    if (e.depth > 0)
        return e.height > 0 && (in3(surface ? limits.maxSurface3D : limits.maxTexture3D) || (!surface && in3(limits.maxTexture3DAlt)));
    if (e.height > 0 && flags & cudaArrayTextureGather)
        return in2(limits.maxTexture2DGather);
    if (e.height > 0)
        return in2(surface ? limits.maxSurface2D : levels ? limits.maxTexture2DMipmap : limits.maxTexture2D);
    return within(surface ? limits.maxSurface1D : levels ? limits.maxTexture1DMipmap : limits.maxTexture1D, 0, 0);
}

cudaError checkArray(const char *function, const cudaChannelFormatDesc *format, const cudaExtent &extent, unsigned flags, bool levels) {
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
        fprintf(stderr, "simulator: %s: sparse arrays, and those that get their memory later, are not on the simulator\n", function);
        return cudaErrorNotSupported;
    }
    if (format != nullptr && format->f > cudaChannelFormatKindNone) {
        fprintf(stderr,
                "simulator: %s: arrays of compressed blocks (BC1 to BC7), of normalized formats and of NV12 are not on the simulator: "
                "decode the image in host code, and read 8 or 16 bits with cudaReadModeNormalizedFloat\n",
                function);
        return cudaErrorNotSupported;
    }
    if (format == nullptr || flags > cudaArrayColorAttachment * 2 - 1 || !arrayFits(extent, flags, levels))
        return cudaErrorInvalidValue;
    return isFormat(*format) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

cudaArray arrayOf(const cudaChannelFormatDesc &format, const cudaExtent &e, unsigned flags, bool isLevel) {
    return {nullptr, format, e.width, e.height, e.depth, e.width * elementBytes(format), flags, isLevel};
}

} // namespace gwrt

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }
cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags) {
    if (array == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *array = nullptr;
    if (cudaError_t e = gwrt::checkArray("cudaMalloc3DArray", format, extent, flags, false))
        return gwrt::done(e);
    auto a = new cudaArray(gwrt::arrayOf(*format, extent, flags, false));
    if (cudaError_t e = cudaMallocHost(&a->data, a->slice() * a->planes())) {
        delete a;
        return e;
    }
    *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) // those are made by cudaMalloc3DArray
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (format != nullptr)
        *format = array->format;
    if (extent != nullptr)
        *extent = {array->width, array->height, array->depth};
    if (flags != nullptr)
        *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    return format == nullptr || array == nullptr ? gwrt::done(cudaErrorInvalidValue) : (*format = array->format, cudaSuccess);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaSuccess);
    if (array->isLevel) // it goes with the others
        return gwrt::done(cudaErrorInvalidValue);
    cudaError_t e = cudaFree(array->data);
    delete array;
    return e;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
    cudaError_t e = gwrt::done(cudaSuccess);
    if (mipmapped == nullptr)
        return e;
    for (cudaArray &level : mipmapped->levels)
        if (cudaError_t failed = level.data == nullptr ? cudaSuccess : cudaFree(level.data))
            e = failed;
    delete mipmapped;
    return e;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmapped, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned levels, unsigned flags) {
    if (mipmapped == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *mipmapped = nullptr;
    if (cudaError_t e = gwrt::checkArray("cudaMallocMipmappedArray", format, extent, flags, true))
        return gwrt::done(e);
    const bool planes = flags & (cudaArrayLayered | cudaArrayCubemap); // there are as many in each level
    unsigned most = 1;
    for (size_t n = std::max({extent.width, extent.height, planes ? size_t(0) : extent.depth}); n > 1; n /= 2)
        most++;
    auto m = new cudaMipmappedArray;
    auto part = [](size_t n, unsigned i) { return n == 0 ? 0 : std::max(n >> i, size_t(1)); };
    for (unsigned i = 0; i < std::min(std::max(levels, 1u), most); i++) {
        const cudaExtent e = {part(extent.width, i), part(extent.height, i), planes ? extent.depth : part(extent.depth, i)};
        m->levels.push_back(gwrt::arrayOf(*format, e, flags, true));
    }
    for (cudaArray &level : m->levels)
        if (cudaError_t e = cudaMallocHost(&level.data, level.slice() * level.planes())) {
            cudaFreeMipmappedArray(m);
            return gwrt::done(e);
        }
    *mipmapped = m;
    return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t mipmapped, unsigned i) {
    if (level == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *level = nullptr;
    if (mipmapped == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (i >= mipmapped->levels.size())
        return gwrt::done(cudaErrorInvalidValue);
    *level = const_cast<cudaArray_t>(&mipmapped->levels[i]);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind) {
    if (to == nullptr || x + width > to->pitch || y + height > to->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, cudaMemcpyDefault);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind) {
    if (from == nullptr || x + width > from->pitch || y + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind) {
    if (to == nullptr || y * to->pitch + x + n > to->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to->data + y * to->pitch + x, from, n, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind) {
    if (from == nullptr || y * from->pitch + x + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to, from->data + y * from->pitch + x, n, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind, cudaStream_t s) {
    if (to == nullptr || y * to->pitch + x + n > to->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to->data + y * to->pitch + x, from, n, cudaMemcpyDefault, s);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind, cudaStream_t s) {
    if (from == nullptr || y * from->pitch + x + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from->data + y * from->pitch + x, n, cudaMemcpyDefault, s);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t n, cudaMemcpyKind kind) {
    if (from == nullptr || fromY * from->pitch + fromX + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyToArray(to, x, y, from->data + fromY * from->pitch + fromX, n, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
    if (from == nullptr || fromX + width > from->pitch || fromY + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DToArray(to, x, y, from->data + fromY * from->pitch + fromX, from->pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind,
                                     cudaStream_t s) {
    if (to == nullptr || x + width > to->pitch || y + height > to->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, cudaMemcpyDefault, s);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind,
                                       cudaStream_t s) {
    if (from == nullptr || x + width > from->pitch || y + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, cudaMemcpyDefault, s);
}
