"""Writes gradients.json: values and gradients of programs by JAX in float64, which TestGradJAX compares with those of nd.Grad.

    python3 gpu/nd/testdata/gradients.py > gpu/nd/testdata/gradients.json

Made with JAX 0.10.2. The programs of grad_jax_test.go have the same names.
"""
import json

import jax
import jax.numpy as np
from jax.scipy.special import erf

jax.config.update("jax_enable_x64", True)


def wave(k, *shape):
    n = 1
    for s in shape:
        n *= s
    return np.sin(0.37 * np.arange(n) + k).reshape(shape)


def logsumexp(x):
    m = x.max(-1, keepdims=True)
    return np.log(np.exp(x - m).sum(-1)) + m[..., 0]


def network(w1, b1, w2, b2):
    scores = np.tanh(wave(1, 4, 3) @ w1 + b1) @ w2 + b2
    labels = np.array([0, 1, 1, 0])
    return (logsumexp(scores) - scores[np.arange(4), labels]).mean()


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(6.0)
    e = np.exp(scores - scores.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True) @ v * wave(2, 4, 6)).sum()


def layer_norm(x, gamma, beta):
    mean = x.mean(1, keepdims=True)
    var = ((x - mean) ** 2).mean(1, keepdims=True)
    return ((x - mean) / np.sqrt(var + 1e-5) * gamma + beta).ravel() @ wave(3, 20)


def black_scholes(s, k, t, sigma):
    d1 = (np.log(s / k) + (0.02 + sigma**2 / 2) * t) / (sigma * np.sqrt(t))
    d2 = d1 - sigma * np.sqrt(t)
    normal = lambda x: 0.5 * (1 + erf(x / np.sqrt(2.0)))
    return (s * normal(d1) - k * np.exp(-0.02 * t) * normal(d2)).sum()


def logistic(w):
    z = wave(1, 8, 3) @ w
    y = (wave(5, 8) > 0).astype(float)
    return (np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0) - z * y).mean() + 0.1 * (w * w).sum()


def energy(x):
    d = x[:, None, :] - x[None, :, :]
    return -(1 / np.sqrt((d * d).sum(-1) + 0.01)).sum() / 2


def heat(u):
    for _ in range(5):
        p = np.pad(u, 1)
        u = u + 0.2 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u)
    return (u * u).sum()


def convolution(x, w):
    return sum(x[i : i + 8] * w[i] for i in range(3)).prod()


def embedding(table):
    rows = np.take(table, np.array([3, 0, 3, 1]), axis=0)
    return (rows * wave(2, 4, 3)).sum() ** 2


def recurrent(w, u, h):
    for i in range(4):
        h = np.tanh(h @ w + wave(i, 3) @ u)
    return (h * wave(9, 4)).sum()


def mixture(means, logs):
    x = wave(4, 10)
    z = (x[:, None] - means) / np.exp(logs)
    return -logsumexp(-0.5 * z * z - logs).sum()


def huber(x):
    r = x - wave(7, 12)
    small = np.abs(r) < 0.8
    return np.where(small, 0.5 * r * r, 0.8 * (np.abs(r) - 0.4)).sum() + np.clip(x, -0.5, 0.5).prod()


def batches(a, b):
    return (np.einsum("bij,bjk->bik", a, b) ** 2).mean()


def nearest(x, centres):
    return ((x[:, None, :] - centres[None]) ** 2).sum(-1).min(1).sum()


def walk(x):
    path = np.cumsum(x)
    return path.max() - path.min() + path.std()


def rotations(x):
    c, s = np.cos(x), np.sin(x)
    r = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    m = r[0]
    for i in range(1, 4):
        m = m @ r[i] * 1.1
    return (m * wave(1, 2, 2)).sum()


PROGRAMS = {
    network: [wave(0, 3, 5), wave(1, 5), wave(2, 5, 2), wave(3, 2)],
    attention: [wave(0, 4, 6), wave(1, 4, 6), wave(2, 4, 6)],
    layer_norm: [wave(0, 4, 5), wave(1, 5), wave(2, 5)],
    black_scholes: [2 + wave(0, 6), 2 + wave(1, 6), 2 + wave(2, 6), 1.5 + wave(3, 6)],
    logistic: [wave(0, 3)],
    energy: [wave(0, 5, 3)],
    heat: [wave(0, 6, 6)],
    convolution: [wave(0, 10), wave(1, 3)],
    embedding: [wave(0, 5, 3)],
    recurrent: [wave(0, 4, 4), wave(1, 3, 4), wave(2, 4)],
    mixture: [wave(0, 3), wave(1, 3)],
    huber: [wave(0, 12)],
    batches: [wave(0, 2, 3, 4), wave(1, 2, 4, 2)],
    nearest: [wave(0, 7, 2), wave(1, 3, 2)],
    walk: [wave(0, 20)],
    rotations: [wave(0, 4)],
}

out = {}
for f, params in PROGRAMS.items():
    value, gradients = jax.value_and_grad(f, argnums=tuple(range(len(params))))(*params)
    out[f.__name__] = {
        "params": [{"shape": list(p.shape), "data": p.ravel().tolist()} for p in params],
        "value": float(value),
        "gradients": [g.ravel().tolist() for g in gradients],
    }
print(json.dumps(out, indent=None, separators=(",", ":")))
