"""The factors L and U of a matrix."""
import sys
import numpy as np


def run(size=24):
    u = np.random.default_rng(7).random((size, size)) + size * np.identity(size)
    l = np.identity(size)
    for c in range(1, size):
        l[c:, c - 1] = u[c:, c - 1] / u[c - 1, c - 1:c]
        u[c:, c - 1:] = u[c:, c - 1:] - l[c:, c - 1][:, None] * u[c - 1, c - 1:]
    return np.stack([l, u])


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).sum())
