"""Times CuPy, PyTorch and JAX at what main.go times arrays at, on the current GPU.

    python3 peers.py [LOG2 OF ELEMENTS]

Rates are those of the bytes that an operation reads and writes at least; times are medians of 20 runs.
"""

import statistics
import sys
import time

N = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 28)
ROWS = 1 << 14


def show(library, list_, seconds):
    for name, size, run in list_:
        try:
            print(f"{library:6} {name:24} {size / seconds(run) / 1e12:8.3f} TB/s", flush=True)
        except Exception as error:  # some libraries lack some operations
            print(f"{library:6} {name:24} {type(error).__name__}: {str(error)[:60]}", flush=True)


def small(library, run, sync):
    times = []
    for _ in range(30):
        sync()
        start = time.perf_counter()
        for _ in range(200):
            run()
        times.append((time.perf_counter() - start) / 200)
    print(f"{library:6} {'small add, CPU':24} {statistics.median(times) * 1e6:8.3f} µs", flush=True)


def cupy():
    import cupy as cp

    def seconds(run):
        for _ in range(3):
            run()
        times = []
        for _ in range(20):
            start, end = cp.cuda.Event(), cp.cuda.Event()
            start.record()
            run()
            end.record()
            end.synchronize()
            times.append(cp.cuda.get_elapsed_time(start, end) / 1e3)
        return statistics.median(times)

    a, b = cp.full(N, 1.5, cp.float32), cp.full(N, 2.5, cp.float32)
    m = a.reshape(-1, ROWS)
    fused = cp.fuse(lambda x, y: cp.sqrt(x * x + y * y))
    show("CuPy", [
        ("add", 12 * N, lambda: a + b),
        ("sqrt(a*a+b*b)", 12 * N, lambda: cp.sqrt(a * a + b * b)),
        ("sqrt(a*a+b*b), cp.fuse", 12 * N, lambda: fused(a, b)),
        ("transpose", 8 * N, lambda: cp.ascontiguousarray(m.T)),
        ("sum", 4 * N, lambda: a.sum()),
        ("sum of rows", 4 * N, lambda: m.sum(1)),
        ("sum of columns", 4 * N, lambda: m.sum(0)),
        ("argmax", 4 * N, lambda: a.argmax()),
        ("cumsum", 8 * N, lambda: cp.cumsum(a)),
    ], seconds)
    x = cp.ones(1000, cp.float32)
    small("CuPy", lambda: x + x, cp.cuda.Device().synchronize)
    r = cp.random.randint(-(2**31), 2**31, size=N >> 2, dtype=cp.int32)
    f = cp.random.random(N >> 2, dtype=cp.float32)
    print(f"CuPy   sort int32 {N >> 2}      {(N >> 2) / seconds(lambda: cp.sort(r)) / 1e9:8.3f} G/s")
    print(f"CuPy   sort float32 {N >> 2}    {(N >> 2) / seconds(lambda: cp.sort(f)) / 1e9:8.3f} G/s")
    print(f"CuPy   argsort float32 {N >> 2} {(N >> 2) / seconds(lambda: cp.argsort(f)) / 1e9:8.3f} G/s", flush=True)
    g = cp.random.Generator(cp.random.Philox4x3210(1))
    show("CuPy", [
        ("random float32", 4 * N, lambda: g.random(N, dtype=cp.float32)),
        ("random float64", 8 * N, lambda: g.random(N, dtype=cp.float64)),
        ("normal float32", 4 * N, lambda: g.standard_normal(N, dtype=cp.float32)),
        ("normal float64", 8 * N, lambda: g.standard_normal(N, dtype=cp.float64)),
        ("exponential float32", 4 * N, lambda: g.standard_exponential(N, dtype=cp.float32)),
        ("integers int32", 4 * N, lambda: g.integers(0, 1000, N, dtype=cp.int32)),
    ], seconds)
    cp.get_default_memory_pool().free_all_blocks()


def pytorch():
    import torch

    def seconds(run):
        for _ in range(3):
            run()
        times = []
        for _ in range(20):
            start, end = torch.cuda.Event(True), torch.cuda.Event(True)
            start.record()
            run()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
        return statistics.median(times)

    a, b = torch.full((N,), 1.5, device="cuda"), torch.full((N,), 2.5, device="cuda")
    m = a.reshape(-1, ROWS)
    show("torch", [
        ("add", 12 * N, lambda: a + b),
        ("sqrt(a*a+b*b)", 12 * N, lambda: torch.sqrt(a * a + b * b)),
        ("transpose", 8 * N, lambda: m.T.contiguous()),
        ("sum", 4 * N, lambda: a.sum()),
        ("sum of rows", 4 * N, lambda: m.sum(1)),
        ("sum of columns", 4 * N, lambda: m.sum(0)),
        ("argmax", 4 * N, lambda: a.argmax()),
        ("cumsum", 8 * N, lambda: torch.cumsum(a, 0)),
    ], seconds)
    show("torch", [
        ("random float32", 4 * N, lambda: torch.rand(N, device="cuda")),
        ("normal float32", 4 * N, lambda: torch.randn(N, device="cuda")),
    ], seconds)
    r = torch.randint(-(2**31), 2**31, (N >> 2,), dtype=torch.int32, device="cuda")
    f = torch.rand(N >> 2, device="cuda")
    print(f"torch  sort int32 {N >> 2}      {(N >> 2) / seconds(lambda: torch.sort(r)) / 1e9:8.3f} G/s, with places")
    print(f"torch  sort float32 {N >> 2}    {(N >> 2) / seconds(lambda: torch.sort(f)) / 1e9:8.3f} G/s, with places", flush=True)
    x = torch.ones(1000, device="cuda")
    small("torch", lambda: x + x, torch.cuda.synchronize)
    torch.cuda.empty_cache()


def jax_():
    import os

    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax
    import jax.numpy as jnp

    def seconds(run):  # without events: the time until the result is available
        for _ in range(3):
            run().block_until_ready()
        times = []
        for _ in range(20):
            start = time.perf_counter()
            run().block_until_ready()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    a, b = jnp.full(N, 1.5, jnp.float32), jnp.full(N, 2.5, jnp.float32)
    m = a.reshape(-1, ROWS)
    add = jax.jit(lambda x, y: x + y)
    show("JAX", [
        ("add", 12 * N, lambda: add(a, b)),
        ("sqrt(a*a+b*b)", 12 * N, lambda f=jax.jit(lambda x, y: jnp.sqrt(x * x + y * y)): f(a, b)),
        ("transpose", 8 * N, lambda f=jax.jit(lambda x: x.T.copy()): f(m)),
        ("sum", 4 * N, lambda f=jax.jit(jnp.sum): f(a)),
        ("sum of columns", 4 * N, lambda f=jax.jit(lambda x: x.sum(0)): f(m)),
        ("argmax", 4 * N, lambda f=jax.jit(jnp.argmax): f(a)),
    ], seconds)
    x = jnp.ones(1000, jnp.float32)
    small("JAX", lambda: add(x, x), lambda: add(x, x).block_until_ready())


for library in cupy, pytorch, jax_:
    try:
        library()
    except ImportError as error:
        print(f"{library.__name__}: {error}")
