"""Inputs of the programs, which depend on the index alone, so that all libraries have the same."""


def scrambled(xp, n, k):
    x = (xp.arange(n, dtype=xp.uint64) + xp.uint64(k * 977 + 1)) * xp.uint64(2654435761) & xp.uint64(2**32 - 1)
    x = (x ^ x >> xp.uint64(15)) * xp.uint64(2246822519) & xp.uint64(2**32 - 1)
    return x ^ x >> xp.uint64(13)


def uniform(xp, n, k):
    return scrambled(xp, n, k).astype(xp.float32) * xp.float32(2**-32)


def integers(xp, n, k, limit):
    return (scrambled(xp, n, k) % xp.uint64(limit)).astype(xp.int32)
