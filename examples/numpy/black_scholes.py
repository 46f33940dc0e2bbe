"""The price of options by the formula of Black and Scholes, day by day."""
import sys
import numpy as np


def cnd(x):
    a1, a2, a3, a4, a5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
    l = np.abs(x)
    k = 1.0 / (1.0 + 0.2316419 * l)
    w = 1.0 - 1.0 / np.sqrt(2 * np.pi) * np.exp(-l * l / 2.0) * (
        a1 * k + a2 * k ** 2 + a3 * k ** 3 + a4 * k ** 4 + a5 * k ** 5)
    return np.where(x < 0, 1.0 - w, w)


def price(s, x, t, r, v):
    d1 = (np.log(s / x) + (r + v * v / 2.0) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    return s * cnd(d1) - x * np.exp(-r * t) * cnd(d2)


def run(size=1000, days=6):
    s = 58.0 + 4.0 * np.random.default_rng(7).random(size)
    return np.array([price(s, 65.0, day / 365.0, 0.08, 0.3).sum() / size
                     for day in range(1, days + 1)])


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])))
