"""Measures some of the kernels in Numba: the device time of a launch, and the time of the first compilation.

    python3 kernels_numba.py
"""

import math
import time

import numpy

if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack  # NumPy 2.5 has removed this name, which Numba uses when it is imported

import numba
from numba import cuda, float32

N, SIDE = 1 << 26, 4096


def vector_add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def product(a, b, c, n):
    ta = cuda.shared.array((32, 32), float32)
    tb = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * 32 + ty, cuda.blockIdx.x * 32 + tx
    total = float32(0)
    for m in range(0, n, 32):
        ta[ty, tx] = a[row * n + m + tx]
        tb[ty, tx] = b[(m + ty) * n + col]
        cuda.syncthreads()
        for k in range(32):
            total += ta[ty, k] * tb[k, tx]
        cuda.syncthreads()
    c[row * n + col] = total


@cuda.jit(device=True)
def normal(d):
    k = float32(1) / (float32(1) + float32(0.2316419) * abs(d))
    c = float32(0.39894228) * math.exp(float32(-0.5) * d * d) * (
        k * (float32(0.31938153) + k * (float32(-0.356563782) + k * (float32(1.781477937) + k * (float32(-1.821255978) + k * float32(1.330274429)))))
    )
    return float32(1) - c if d > 0 else c


def black_scholes(price, strike, years, call, put):
    rate, volatility = float32(0.02), float32(0.30)
    i = cuda.grid(1)
    if i >= price.size:
        return
    s, x, t = price[i], strike[i], years[i]
    root = math.sqrt(t)
    d1 = (math.log(s / x) + (rate + float32(0.5) * volatility * volatility) * t) / (volatility * root)
    d2 = d1 - volatility * root
    n1, n2 = normal(d1), normal(d2)
    discount = math.exp(-rate * t)
    call[i] = s * n1 - x * discount * n2
    put[i] = x * discount * (float32(1) - n2) - s * (float32(1) - n1)


def mandelbrot(out, n, limit):
    x, y = cuda.grid(2)
    if x >= n or y >= n:
        return
    cr, ci = float32(x) / float32(n) * float32(3) - float32(2), float32(y) / float32(n) * float32(3) - float32(1.5)
    zr, zi = float32(0), float32(0)
    steps = 0
    while zr * zr + zi * zi < float32(4) and steps < limit:
        zr, zi = zr * zr - zi * zi + cr, float32(2) * zr * zi + ci
        steps += 1
    out[y * n + x] = steps


def measure(name, function, grid, block, args):
    kernel = cuda.jit(function)
    start = time.perf_counter()
    kernel[grid, block](*args)
    cuda.synchronize()
    first = time.perf_counter() - start
    times = []
    for _ in range(30):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        kernel[grid, block](*args)
        end.record()
        end.synchronize()
        times.append(cuda.event_elapsed_time(begin, end))
    print(f"| {name} | {sorted(times)[len(times) // 2] * 1000:.1f} µs | first call {first * 1000:.0f} ms |", flush=True)


print(f"Numba {numba.__version__}")
cuda.jit(lambda: None)[1, 1]()  # the context
x, y, z = (cuda.to_device(numpy.random.rand(N).astype(numpy.float32) + 0.5) for _ in range(3))
out, out2 = cuda.device_array(N, numpy.float32), cuda.device_array(N, numpy.float32)
steps = cuda.device_array(SIDE * SIDE, numpy.int32)
measure("vector add", vector_add, N // 256, 256, (x, y, out))
measure("tiled matrix product", product, (SIDE // 32, SIDE // 32), (32, 32), (x, y, out, SIDE))
measure("Black-Scholes", black_scholes, N // 256, 256, (x, y, z, out, out2))
measure("Mandelbrot", mandelbrot, (SIDE // 32, SIDE // 8), (32, 8), (steps, SIDE, 1000))
