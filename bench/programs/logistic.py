from inputs import uniform

SIZE, COLUMNS, STEPS = 1 << 20, 64, 50


def prepare(lib, n):
    xp = lib.xp
    x = (uniform(xp, n * COLUMNS, 0) - xp.float32(0.5)).reshape(n, COLUMNS)
    return x, (x[:, 0] + x[:, 1] > 0.1).astype(xp.float32)


def step(xp, x, y, w):
    wrong = 1 / (1 + xp.exp(-(x @ w))) - y
    return w - (2 / len(x)) * (x.T @ wrong)


def run(lib, x, y):
    w = lib.xp.zeros(COLUMNS, lib.xp.float32)
    for _ in range(STEPS):
        w = step(lib.xp, x, y, w)
    return (w,)


def run_jax(lib, x, y):
    return (lib.jax.lax.fori_loop(0, STEPS, lambda _, w: step(lib.xp, x, y, w), lib.xp.zeros(COLUMNS, lib.xp.float32)),)
