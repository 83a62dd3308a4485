// What a simulated device cannot have: each is an error, and the first call that a program comes to says why.
#include <cstdio>

int main() {
    auto say = [](cudaError_t e) { printf("%s\n", cudaGetErrorName(e)); };
    cudaExternalMemory_t memory;
    cudaExternalMemoryHandleDesc what = {};
    what.type = cudaExternalMemoryHandleTypeOpaqueFd, what.handle.fd = 3, what.size = 1 << 20;
    say(cudaImportExternalMemory(&memory, &what));
    void *p;
    cudaExternalMemoryBufferDesc buffer = {};
    say(cudaExternalMemoryGetMappedBuffer(&p, nullptr, &buffer));
    cudaExternalSemaphore_t semaphore;
    cudaExternalSemaphoreHandleDesc other = {};
    say(cudaImportExternalSemaphore(&semaphore, &other));
    cudaExternalSemaphoreSignalParams signal = {};
    say(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, 0));
    cudaGraphicsResource_t image = nullptr;
    say(cudaGraphicsMapResources(1, &image, 0));
    cudaLibrary_t library;
    say(cudaLibraryLoadFromFile(&library, "kernels.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    cudaKernel_t kernel;
    say(cudaLibraryGetKernel(&kernel, nullptr, "k"));
    say(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner));
    cudaMemPool_t pool;
    cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    say(cudaMemGetMemPool(&pool, &host, cudaMemAllocationTypePinned));
    unsigned at;
    char text[8] = "full";
    size_t n = sizeof text;
    say(cudaLogsCurrent(&at, 0));
    say(cudaLogsDumpToMemory(&at, text, &n, 0));
    printf("%zu bytes of a log: \"%s\"\n", n, text);
}

// Devices: sim
// Output:
// cudaErrorNotSupported
// cudaErrorInvalidResourceHandle
// cudaErrorNotSupported
// cudaErrorInvalidResourceHandle
// cudaErrorNotSupported
// cudaErrorNotSupported
// cudaErrorInvalidResourceHandle
// cudaErrorNotSupported
// cudaErrorNotSupported
// cudaSuccess
// cudaSuccess
// 0 bytes of a log: ""
