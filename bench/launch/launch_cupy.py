"""Times kernel launches from CuPy's RawKernel, in the way that launch.cu describes.

    python3 launch_cupy.py
"""

import cupy
from measure import measure

empty = cupy.RawKernel(
    'extern "C" __global__ void empty(float a, const float *x, float *y) {}', "empty"
)
memory = cupy.zeros(1024, dtype=cupy.float32)
args = (cupy.float32(2), memory, memory)

measure(f"CuPy {cupy.__version__}", lambda: empty((1,), (128,), args), cupy.cuda.get_current_stream().synchronize)
