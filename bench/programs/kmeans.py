from inputs import uniform

SIZE, AXES, CENTRES, ROUNDS = 1 << 22, 8, 32, 10


def prepare(lib, n):
    return (uniform(lib.xp, n * AXES, 0).reshape(n, AXES),)


def run(lib, points):
    xp = lib.xp
    centres = points[:CENTRES].copy()
    for _ in range(ROUNDS):
        nearest = ((points[:, None] - centres) ** 2).sum(2).argmin(1)
        counts = xp.maximum(xp.bincount(nearest, minlength=CENTRES), 1)
        for axis in range(AXES):
            centres[:, axis] = xp.bincount(nearest, points[:, axis], CENTRES) / counts
    return (centres,)


def run_jax(lib, points):
    jnp = lib.xp

    def step(_, centres):
        nearest = ((points[:, None] - centres) ** 2).sum(2).argmin(1)
        counts = jnp.maximum(jnp.bincount(nearest, length=CENTRES), 1)
        sums = jnp.zeros_like(centres).at[nearest].add(points)
        return sums / counts[:, None]

    return (lib.jax.lax.fori_loop(0, ROUNDS, step, points[:CENTRES]),)
