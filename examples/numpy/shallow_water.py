"""Waves in shallow water after Lax and Wendroff."""
import sys
import numpy as np

G = 9.80665


def reflect(h, u, v):
    h[:, 0], u[:, 0], v[:, 0] = h[:, 1], u[:, 1], -v[:, 1]
    h[:, -1], u[:, -1], v[:, -1] = h[:, -2], u[:, -2], -v[:, -2]
    h[0], u[0], v[0] = h[1], -u[1], v[1]
    h[-1], u[-1], v[-1] = h[-2], -u[-2], v[-2]


def half(h, u, v, r, axis):
    a, b = ((slice(1, None), slice(1, -1)), (slice(None, -1), slice(1, -1)))
    if axis:
        a, b = a[::-1], b[::-1]
        u, v = v, u
    hm = (h[a] + h[b]) / 2 - r / 2 * (u[a] - u[b])
    um = (u[a] + u[b]) / 2 - r / 2 * ((u[a] ** 2 / h[a] + G / 2 * h[a] ** 2)
                                      - (u[b] ** 2 / h[b] + G / 2 * h[b] ** 2))
    vm = (v[a] + v[b]) / 2 - r / 2 * (u[a] * v[a] / h[a] - u[b] * v[b] / h[b])
    return (hm, vm, um) if axis else (hm, um, vm)


def run(size=24, steps=5, r=0.02):
    h, u, v = np.ones((size + 2, size + 2)), np.zeros((size + 2,) * 2), np.zeros((size + 2,) * 2)
    h[size // 4:size // 2, size // 4:size // 2] += 0.5
    for _ in range(steps):
        reflect(h, u, v)
        hx, ux, vx = half(h, u, v, r, 0)
        hy, uy, vy = half(h, u, v, r, 1)
        e, w, n, s = np.s_[1:, :], np.s_[:-1, :], np.s_[:, 1:], np.s_[:, :-1]
        h[1:-1, 1:-1] -= r * (ux[e] - ux[w]) + r * (vy[n] - vy[s])
        fx, fy = ux * vx / hx, uy * vy / hy
        gx, gy = ux ** 2 / hx + G / 2 * hx ** 2, vy ** 2 / hy + G / 2 * hy ** 2
        u[1:-1, 1:-1] -= r * (gx[e] - gx[w]) + r * (fy[n] - fy[s])
        v[1:-1, 1:-1] -= r * (fx[e] - fx[w]) + r * (gy[n] - gy[s])
    return h


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).sum())
