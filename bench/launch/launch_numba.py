"""Times kernel launches from Numba, in the way that launch.cu describes.

    python3 launch_numba.py
"""

import numpy
from measure import measure

if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack  # NumPy 2.5 has removed this name, which Numba uses when it is imported

import numba
from numba import cuda


@cuda.jit
def empty(a, x, y):
    pass


memory = cuda.device_array(1024, dtype=numpy.float32)
two = numpy.float32(2)
configured = empty[1, 128]

measure(f"Numba {numba.__version__}", lambda: configured(two, memory, memory), cuda.default_stream().synchronize, batches=60)
