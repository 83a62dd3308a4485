"""Times kernel launches from Numba, in the way that launch.cu describes.

    python3 launch_numba.py
"""

import statistics
import time

import numba
import numpy
from numba import cuda

BATCH = 500


@cuda.jit
def empty(a, x, y):
    pass


memory = cuda.device_array(1024, dtype=numpy.float32)
two = numpy.float32(2)
stream = cuda.default_stream()
configured = empty[1, 128]


def launch():
    configured(two, memory, memory)


def launch_and_sync():
    configured(two, memory, memory)
    stream.synchronize()


def median_ns(one, batches):
    times = []
    for _ in range(batches):
        cuda.synchronize()
        start = time.perf_counter_ns()
        for _ in range(BATCH):
            one()
        times.append((time.perf_counter_ns() - start) / BATCH)
    return statistics.median(times)


median_ns(launch, 5)  # warm-up
print(
    f"Numba {numba.__version__}         {median_ns(launch, 60):7.0f} ns/launch"
    f"  {median_ns(launch_and_sync, 20):7.0f} ns/launch+sync"
)
