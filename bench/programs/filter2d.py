import math

import numpy
from inputs import uniform

SIZE, SIDE = 1 << 26, 5
WEIGHTS = uniform(numpy, SIDE * SIDE, 1)


def prepare(lib, n):
    side = math.isqrt(n)
    return (uniform(lib.xp, side * side, 0).reshape(side, side),)


def run(lib, x):
    out = len(x) - SIDE + 1
    return (sum(x[i : i + out, j : j + out] * WEIGHTS[i * SIDE + j] for i in range(SIDE) for j in range(SIDE)),)
