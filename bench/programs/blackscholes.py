from inputs import uniform

SIZE = 1 << 26


def prepare(lib, n):
    xp = lib.xp
    f = xp.float32
    return (
        uniform(xp, n, 0) * f(90) + f(10),
        uniform(xp, n, 1) * f(90) + f(10),
        uniform(xp, n, 2) * f(1.9) + f(0.1),
    )


def run(lib, price, strike, years):
    xp = lib.xp
    rate, volatility = 0.05, 0.2

    def below(x):
        return 0.5 * lib.erfc(-0.70710678 * x)

    spread = volatility * xp.sqrt(years)
    d1 = (xp.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    d2 = d1 - spread
    owed = strike * xp.exp(-rate * years)
    call = price * below(d1) - owed * below(d2)
    return call, call - price + owed
