// Copies to shared memory that go on beside the thread. Here they are done at once.
#pragma once
#include "../async.h"

GW_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    gwsim::copyPart(static_cast<char *>(to), static_cast<const char *>(from), size - zeros, 0, 1);
    for (size_t i = size - zeros; i < size; i++)
        static_cast<char *>(to)[i] = 0;
}
GW_DEVICE void __pipeline_commit() {}
GW_DEVICE void __pipeline_wait_prior(size_t) {}
