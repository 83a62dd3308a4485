// What runtime_api.h declares; part of program.cpp.

namespace gwrt {

Ask ask;
std::mutex lock;
std::unordered_map<const gwsim::Entry *, size_t> dynamicLimit;
cudaError sticky;
thread_local cudaError last;
thread_local int device;
int deviceCount = 1;

cudaError done(int code) {
    auto e = cudaError(code);
    std::lock_guard<std::mutex> guard(lock);
    // After these a device is of no more use.
    if (e == cudaErrorIllegalAddress || (e >= cudaErrorAssert && e <= cudaErrorLaunchFailure && e != cudaErrorHostMemoryAlreadyRegistered &&
                                         e != cudaErrorHostMemoryNotRegistered))
        sticky = e;
    if (sticky != cudaSuccess)
        e = sticky;
    if (e != cudaSuccess)
        last = e;
    return e;
}

bool hostWrites = false;
cudaError mallocOfDevice(void *at, size_t n) { return call(Malloc, number(at), n, OfDevice, hostWrites); }
std::unordered_map<const gwsim::Entry *, const gwsim::Entry *> kernelOfEntry;

const gwsim::Entry *inClusters(const gwsim::Entry *kernel, const uint32_t (&shape)[3]) {
    static std::vector<std::unique_ptr<gwsim::Entry>> all;
    std::lock_guard<std::mutex> guard(lock);
    for (auto &e : all)
        if (kernelOfEntry[e.get()] == kernel && std::equal(shape, shape + 3, e->cluster))
            return e.get();
    all.push_back(std::make_unique<gwsim::Entry>(*kernel));
    std::copy(shape, shape + 3, all.back()->cluster);
    kernelOfEntry[all.back().get()] = kernel;
    return all.back().get();
}

cudaError startNow(const gwsim::Entry *entry, const char *name, const char *args, dim3 grid, dim3 block, size_t shared, bool cooperative) {
    size_t most = ordinaryShared;
    {
        std::lock_guard<std::mutex> guard(lock);
        auto kernel = kernelOfEntry.find(entry);
        if (auto raised = dynamicLimit.find(kernel == kernelOfEntry.end() ? entry : kernel->second); raised != dynamicLimit.end())
            most = raised->second;
    }
    const uint32_t dims[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    fflush(stdout); // so that what a kernel prints comes behind it
    cudaError e = call(Launch, number(entry), number(name), number(args), number(dims), shared, most, cooperative);
    // What the kernel has launched runs after it, each with what it launches itself.
    std::vector<gwsim::Nested> list;
    for (gwsim::Nested n; gwsim::nextNested(&n);)
        list.push_back(n);
    for (const gwsim::Nested &n : list) {
        if (e == cudaSuccess)
            e = startNow(n.entry, n.name, n.args, n.grid, n.block, n.shared, false);
        free(n.args);
    }
    return e;
}

cudaError start(const Start &what, const char *args, cudaStream_t stream) {
    if (capturing(stream)) {
        Start kept = what;
        kept.args.assign(args, args + what.entry->argBytes);
        return recordStart(stream, std::move(kept));
    }
    if (cudaError_t e = beforeWork(stream))
        return e;
    return startNow(what.entry, what.name, args, what.grid, what.block, what.shared, what.cooperative);
}

gwsim::Configured describe(const void *function) {
    gwsim::Configured c = {};
    c.want = gwsim::Configured::Describe;
    if (function != nullptr) {
        asm volatile("" : "+r"(function)); // or the compiler looks into the kernel and misses its arguments
        gwsim::launching = &c;
        reinterpret_cast<void (*)()>(const_cast<void *>(function))();
        gwsim::launching = nullptr;
    }
    return c;
}

} // namespace gwrt

const char *cudaGetErrorString(cudaError_t e) {
    switch (e) {
#define GW_CASE(name, number, text) case name: return text;
        GW_ERRORS(GW_CASE)
#undef GW_CASE
    }
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t e) {
    switch (e) {
#define GW_CASE(name, number, text) case name: return #name;
        GW_ERRORS(GW_CASE)
#undef GW_CASE
    }
    return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() { return gwsim::inKernel() ? cudaSuccess : gwrt::last; }

cudaError_t cudaGetLastError() {
    if (gwsim::inKernel())
        return cudaSuccess;
    cudaError_t e = gwrt::last;
    gwrt::last = gwrt::sticky;
    return e;
}

cudaError_t cudaGetDeviceCount(int *n) { return *n = gwrt::deviceCount, cudaSuccess; }
cudaError_t cudaGetDevice(int *d) { return *d = gwrt::device, cudaSuccess; }

cudaError_t cudaSetDevice(int d) {
    if (d < 0 || d >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    gwrt::device = d;
    return gwrt::call(gwrt::SetDevice);
}

cudaError_t cudaDeviceSynchronize() {
    if (gwsim::inKernel())
        gwsim::refuse("cudaDeviceSynchronize in a kernel: since CUDA 12 a kernel cannot wait for those that it launches; what comes after them goes into a "
                      "kernel launched into cudaStreamTailLaunch");
    if (cudaError_t e = gwrt::unsafe())
        return e;
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaSetDoubleForDevice(double *) { return cudaSuccess; }
cudaError_t cudaSetDoubleForHost(double *) { return cudaSuccess; }

namespace gwrt {

unsigned deviceFlags;
cudaFuncCache cacheConfig;
cudaSharedMemConfig bankSize = cudaSharedMemBankSizeFourByte;
size_t limits[] = {1024, 1 << 20, 8 << 20, 0, 2048, 64, 0};

} // namespace gwrt

cudaError_t cudaSetDeviceFlags(unsigned flags) { return gwrt::deviceFlags = flags, cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned *flags) { return *flags = gwrt::deviceFlags, cudaSuccess; }
cudaError_t cudaSetValidDevices(int *, int) { return cudaSuccess; }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    if (size_t(which) >= std::size(gwrt::limits))
        return gwrt::done(cudaErrorUnsupportedLimit);
    return gwrt::limits[which] = value, cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit which) {
    if (size_t(which) >= std::size(gwrt::limits))
        return gwrt::done(cudaErrorUnsupportedLimit);
    return *value = gwrt::limits[which], cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) { return gwrt::cacheConfig = config, cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) { return *config = gwrt::cacheConfig, cudaSuccess; }

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig size) {
    return gwrt::bankSize = size == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : size, cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *size) { return *size = gwrt::bankSize, cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = 0, *greatest = -5, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }

namespace gwrt {

void completeProperties(cudaDeviceProp &p, int device) {
    memcpy(p.uuid.bytes, "gopherwarp sim\0", 15);
    p.uuid.bytes[15] = char(device);
    p.totalConstMem = 64 << 10;
    p.memPitch = 0x7fffffff;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    auto fill = [](auto &field, std::initializer_list<int> values) { std::copy(values.begin(), values.end(), field); };
    p.maxTexture1D = 131072, p.maxTexture1DMipmap = 32768, p.maxTexture1DLinear = 1 << 28;
    fill(p.maxTexture2D, {131072, 65536}), fill(p.maxTexture2DMipmap, {32768, 32768}), fill(p.maxTexture2DLinear, {131072, 65000, 2097120});
    fill(p.maxTexture2DGather, {32768, 32768}), fill(p.maxTexture3D, {16384, 16384, 16384}), fill(p.maxTexture3DAlt, {8192, 8192, 32768});
    p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
    fill(p.maxTexture1DLayered, {32768, 2048}), fill(p.maxTexture2DLayered, {32768, 32768, 2048}), fill(p.maxTextureCubemapLayered, {32768, 2046});
    p.maxSurface1D = 32768;
    fill(p.maxSurface2D, {131072, 65536}), fill(p.maxSurface3D, {16384, 16384, 16384});
    fill(p.maxSurface1DLayered, {32768, 2048}), fill(p.maxSurface2DLayered, {32768, 32768, 2048}), fill(p.maxSurfaceCubemapLayered, {32768, 2046});
    p.deviceOverlap = p.concurrentKernels = p.unifiedAddressing = p.canMapHostMemory = p.managedMemory = p.concurrentManagedAccess = 1;
    p.asyncEngineCount = 1;
    p.pciBusID = device + 1;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = p.canUseHostPointerForRegisteredMem = 1;
    p.computePreemptionSupported = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
    p.clusterLaunch = p.major >= 9;
    p.deviceNumaId = p.hostNumaId = -1;
}

} // namespace gwrt

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
    if (device < 0 || device >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    *p = {};
    uint64_t v[32] = {};
    if (cudaError_t e = gwrt::call(gwrt::Properties, device, gwrt::number(p->name), sizeof p->name, gwrt::number(v)))
        return e;
    const uint64_t *next = v;
    auto take = [&](auto &field) { field = *next++; };
    take(p->totalGlobalMem), take(p->sharedMemPerBlock), take(p->regsPerBlock), take(p->warpSize), take(p->maxThreadsPerBlock);
    for (int &d : p->maxThreadsDim)
        take(d);
    for (int &d : p->maxGridSize)
        take(d);
    take(p->clockRate), take(p->major), take(p->minor), take(p->multiProcessorCount), take(p->memoryClockRate), take(p->memoryBusWidth);
    take(p->l2CacheSize), take(p->maxThreadsPerMultiProcessor), take(p->sharedMemPerMultiprocessor), take(p->regsPerMultiprocessor);
    take(p->cooperativeLaunch), take(p->sharedMemPerBlockOptin), take(p->maxBlocksPerMultiProcessor), take(p->reservedSharedMemPerBlock);
    gwrt::completeProperties(*p, device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, device))
        return e;
    switch (attribute) {
#define GW_CASE(name, number, text) case cudaDevAttr##name: return *value = text, cudaSuccess;
        GW_ATTRIBUTES(GW_CASE)
#undef GW_CASE
    }
    return gwrt::done(cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return *device = 0, cudaSuccess; }

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device) {
    if (device < 0 || device >= gwrt::deviceCount || snprintf(id, n, "0000:%02X:00.0", device + 1) >= n)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    unsigned domain, bus;
    if (sscanf(id, "%x:%x", &domain, &bus) != 2 || bus < 1 || bus > unsigned(gwrt::deviceCount))
        return gwrt::done(cudaErrorInvalidDevice);
    return *device = bus - 1, cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b) { return *can = a != b, cudaSuccess; }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return gwrt::done(cudaSuccess); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return gwrt::done(cudaSuccess); }

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int a, int b) {
    if (a < 0 || a >= gwrt::deviceCount || b < 0 || b >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    if (a == b)
        return gwrt::done(cudaErrorInvalidValue);
    return *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1, cudaSuccess;
}

namespace gwrt {

cudaError describeStart(Start &out, const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative) {
    gwsim::Configured c = describe(f);
    if (c.entry == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    out = {f, c.entry, c.name, c.at, c.parameters, std::vector<char>(c.entry->argBytes + 1), grid, block, shared, cooperative, {}};
    if (args != nullptr)
        c.pack(out.args.data(), args);
    return cudaSuccess;
}

cudaError launchDescribed(const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative, cudaStream_t stream) {
    Start what;
    if (cudaError e = describeStart(what, f, grid, block, args, shared, cooperative))
        return e;
    return start(what, what.args.data(), stream);
}

std::map<int, std::array<char, 64>> &attributesOf(cudaStream_t s) {
    static std::map<int, std::array<char, 64>> ofLegacy;
    cudaStream_t state = stateOf(s);
    return state == nullptr ? ofLegacy : state->attributes;
}

} // namespace gwrt

cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id, const cudaStreamAttrValue *value) {
    return memcpy(gwrt::attributesOf(s)[id].data(), value, sizeof *value), gwrt::done(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *value) {
    auto &all = gwrt::attributesOf(s);
    memset(value, 0, sizeof *value);
    if (auto it = all.find(id); it != all.end())
        memcpy(value, it->second.data(), sizeof *value);
    return gwrt::done(cudaSuccess);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    const auto all = gwrt::attributesOf(from);
    return gwrt::attributesOf(to) = all, gwrt::done(cudaSuccess);
}

namespace gwrt {

cudaError takeAttributes(Start &start, const cudaLaunchAttribute *attributes, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        const cudaLaunchAttributeValue &v = attributes[i].val;
        memcpy(start.attributes[attributes[i].id].data(), &v, sizeof v);
        if (attributes[i].id == cudaLaunchAttributeCooperative)
            start.cooperative = v.cooperative != 0;
        if (attributes[i].id != cudaLaunchAttributeClusterDimension)
            continue;
        const uint32_t shape[] = {v.clusterDim.x, v.clusterDim.y, v.clusterDim.z};
        const uint32_t *own = start.entry->cluster;
        // A kernel with __cluster_dims__ has that shape only.
        if (shape[0] == 0 || shape[1] == 0 || shape[2] == 0 || (own[0] != 0 && !std::equal(shape, shape + 3, own)))
            return done(cudaErrorInvalidValue);
        if (own[0] == 0)
            start.entry = inClusters(start.entry, shape);
    }
    return cudaSuccess;
}

cudaError takeAttributes(Start &start, const Start &of) {
    const auto attributes = of.attributes; // both may be the same launch
    for (auto &[id, value] : attributes) {
        cudaLaunchAttribute a = {cudaLaunchAttributeID(id), {}};
        memcpy(&a.val, value.data(), sizeof a.val);
        if (cudaError e = takeAttributes(start, &a, 1))
            return e;
    }
    return cudaSuccess;
}

} // namespace gwrt

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args) {
    if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr))
        return gwrt::done(cudaErrorInvalidValue);
    gwrt::Start what;
    if (cudaError e = gwrt::describeStart(what, f, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, false))
        return e;
    if (cudaError e = gwrt::takeAttributes(what, config->attrs, config->numAttrs))
        return e;
    return gwrt::start(what, what.args.data(), config->stream);
}
