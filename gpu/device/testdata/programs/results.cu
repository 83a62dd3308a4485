// Names, numbers and texts of the driver's results, as programs list them that turn numbers into text themselves.
// Flags: -lcuda
#include <cuda.h>
#include <cstdio>

const struct {
    CUresult result;
    const char *name;
} known[] = {
#define KNOWN(name) {name, #name}
    KNOWN(CUDA_ERROR_PROFILER_DISABLED),
    KNOWN(CUDA_ERROR_PROFILER_NOT_INITIALIZED),
    KNOWN(CUDA_ERROR_CONTEXT_ALREADY_CURRENT),
    KNOWN(CUDA_ERROR_MAP_FAILED),
    KNOWN(CUDA_ERROR_ECC_UNCORRECTABLE),
    KNOWN(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED),
    KNOWN(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE),
    KNOWN(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    KNOWN(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    KNOWN(CUDA_ERROR_TIMEOUT),
};

int main() {
    int sum = 0, wrong = 0;
    for (auto &k : known) {
        const char *name = "", *text = nullptr;
        wrong += cuGetErrorName(k.result, &name) != CUDA_SUCCESS || cuGetErrorString(k.result, &text) != CUDA_SUCCESS;
        for (const char *a = name, *b = k.name; *a || *b; a++, b++)
            if (*a != *b) {
                wrong++;
                break;
            }
        wrong += text == nullptr || *text == 0;
        sum += k.result;
    }
    printf("%d wrong, sum %d\n", wrong, sum);
    const char *text;
    cuGetErrorString(CUDA_ERROR_ECC_UNCORRECTABLE, &text);
    printf("%s\n", text);
}

// Output:
// 0 wrong, sum 4156
// uncorrectable ECC error encountered
