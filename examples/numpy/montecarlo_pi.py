"""Pi by points in a square."""
import sys
import numpy as np


def run(size=10000, steps=5):
    rng = np.random.default_rng(7)
    total = 0.0
    for _ in range(steps):
        x, y = rng.random(size), rng.random(size)
        total += np.sum(np.square(x) + np.square(y) <= 1.0) * 4.0 / size
    return total / steps


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])))
