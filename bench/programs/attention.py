from inputs import uniform

SIZE, HEAD = 8192, 64


def prepare(lib, n):
    return tuple(uniform(lib.xp, n * HEAD, k).reshape(n, HEAD) for k in range(3))


def run(lib, q, k, v):
    scores = q @ k.T * lib.xp.float32(1 / 8)
    e = lib.xp.exp(scores - scores.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True) @ v,)
