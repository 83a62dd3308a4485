from inputs import uniform

SIZE, COUNT = 1 << 26, 1000


def prepare(lib, n):
    return (uniform(lib.xp, n, 0),)


def run(lib, x):
    n = len(x)
    return (lib.xp.sort(lib.xp.partition(x, n - COUNT)[n - COUNT :])[::-1],)


def run_jax(lib, x):
    return (lib.jax.lax.top_k(x, COUNT)[0],)
