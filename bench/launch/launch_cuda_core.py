"""Times kernel launches from cuda.core, in the way that launch.cu describes.

    python3 launch_cuda_core.py
"""

import cuda.core
import numpy
from measure import measure

try:
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
except ImportError:  # before version 1.0
    from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

device = Device()
device.set_current()
stream = device.default_stream
code = 'extern "C" __global__ void empty(float a, const float *x, float *y) {}'
arch = "sm_%d%d" % tuple(device.compute_capability)
empty = Program(code, "c++", ProgramOptions(arch=arch)).compile("cubin").get_kernel("empty")
memory = device.allocate(4096, stream=stream)
config = LaunchConfig(grid=1, block=128)
two = numpy.float32(2)

measure(f"cuda.core {cuda.core.__version__}", lambda: launch(stream, config, empty, two, memory, memory), stream.sync)
