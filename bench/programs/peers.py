"""Measures the programs of this directory in NumPy, CuPy or JAX: a line for each with its name, the median wall time in ms, and the sum of
its results.

    python3 peers.py numpy|cupy|jax [WHAT SIZES ARE DIVIDED BY [NAMES [PAUSE IN SECONDS]]]

If there is a pause between two runs, it adds up the results before it, collects garbage, and computes something small after it, as main.go does.

A module has the size, prepare(lib, n), which returns the inputs, and run(lib, *inputs), which returns the results as a tuple; under
JAX, where there is run_jax, that instead, compiled as a whole.
"""

import gc
import importlib
import statistics
import sys
import time
import types

NAMES = "blackscholes softmax heat kmeans nbody conjugategradient convolution bincount unique groupsums mask logistic "
NAMES = (NAMES + "layernorm attention gelu stencil3d segments sortbykey topk walks pagerank nearest filter2d quantiles training").split()


def library(name):
    """Returns what programs use of a library, a function that waits for it, and one that gives a program its final form."""
    if name == "numpy":
        import numpy as xp
        import scipy.sparse as sparse
        from scipy.special import erfc

        return types.SimpleNamespace(xp=xp, erfc=erfc, sparse=sparse, name=name), lambda r: None
    if name == "cupy":
        import cupy as xp
        import cupyx.scipy.sparse as sparse
        from cupyx.scipy.special import erfc

        return types.SimpleNamespace(xp=xp, erfc=erfc, sparse=sparse, name=name), lambda r: xp.cuda.Device().synchronize()
    import jax
    import jax.numpy as xp
    from jax.scipy.special import erfc

    return types.SimpleNamespace(xp=xp, erfc=erfc, sparse=None, name=name, jax=jax), jax.block_until_ready


def total(lib, results):
    import numpy

    return sum(float(numpy.asarray(r.get() if lib.name == "cupy" else r).astype(numpy.float64).sum()) for r in results)


def measure(module, lib, wait, divide, pause):
    n = module.SIZE // divide
    if lib.name == "jax":
        import numpy

        inputs = [lib.xp.asarray(a) for a in module.prepare(types.SimpleNamespace(xp=numpy, sparse=None), n)]
        form = getattr(module, "run_jax", module.run)
        if form is None:
            return
        run = lib.jax.jit(lambda *a: form(lib, *a))
    else:
        inputs = module.prepare(lib, n)
        run = lambda *a: module.run(lib, *a)
    times, begun, awake = [], 0, lib.xp.ones(1, lib.xp.float32)
    for i in range(2002):
        if i == 2:  # the first compile
            begun = time.perf_counter()
        if i >= 7 and time.perf_counter() - begun > 0.5:
            break
        if pause > 0:
            for _ in range(10):
                wait(-awake)
        wait(None) if lib.name != "jax" else None
        start = time.perf_counter()
        results = run(*inputs)
        wait(results)
        times.append(time.perf_counter() - start)
        if pause > 0:
            total(lib, results)
            gc.collect()
            time.sleep(pause)
    print(module.__name__, statistics.median(times[2:]) * 1e3, total(lib, results), flush=True)


def main():
    lib, wait = library(sys.argv[1])
    divide = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    only = sys.argv[3].split(",") if len(sys.argv) > 3 and sys.argv[3] else NAMES
    pause = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    for name in NAMES:
        if name not in only:
            continue
        try:
            measure(importlib.import_module(name), lib, wait, divide, pause)
        except Exception as error:  # a library may lack a function, or the memory
            print(name, type(error).__name__, str(error)[:80].replace("\n", " "), flush=True)


main()
