from inputs import integers

SIZE = 1 << 26


def prepare(lib, n):
    return (integers(lib.xp, n, 0, 1000),)


def run(lib, x):
    return (lib.xp.unique(x),)


run_jax = None  # the number of results must be known
