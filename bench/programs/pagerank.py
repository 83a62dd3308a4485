from inputs import integers

SIZE, LINKS, STEPS = 1 << 20, 8, 50


def prepare(lib, n):
    xp = lib.xp
    if lib.sparse is None:
        return ()
    columns = integers(xp, n * LINKS, 0, n)
    starts = xp.arange(n + 1, dtype=xp.int32) * LINKS
    return (lib.sparse.csr_matrix((xp.full(n * LINKS, 1 / LINKS, xp.float32), columns, starts), shape=(n, n)),)


def run(lib, links):
    f = lib.xp.float32
    rank = lib.xp.ones(links.shape[0], f)
    for _ in range(STEPS):
        rank = f(0.85) * (links @ rank) + f(0.15)
    return (rank,)


run_jax = None  # its sparse matrices are experimental
