from inputs import uniform

SIZE, STEPS = 4096, 1 << 14


def prepare(lib, n):
    return (uniform(lib.xp, n * STEPS, 0).reshape(n, STEPS),)


def run(lib, u):
    f = lib.xp.float32
    return (lib.xp.cumsum(lib.xp.where(u < f(0.5), f(-1), f(1)), 1).max(1),)
