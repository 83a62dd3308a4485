// What texture_api.h declares; part of program.cpp.

namespace gwrt {

gwsim::Level levelOf(const cudaArray &a) {
    return {a.data, {(long long)a.width, (long long)a.rows(), (long long)a.planes()}, a.pitch, a.slice()};
}

gwsim::Level levelOf(void *data, size_t width, size_t height, size_t pitch) {
    return {static_cast<char *>(data), {(long long)width, (long long)height, 1}, pitch, pitch * height};
}

cudaError takeSource(Source &out, const cudaResourceDesc &what) {
    const auto &res = what.res;
    switch (what.resType) {
    case cudaResourceTypeArray:
        if (res.array.array == nullptr)
            return cudaErrorInvalidResourceHandle;
        out = {{levelOf(*res.array.array)}, res.array.array->format, res.array.array->flags};
        return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        if (res.mipmap.mipmap == nullptr)
            return cudaErrorInvalidResourceHandle;
        out = {{}, res.mipmap.mipmap->levels[0].format, res.mipmap.mipmap->levels[0].flags};
        for (const cudaArray &a : res.mipmap.mipmap->levels)
            out.levels.push_back(levelOf(a));
        return cudaSuccess;
    case cudaResourceTypeLinear: {
        const size_t n = res.linear.sizeInBytes / std::max(elementBytes(res.linear.desc), size_t(1));
        out = {{levelOf(res.linear.devPtr, n, 1, 0)}, res.linear.desc, 0};
        return res.linear.devPtr != nullptr ? cudaSuccess : cudaErrorInvalidValue;
    }
    case cudaResourceTypePitch2D:
        out = {{levelOf(res.pitch2D.devPtr, res.pitch2D.width, res.pitch2D.height, res.pitch2D.pitchInBytes)}, res.pitch2D.desc, 0};
        return res.pitch2D.devPtr != nullptr && res.pitch2D.width * elementBytes(res.pitch2D.desc) <= res.pitch2D.pitchInBytes ? cudaSuccess : cudaErrorInvalidValue;
    }
    return cudaErrorInvalidValue;
}

cudaChannelFormatDesc formatOf(cudaResourceViewFormat view) {
    constexpr struct {
        int bits;
        cudaChannelFormatKind kind;
    } kinds[] = {{8, cudaChannelFormatKindUnsigned}, {8, cudaChannelFormatKindSigned}, {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
                 {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned}, {16, cudaChannelFormatKindFloat}, {32, cudaChannelFormatKindFloat}};
    const auto &k = kinds[(view - 1) / 3];
    const int n = (view - 1) % 3;
    return {k.bits, n > 0 ? k.bits : 0, n > 1 ? k.bits : 0, n > 1 ? k.bits : 0, k.kind};
}

cudaError applyView(Source &s, const cudaResourceDesc &what, const cudaResourceViewDesc &view) {
    if (what.resType != cudaResourceTypeArray && what.resType != cudaResourceTypeMipmappedArray)
        return cudaErrorInvalidValue;
    if (view.format >= cudaResViewFormatUnsignedBlockCompressed1) {
        fprintf(stderr, "simulator: cudaCreateTextureObject: views of compressed blocks (BC1 to BC7) are not on the simulator\n");
        return cudaErrorNotSupported;
    }
    const cudaArray &a = what.resType == cudaResourceTypeArray ? *what.res.array.array : what.res.mipmap.mipmap->levels[0];
    const bool planes = s.flags & (cudaArrayLayered | cudaArrayCubemap), cube = s.flags & cudaArrayCubemap;
    if (view.width != a.width || view.height != a.height || view.depth != a.depth || view.lastMipmapLevel >= s.levels.size() ||
        view.firstMipmapLevel > view.lastMipmapLevel || view.firstLayer > view.lastLayer || view.lastLayer >= (planes ? a.depth : 1) ||
        (cube && (view.firstLayer % 6 != 0 || view.lastLayer % 6 != 5)))
        return cudaErrorInvalidValue;
    if (view.format != cudaResViewFormatNone) {
        if (elementBytes(formatOf(view.format)) != elementBytes(s.format))
            return cudaErrorInvalidValue;
        s.format = formatOf(view.format);
    }
    s.levels.erase(s.levels.begin() + view.lastMipmapLevel + 1, s.levels.end());
    s.levels.erase(s.levels.begin(), s.levels.begin() + view.firstMipmapLevel);
    for (gwsim::Level &l : s.levels)
        if (planes)
            l.data += view.firstLayer * l.slice, l.size[2] = view.lastLayer - view.firstLayer + 1;
    return cudaSuccess;
}

cudaError checkSampling(const Source &s, const cudaResourceDesc &what, const cudaTextureDesc &how) {
    const bool floats = s.format.f == cudaChannelFormatKindFloat, values = how.readMode == cudaReadModeNormalizedFloat && s.format.x < 32;
    if (what.resType == cudaResourceTypeLinear) // it is read by index only
        return cudaSuccess;
    // A filter makes numbers between others, which only floats are.
    if ((how.filterMode == cudaFilterModeLinear || (how.mipmapFilterMode == cudaFilterModeLinear && s.levels.size() > 1)) && !floats && !values)
        return cudaErrorInvalidFilterSetting;
    if (what.resType == cudaResourceTypeMipmappedArray && !how.normalizedCoords)
        return cudaErrorInvalidValue;
    if (how.seamlessCubemap && !(s.flags & cudaArrayCubemap))
        return cudaErrorInvalidValue;
    for (cudaTextureAddressMode m : how.addressMode)
        if (unsigned(m) > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

void sampling(gwsim::Texture &t, const Source &s, const cudaTextureDesc &how) {
    using gwsim::Texture;
    const bool layers = s.flags & cudaArrayLayered, cube = s.flags & cudaArrayCubemap;
    t.shape = cube ? (layers ? Texture::Cubes : Texture::Cube) : layers ? Texture::Layers : Texture::Plain;
    t.channels = channels(s.format), t.bits = s.format.x;
    t.kind = s.format.f == cudaChannelFormatKindSigned ? Texture::Signed : s.format.f == cudaChannelFormatKindUnsigned ? Texture::Unsigned : Texture::Floats;
    t.linear = how.filterMode == cudaFilterModeLinear;
    t.values = how.readMode == cudaReadModeNormalizedFloat && t.bits < 32;
    t.srgb = how.sRGB && t.values && t.bits == 8 && t.kind == Texture::Unsigned;
    t.normalized = how.normalizedCoords;
    t.seamless = how.seamlessCubemap;
    for (int i = 0; i < 3; i++) {
        t.address[i] = how.addressMode[i];
        // Without normalised coordinates a GPU takes these two for clamping.
        if (t.seamless || (!t.normalized && (t.address[i] == Texture::Wrap || t.address[i] == Texture::Mirror)))
            t.address[i] = Texture::Clamp;
    }
    t.normalized = t.normalized || cube; // a direction has no length
    memcpy(t.border, how.borderColor, sizeof t.border);
    t.mixesLevels = how.mipmapFilterMode == cudaFilterModeLinear;
    t.bias = how.mipmapLevelBias, t.lowest = how.minMipmapLevelClamp, t.highest = how.maxMipmapLevelClamp;
}

const KeptTexture &keptOf(cudaTextureObject_t object) { return *reinterpret_cast<const KeptTexture *>(object); }

} // namespace gwrt

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *what, const cudaTextureDesc *how, const cudaResourceViewDesc *view) {
    if (object == nullptr || what == nullptr || how == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *object = 0;
    gwrt::Source source;
    cudaError_t e = gwrt::takeSource(source, *what);
    if (e == cudaSuccess && view != nullptr)
        e = gwrt::applyView(source, *what, *view);
    if (e == cudaSuccess && !gwrt::isFormat(source.format))
        e = cudaErrorInvalidChannelDescriptor;
    if (e == cudaSuccess)
        e = gwrt::checkSampling(source, *what, *how);
    if (e != cudaSuccess)
        return gwrt::done(e);
    gwrt::KeptTexture *kept;
    if (cudaError_t e = cudaMallocHost(&kept, sizeof *kept))
        return e;
    *kept = {};
    gwsim::Texture &t = kept->texture;
    static_cast<gwsim::Level &>(t) = source.levels[0];
    t.last = int(source.levels.size()) - 1, t.list = what->resType == cudaResourceTypeLinear, t.more = kept->more;
    std::copy(source.levels.begin() + 1, source.levels.end(), kept->more);
    gwrt::sampling(t, source, *how);
    kept->what = *what, kept->how = *how, kept->hasView = view != nullptr;
    if (view != nullptr)
        kept->view = *view;
    *object = gwrt::number(kept);
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return cudaFree(reinterpret_cast<void *>(object)); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *what, cudaTextureObject_t object) {
    return what == nullptr || object == 0 ? gwrt::done(cudaErrorInvalidValue) : (*what = gwrt::keptOf(object).what, cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how, cudaTextureObject_t object) {
    return how == nullptr || object == 0 ? gwrt::done(cudaErrorInvalidValue) : (*how = gwrt::keptOf(object).how, cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view, cudaTextureObject_t object) {
    if (view == nullptr || object == 0 || !gwrt::keptOf(object).hasView)
        return gwrt::done(cudaErrorInvalidValue);
    return *view = gwrt::keptOf(object).view, cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *what) {
    if (object == nullptr || what == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *object = 0;
    if (what->resType != cudaResourceTypeArray)
        return gwrt::done(cudaErrorInvalidValue);
    cudaTextureDesc plain = {};
    return cudaCreateTextureObject(object, what, &plain, nullptr);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return cudaDestroyTextureObject(object); }
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *what, cudaSurfaceObject_t object) { return cudaGetTextureObjectResourceDesc(what, object); }
