"""Times kernel launches from cuda.core, in the way that launch.cu describes.

    python3 launch_cuda_core.py
"""

import statistics
import time

import cuda.core
import numpy

try:
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch as start_kernel
except ImportError:  # before its version 1.0
    from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch as start_kernel

BATCH = 500

device = Device()
device.set_current()
stream = device.default_stream
code = 'extern "C" __global__ void empty(float a, const float *x, float *y) {}'
arch = "sm_%d%d" % tuple(device.compute_capability)
empty = Program(code, "c++", ProgramOptions(arch=arch)).compile("cubin").get_kernel("empty")
memory = device.allocate(4096, stream=stream)
config = LaunchConfig(grid=1, block=128)
two = numpy.float32(2)


def launch():
    start_kernel(stream, config, empty, two, memory, memory)


def launch_and_sync():
    start_kernel(stream, config, empty, two, memory, memory)
    stream.sync()


def median_ns(one, batches):
    times = []
    for _ in range(batches):
        device.sync()
        start = time.perf_counter_ns()
        for _ in range(BATCH):
            one()
        times.append((time.perf_counter_ns() - start) / BATCH)
    return statistics.median(times)


median_ns(launch, 20)  # warm-up
print(
    f"cuda.core {cuda.core.__version__}      {median_ns(launch, 400):7.0f} ns/launch"
    f"  {median_ns(launch_and_sync, 100):7.0f} ns/launch+sync"
)
