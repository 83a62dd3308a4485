"""Times kernel launches from CuPy's RawKernel, in the way that launch.cu describes.

    python3 launch_cupy.py
"""

import statistics
import time

import cupy

BATCH = 500

empty = cupy.RawKernel(
    'extern "C" __global__ void empty(float a, const float *x, float *y) {}', "empty"
)
memory = cupy.zeros(1024, dtype=cupy.float32)
args = (cupy.float32(2), memory, memory)
stream = cupy.cuda.get_current_stream()
device = cupy.cuda.Device()


def launch():
    empty((1,), (128,), args)


def launch_and_sync():
    empty((1,), (128,), args)
    stream.synchronize()


def median_ns(one, batches):
    times = []
    for _ in range(batches):
        device.synchronize()
        start = time.perf_counter_ns()
        for _ in range(BATCH):
            one()
        times.append((time.perf_counter_ns() - start) / BATCH)
    return statistics.median(times)


median_ns(launch, 20)  # warm-up
print(
    f"CuPy {cupy.__version__} RawKernel {median_ns(launch, 400):7.0f} ns/launch"
    f"  {median_ns(launch_and_sync, 100):7.0f} ns/launch+sync"
)
