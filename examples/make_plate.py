#!/usr/bin/env python3
"""Writes an initial temperature plate for heat.arr: a picture-like f32 array.

    make_plate.py OUT.npy [ROWS COLUMNS]

Two warm discs and a hot bar on a cool background with a little noise.
"""
import sys

import numpy as np


def plate(rows: int, columns: int) -> np.ndarray:
    """A plate of `rows` x `columns` temperatures in degrees Celsius."""
    y, x = np.mgrid[0:rows, 0:columns]
    y, x = y / rows, x / columns
    t = 20.0 + np.random.default_rng(7).normal(0.0, 0.5, (rows, columns))
    t[(y - 0.3) ** 2 + (x - 0.3) ** 2 < 0.02] = 80.0
    t[(y - 0.7) ** 2 + (x - 0.6) ** 2 < 0.01] = 60.0
    t[(abs(y - 0.55) < 0.02) & (x > 0.2) & (x < 0.9)] = 100.0
    return t.astype(np.float32)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    rows, columns = map(int, sys.argv[2:4]) if len(sys.argv) == 4 else (480, 640)
    np.save(sys.argv[1], plate(rows, columns))
    print(f"{sys.argv[1]}: f32[{rows}, {columns}]")
