"""Heat in a plate with cold and warm edges, until it settles."""
import sys
import numpy as np


def run(size=40, steps=60, epsilon=0.5):
    grid = np.zeros((size + 2, size + 2))
    grid[:, 0] = grid[:, -1] = -273.15
    grid[0] = 40.0
    grid[-1] = -273.15
    center, north, south = grid[1:-1, 1:-1], grid[:-2, 1:-1], grid[2:, 1:-1]
    east, west = grid[1:-1, :-2], grid[1:-1, 2:]
    for _ in range(steps):
        work = 0.2 * (center + north + east + west + south)
        delta = np.sum(np.abs(work - center))
        center[:] = work
        if delta < epsilon:
            break
    return grid


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).mean())
