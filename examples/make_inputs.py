#!/usr/bin/env python3
"""Inputs of the examples, always the same: make_inputs.py KIND FOLDER [SIZE]

  board    board.npy      u8[n, n]      a glider, an r-pentomino and blocks for life.arr
  channel  wall.npy       bool[n, n]    walls above and below and a barrier for channel.arr
  box      density.npy    f64[n, n, n]  a ball with a hole for xray.arr
  ground   ground.npy     f64[n, n]     two spots of opposite sign for magnetic.arr
  roads    road.npy       f32[n, n]     towns on a ring with short cuts for paths.arr
  points   x, start.npy   f32[n, 2]     four heaps of points for clusters.arr
  plate3   t0, c.npy      f32[n, n, n]  a hot corner in two materials for blocks.arr
  sparse   row, column, value, b.npy    Laplace's equation on n x n points for sparse.arr
  text     text.npy       u8[k]         the letters of this file for image.arr
"""

import os
import sys

import numpy as np


def board(n):
    cells = np.zeros((n, n), np.uint8)
    for i, j in ((0, 1), (1, 2), (2, 0), (2, 1), (2, 2)):  # a glider
        cells[i % n, j % n] = 1
    for i, j in ((0, 1), (0, 2), (1, 0), (1, 1), (2, 1)):  # an r-pentomino
        cells[(n // 2 + i) % n, (n // 2 + j) % n] = 1
    cells[n - 4:n - 2, 1:3] = 1
    return {"board": cells}


def channel(n):
    wall = np.zeros((n, n), bool)
    wall[0] = wall[-1] = True
    wall[n // 4:n // 2, n // 4] = True
    return {"wall": wall}


def box(n):
    i, j, k = np.meshgrid(*3 * [(np.arange(n) + 0.5) / n - 0.5], indexing="ij")
    distance = np.sqrt(i * i + j * j + k * k)
    return {"density": np.where((distance < 0.45) & (distance > 0.2), 2.0 / n, 0.0)}


def ground(n):
    i, j = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    spot = lambda a, b: np.exp(-80 * ((i - a) ** 2 + (j - b) ** 2))
    return {"ground": spot(0.4, 0.35) - spot(0.6, 0.65)}


def roads(n):
    road = np.full((n, n), np.inf, np.float32)
    k = np.arange(n)
    road[k, k] = 0
    road[k, (k + 1) % n] = 1 + k % 3
    road[k, (k + 7) % n] = np.minimum(road[k, (k + 7) % n], 5 + k % 4)
    return {"road": road}


def points(n):
    k = np.arange(n)
    angle, far = k * 2.399963, np.sqrt((k % 17) / 17)
    centre = np.array([[0, 0], [4, 1], [1, 5], [6, 6]])[k % 4]
    x = centre + np.stack([far * np.cos(angle), far * np.sin(angle)], 1)
    return {"x": x.astype(np.float32), "start": x[:4].astype(np.float32)}


def plate3(n):
    t0 = np.zeros((n, n, n), np.float32)
    t0[:n // 2, :n // 2, :n // 2] = 100
    c = np.full((n, n, n), 0.15, np.float32)
    c[:, n // 3:, :] = 0.05
    return {"t0": t0, "c": c}


def sparse(n):
    i = np.arange(n * n).reshape(n, n)
    pairs = [(i, i, 4.0), (i[1:], i[:-1], -1.0), (i[:-1], i[1:], -1.0),
             (i[:, 1:], i[:, :-1], -1.0), (i[:, :-1], i[:, 1:], -1.0)]
    rows = np.concatenate([a.ravel() for a, _, _ in pairs])
    columns = np.concatenate([b.ravel() for _, b, _ in pairs])
    values = np.concatenate([np.full(a.size, v) for a, _, v in pairs])
    order = np.lexsort((columns, rows))
    row = np.searchsorted(rows[order], np.arange(n * n + 1))
    b = np.sin(0.1 * np.arange(n * n))
    return {"row": row, "column": columns[order].astype(np.int32), "value": values[order], "b": b}


def text(_):
    with open(__file__, "rb") as file:
        return {"text": np.frombuffer(file.read(), np.uint8)}


def main():
    kinds = {f.__name__: f for f in (board, channel, box, ground, roads, points, plate3, sparse, text)}
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    arrays = kinds[sys.argv[1]](int(sys.argv[3]) if len(sys.argv) > 3 else 32)
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, array in arrays.items():
        np.save(os.path.join(sys.argv[2], name + ".npy"), array)


if __name__ == "__main__":
    main()
