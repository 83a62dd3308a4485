from inputs import uniform

SIZE = 1 << 24


def prepare(lib, n):
    return uniform(lib.xp, n, 0), uniform(lib.xp, n, 1)


def run(lib, a, b):
    fft = lib.xp.fft
    return (fft.irfft(fft.rfft(a) * fft.rfft(b), len(a)),)
