from inputs import integers

SIZE = 1 << 26


def prepare(lib, n):
    return (integers(lib.xp, n, 0, 1000),)


def run(lib, x):
    counts = lib.xp.bincount(x, minlength=1000)
    return (counts * counts,)


def run_jax(lib, x):
    counts = lib.xp.bincount(x, length=1000).astype(lib.xp.float32)  # without integers of 64 bits
    return (counts * counts,)
