from inputs import uniform

SIZE, STEPS = 1 << 27, 20


def prepare(lib, n):
    side = round(n ** (1 / 3))
    return (uniform(lib.xp, side**3, 0).reshape(side, side, side),)


def inside(lib, u):
    f = lib.xp.float32
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    return f(0.4) * u[1:-1, 1:-1, 1:-1] + f(0.1) * around


def run(lib, u):
    u = u.copy()
    for _ in range(STEPS):
        u[1:-1, 1:-1, 1:-1] = inside(lib, u)
    return (u,)


def run_jax(lib, u):
    return (lib.jax.lax.fori_loop(0, STEPS, lambda _, u: u.at[1:-1, 1:-1, 1:-1].set(inside(lib, u)), u),)
