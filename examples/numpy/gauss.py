"""The elimination of Gauss, without pivots."""
import sys
import numpy as np


def run(size=24):
    a = np.random.default_rng(7).random((size, size)) + size * np.eye(size)
    for c in range(1, size):
        a[c:, c - 1:] -= (a[c:, c - 1:c] / a[c - 1, c - 1]) * a[c - 1, c - 1:]
    a /= np.diagonal(a)[:, None]
    return a


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).sum())
