"""Conway's game of life."""
import sys
import numpy as np


def run(size=60, steps=20):
    state = np.ones((size + 2, size + 2), dtype=np.int64)
    state[2:-2, 2:-2] = np.random.default_rng(7).integers(0, 2, (size - 2, size - 2))
    cells = state[1:-1, 1:-1]
    for _ in range(steps):
        neighbours = (state[:-2, :-2] + state[:-2, 1:-1] + state[:-2, 2:] + state[1:-1, :-2]
                      + state[1:-1, 2:] + state[2:, :-2] + state[2:, 1:-1] + state[2:, 2:])
        live = neighbours * cells
        stay = (live == 2) | (live == 3)
        born = (cells == 0) & (neighbours == 3)
        cells[:] = stay | born
    return state


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).sum())
