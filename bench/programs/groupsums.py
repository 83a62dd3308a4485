from inputs import integers, uniform

SIZE = 1 << 26


def prepare(lib, n):
    return integers(lib.xp, n, 0, 1000), uniform(lib.xp, n, 1)


def run(lib, groups, x):
    return (lib.xp.bincount(groups, x, 1000) ** 2,)


def run_jax(lib, groups, x):
    return (lib.xp.bincount(groups, x, length=1000) ** 2,)
