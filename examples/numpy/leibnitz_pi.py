"""Pi by the series of Leibniz, in parts."""
import sys
import numpy as np


def run(size=10000, parts=10):
    total = 0.0
    for part in range(parts):
        n = np.arange(part * size, (part + 1) * size)
        odd = 2.0 * n + 1
        total += np.sum(np.where(n % 2 == 0, 1.0 / odd, -1.0 / odd))
    return 4.0 * total


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])))
