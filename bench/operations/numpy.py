"""The operations in NumPy: prints the name of each and its least time in microseconds."""

import time

import numpy as np

n = 1 << 20
f, g = np.sin(np.arange(n, dtype="f4")), np.cos(np.arange(n, dtype="f4"))
p, d = np.abs(f) + np.float32(0.1), np.sin(np.arange(n, dtype="f8"))
i, j = (f * 1000).astype("i4"), (g * 1000).astype("i4") + 2000
l, u, b = i.astype("i8"), (p * 200).astype("u1"), f > 0
m, index = f.reshape(1024, 1024), (np.abs(f) * 900000).astype("i8")
square = d[: 1 << 18].reshape(512, 512)

operations = {
    "f + g": lambda: f + g,
    "f * f": lambda: f * f,
    "-f": lambda: -f,
    "abs(f)": lambda: np.abs(f),
    "floor(f)": lambda: np.floor(f),
    "f.clip": lambda: f.clip(-0.5, 0.5),
    "((f*3+2)*f+1)*f": lambda: ((f * 3 + 2) * f + 1) * f,
    "f > 0.5": lambda: f > 0.5,
    "f > g": lambda: f > g,
    "isnan(f)": lambda: np.isnan(f),
    "where(b, f, g)": lambda: np.where(b, f, g),
    "b & (f < 0.5)": lambda: b & (f < 0.5),
    "exp(f)": lambda: np.exp(f),
    "log(p)": lambda: np.log(p),
    "log1p(p)": lambda: np.log1p(p),
    "sin(f)": lambda: np.sin(f),
    "cos(f)": lambda: np.cos(f),
    "p ** 3": lambda: p ** np.float32(3),
    "p ** g": lambda: p**g,
    "arctan2(f, g)": lambda: np.arctan2(f, g),
    "hypot(f, g)": lambda: np.hypot(f, g),
    "exp(d)": lambda: np.exp(d),
    "sin(d)": lambda: np.sin(d),
    "tanh(d)": lambda: np.tanh(d),
    "i + j": lambda: i + j,
    "i // j": lambda: i // j,
    "i % 7": lambda: i % 7,
    "i == 3": lambda: i == 3,
    "l * l": lambda: l * l,
    "u + 3": lambda: u + np.uint8(3),
    "f to int32": lambda: f.astype("i4"),
    "f to float64": lambda: f.astype("f8"),
    "d to float32": lambda: d.astype("f4"),
    "i to float32": lambda: i.astype("f4"),
    "l to float32": lambda: l.astype("f4"),
    "u to float32": lambda: u.astype("f4"),
    "f.sum": lambda: f.sum(),
    "d.sum": lambda: d.sum(),
    "i.sum": lambda: i.sum(),
    "count_nonzero(b)": lambda: np.count_nonzero(b),
    "f.max": lambda: f.max(),
    "d.max": lambda: d.max(),
    "i.max": lambda: i.max(),
    "f.argmax": lambda: f.argmax(),
    "(f > 2).any": lambda: (f > 2).any(),
    "f.std": lambda: f.std(),
    "m.sum(0)": lambda: m.sum(0),
    "m.sum(1)": lambda: m.sum(1),
    "m.max(0)": lambda: m.max(0),
    "f.cumsum": lambda: f.cumsum(),
    "sort(f)": lambda: np.sort(f),
    "argsort(f)": lambda: np.argsort(f, kind="stable"),
    "unique(i)": lambda: np.unique(i),
    "bincount(j)": lambda: np.bincount(j),
    "m.T copied": lambda: m.T.copy(),
    "m + m.T": lambda: m + m.T,
    "m + m[0]": lambda: m + m[0],
    "m + m[:, :1]": lambda: m + m[:, :1],
    "f reversed": lambda: f[::-1].copy(),
    "concatenate(f, g)": lambda: np.concatenate((f, g)),
    "f[index]": lambda: f[index],
    "f[b]": lambda: f[b],
    "dot(f, g)": lambda: f @ g,
    "m[:512, :512] @ m[512:, 512:]": lambda: m[:512, :512] @ m[512:, 512:],
    "float64 matrices of 512": lambda: square @ square,
    "outer": lambda: np.outer(f[:1024], g[:1024]),
    "fft(f)": lambda: np.fft.fft(f.astype("c8")),
    "linspace": lambda: np.linspace(0, 1, n),
    "arange": lambda: np.arange(n),
    "zeros": lambda: np.zeros(n, "f4"),
}

for name, run in operations.items():
    least = 1e9
    for _ in range(25):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    print(f"{name}\t{least * 1e6:.1f}")
