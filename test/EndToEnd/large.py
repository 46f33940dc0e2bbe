#!/usr/bin/env python3
"""Programs on arrays of 2^28 elements, and with extents above 2^31.

    large.py --arrc bin/arrc [--target cuda] [--power 28] [--only NAME] [--no-giant]

Results are compared with NumPy in float64: whole arrays where that takes seconds,
else rows, bodies and windows drawn at random (their borders included). Sums are
also held against NumPy's pairwise sum of the same data. The giant cases have more
than 2^31 elements of one byte in one dimension.
"""

import argparse
import os
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("large.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import arrt
from comparison import Mismatch

U = 2.0**-24
GIANT = """
export def affine(a: u8[n]) -> u8[n] = a * 3 + 1
export def total(a: u8[n]) -> int = sum(a)
export def largest(a: u8[n]) -> u8 = max(a)
export def turned(a: u8[n]) -> u8[n] = reverse(a)
export def counts(a: u8[n]) -> int[256] = hist((+), 0, 256) for x in a { (x, 1) }
export def columns(a: u8[n, m]) -> int[m] = sum(a, axis = 0)
export def edge(a: u8[n]) -> u8[n] {
  let u = extend(a, clamp)
  stencil i in n { u[i-1] + u[i+1] }
}
"""
FOLDS = """
export def total(a: f32[n]) -> f32 = sum(a)
export def prefix(a: f32[n]) -> f32[n] = scan((+), a)
export def axes(a: f32[n, m, k]) -> (x: f32[m, k], y: f32[n, k], z: f32[n, m]) =
  (sum(a, axis = 0), sum(a, axis = 1), sum(a, axis = 2))
export def turned(a: f32[n, m]) -> f32[m, n] = transpose(a)
"""


def expect(name, got, want, bound):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        raise Mismatch(f"{name} is {list(got.shape)}, expected {list(want.shape)}")
    step = 1 << 26
    bound = np.broadcast_to(bound, want.shape).reshape(-1)
    got, want = got.reshape(-1), want.reshape(-1)
    for k in range(0, max(want.size, 1), step):
        off = np.abs(got[k:k + step].astype(np.float64) - want[k:k + step])
        fine = off <= bound[k:k + step]
        if not np.all(fine):
            at = int(np.argmin(fine))
            raise Mismatch(f"{name}, element {k + at}: {got[k + at]!r}, expected "
                           f"{want[k + at]!r}, off by {off[at]:.3g}, allowed "
                           f"{bound[k + at]:.3g}; {np.sum(~fine)} of {fine.size} here")


class Case:
    def __init__(self, options, folder):
        self.options, self.folder, self.contexts = options, folder, {}
        self.rng = np.random.default_rng(7)
        self.n = 1 << options.power
        self.side = 1 << (options.power // 2)

    def program(self, name, text=None):
        """The context of a program: a file of examples/ or bench/, or a text."""
        if name not in self.contexts:
            path = os.path.join(ROOT, name)
            if text:
                path = os.path.join(self.folder, name + ".arr")
                with open(path, "w") as f:
                    f.write(text)
            lib = arrt.Library(arrt.build(self.options.arrc, path, self.options.target,
                                          self.folder))
            self.contexts[name] = lib.context(self.options.target)
        return self.contexts[name]

    def call(self, ctx, entry, **arguments):
        """Results as NumPy arrays; nothing stays on the device."""
        held = {k.replace("__", "."): ctx.array(v) if isinstance(v, np.ndarray) else v
                for k, v in arguments.items()}
        got = ctx.call(entry, held)
        result = {k: v.numpy() if isinstance(v, arrt.Array) else v for k, v in got.items()}
        for value in [*held.values(), *got.values()]:
            if isinstance(value, arrt.Array):
                value.release()
        return result["out"] if list(result) == ["out"] else result

    def floats(self, *shape):
        return self.rng.random(shape, dtype=np.float32) * np.float32(2) - np.float32(1)

    # The programs.

    def saxpy(self):
        x, y = self.floats(self.n), self.floats(self.n)
        got = self.call(self.program("bench/programs/stream.arr"), "saxpy", a=2.5, x=x, y=y)
        want = 2.5 * x.astype(np.float64) + y
        expect("out", got, want, U * np.abs(want) + 1e-45)

    def chain(self):
        x, y = self.floats(self.n), self.floats(self.n)
        got = self.call(self.program("bench/programs/stream.arr"), "chain", x=x, y=y)
        part = self.rng.integers(0, self.n, 1 << 20)
        part[:2] = 0, self.n - 1
        f, x, y = np.float32, x[part], y[part]
        a = np.maximum(np.minimum((x + y) * f(0.9), f(0.8)), f(-0.7))
        b = np.maximum(np.minimum((a + x) * f(1.1), f(0.7)), f(-0.6))
        c = np.maximum(np.minimum((b + y) * f(0.8), y), f(-0.5))
        d = np.maximum(np.minimum((c + x) * f(1.2), f(0.6)), x)
        want = np.maximum(np.minimum((d + y) * f(0.7), f(0.5)), f(-0.4))
        expect("out", got[part], want, 0)

    def sums(self):
        """Never worse than NumPy's pairwise sum."""
        ctx = self.program("folds", FOLDS)
        k = np.arange(self.n, dtype=np.float64)
        for name, data in [("ramp", k), ("1/i", 1 / (k + 1)),
                           ("alternating", np.where(k % 2 == 0, 1e8, 1.0)),
                           ("random", self.rng.standard_normal(self.n))]:
            x = data.astype(np.float32)
            want = np.sum(x, dtype=np.longdouble)
            got, pairwise = self.call(ctx, "total", a=x), np.sum(x, dtype=np.float32)
            ours, theirs = abs(float(got - want)), abs(float(pairwise - want))
            # A rounding of the result is nobody's fault.
            rounding = float(np.spacing(np.float32(abs(want))))
            # On random data it is chance which of two good sums is nearer.
            if name == "random":
                theirs = 64 * U * float(np.sum(np.abs(x), dtype=np.float64)) ** 0.5
            if ours > max(theirs, rounding):
                raise Mismatch(f"{name}: {got} is off by {ours:.6g}, NumPy's by {theirs:.6g}")

    def prefix(self):
        x = self.floats(self.n)
        got = self.call(self.program("folds", FOLDS), "prefix", a=x)
        w = x.astype(np.float64)
        expect("out", got, np.cumsum(w), 2 * 200 * U * np.cumsum(np.abs(w)) + 1e-6)

    def axes(self):
        shape = (self.n >> 18, 1 << 9, 1 << 9)
        x = self.floats(*shape)
        got = self.call(self.program("folds", FOLDS), "axes", a=x)
        for axis, name in enumerate("xyz"):
            k = min(shape[axis], 200)
            expect(name, got[name], np.sum(x, axis=axis, dtype=np.float64),
                   2 * k * U * np.sum(np.abs(x), axis=axis, dtype=np.float64))

    def turned(self):
        x = self.floats(self.side + 3, self.side - 5)
        got = self.call(self.program("folds", FOLDS), "turned", a=x)
        if not np.array_equal(got, x.T):
            raise Mismatch("the transposed array differs")

    def heat(self):
        side, steps = self.side, 3
        t = self.floats(side, side)
        got = self.call(self.program("examples/heat.arr"), "heat", t0=t, tol=0.0,
                        max_iter=steps)
        if got["iterations"] != steps:
            raise Mismatch(f"{got['iterations']} iterations, expected {steps}")
        for i, j in self.windows(side, side):
            inside, part = self.window(t, i, j, steps, "edge")
            for _ in range(steps):
                part = np.float32(0.25) * (part[:-2, 1:-1] + part[2:, 1:-1] + part[1:-1, :-2]
                                           + part[1:-1, 2:])
                part = self.clamp(part, i, j, steps, side)
            expect(f"t at {i}, {j}", got["t"][inside], part[self.core(part)], 0)

    # Windows of 64 x 64 with a border of what they depend on. Reading at the edge
    # of the array clamps: the border there repeats the edge after every step.

    SIZE = 64

    def windows(self, n, m):
        corners = [(0, 0), (0, m - self.SIZE), (n - self.SIZE, 0),
                   (n - self.SIZE, m - self.SIZE)]
        return corners + [(int(self.rng.integers(n - self.SIZE)),
                           int(self.rng.integers(m - self.SIZE))) for _ in range(12)]

    def window(self, a, i, j, border, mode):
        rows = np.arange(i - border, i + self.SIZE + border)
        columns = np.arange(j - border, j + self.SIZE + border)
        if mode == "edge":
            rows = np.clip(rows, 0, a.shape[0] - 1)
            columns = np.clip(columns, 0, a.shape[1] - 1)
        else:
            rows, columns = rows % a.shape[0], columns % a.shape[1]
        return (slice(i, i + self.SIZE), slice(j, j + self.SIZE)), a[np.ix_(rows, columns)]

    def core(self, part):
        b0, b1 = (part.shape[0] - self.SIZE) // 2, (part.shape[1] - self.SIZE) // 2
        return slice(b0, b0 + self.SIZE), slice(b1, b1 + self.SIZE)

    def clamp(self, part, i, j, steps, side):
        """Makes the border outside the array what it repeats."""
        border = (part.shape[0] - self.SIZE) // 2
        rows = np.clip(np.arange(i - border, i + self.SIZE + border), 0, side - 1) - (i - border)
        columns = np.clip(np.arange(j - border, j + self.SIZE + border), 0,
                          side - 1) - (j - border)
        return part[np.ix_(rows, columns)]

    def lbm(self):
        side, steps = int((self.n / 9) ** 0.5), 2
        w = np.array([4] + 4 * [1] + 4 * [0.25]) / 9
        cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]
        opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6]
        f = (w.astype(np.float32) * (1 + np.float32(0.1) * self.floats(side, side, 9)))
        f = f.astype(np.float32)
        wall = self.rng.random((side, side), dtype=np.float32) < 0.2
        got = self.call(self.program("examples/lbm.arr"), "lbm", f0=f, wall=wall, tau=0.8,
                        steps=steps)
        for i, j in self.windows(side, side):
            inside, part = self.window(f, i, j, steps, "wrap")
            solid = self.window(wall, i, j, steps, "wrap")[1]
            part = part.astype(np.float64)
            for _ in range(steps):
                p = np.stack([np.roll(part[:, :, q], (cx[q], cy[q]), (0, 1))
                              for q in range(9)], axis=2)[1:-1, 1:-1]
                solid = solid[1:-1, 1:-1]
                rho = np.sum(p, axis=2)
                ux, uy = np.sum(p * cx, axis=2) / rho, np.sum(p * cy, axis=2) / rho
                cu = 3 * (ux[:, :, None] * cx + uy[:, :, None] * cy)
                eq = w * rho[:, :, None] * (1 + cu + cu * cu / 2
                                            - 1.5 * (ux * ux + uy * uy)[:, :, None])
                part = np.where(solid[:, :, None], p[:, :, opposite],
                                p - (p - eq) / np.float64(np.float32(0.8)))
            # Some 60 roundings a step of numbers of at most 1.
            expect(f"f at {i}, {j}", got[inside], part, steps * 100 * U)

    def softmax(self):
        x = self.floats(self.side, self.side) * np.float32(5)
        got = self.call(self.program("examples/softmax.arr"), "softmax", x=x)
        rows = self.rng.integers(0, self.side, 200)
        rows[:2] = 0, self.side - 1
        w = x[rows].astype(np.float64)
        e = np.exp(w - np.max(w, axis=1, keepdims=True))
        want = e / np.sum(e, axis=1, keepdims=True)
        expect("out", got[rows], want, (40 + 400) * U * want)

    def histogram(self):
        x, bins = self.floats(self.n), 1000
        got = self.call(self.program("examples/histogram.arr"), "histogram", x=x, lo=-1.0,
                        hi=1.0, bins=bins)
        place = (x - np.float32(-1)) / np.float32(2) * np.float32(bins)
        want = np.bincount(np.clip(place.astype(np.int64), 0, bins - 1), minlength=bins)
        expect("out", got, want, 0)

    def matmul(self):
        side = self.side // 2
        a, b = self.floats(side, side), self.floats(side, side)
        got = self.call(self.program("examples/matmul.arr"), "matmul", a=a, b=b)
        rows = self.rng.integers(0, side, 24)
        rows[:2] = 0, side - 1
        want = a[rows].astype(np.float64) @ b.astype(np.float64)
        size = np.abs(a[rows]).astype(np.float64) @ np.abs(b).astype(np.float64)
        expect("out", got[rows], want, 2 * 200 * U * size)

    def nbody(self):
        n = min(1 << 16, self.side * 4)
        pos, vel = self.floats(n, 3), self.floats(n, 3)
        mass = np.abs(self.floats(n))
        got = self.call(self.program("examples/nbody.arr"), "nbody", bs0__pos=pos,
                        bs0__vel=vel, bs0__mass=mass, dt=0.01, eps=0.1, steps=1)
        bodies = self.rng.integers(0, n, 100)
        bodies[:2] = 0, n - 1
        x, dt = pos.astype(np.float64), np.float64(np.float32(0.01))
        for k in bodies:
            d = x - x[k]
            r2 = np.sum(d * d, axis=1) + np.float64(np.float32(0.1))
            terms = d * (mass / (r2 * np.sqrt(r2)))[:, None]
            size = np.sum(np.abs(terms), axis=0)
            want = vel[k] + dt * np.sum(terms, axis=0)
            expect(f"vel of body {k}", got["out.vel"][k], want,
                   dt * (2 * 200 + 16) * U * size + 4 * U * np.abs(want))

    # Extents above 2^31.

    def giant(self):
        n = (1 << (self.options.power + 3)) + 12345
        return n, self.rng.integers(0, 256, n, dtype=np.uint8)

    def giant_maps(self):
        ctx = self.program("giant", GIANT)
        n, a = self.giant()
        held = ctx.array(a)
        part = self.rng.integers(0, n, 1 << 20)
        part[:4] = 0, n - 1, min(n - 1, 1 << 31), min(n - 1, (1 << 31) - 1)
        b = a[part]
        left, right = a[np.maximum(part - 1, 0)], a[np.minimum(part + 1, n - 1)]
        for entry, want in [("affine", b * np.uint8(3) + np.uint8(1)),
                            ("turned", a[n - 1 - part]), ("edge", left + right)]:
            got = ctx.call(entry, {"a": held})["out"]
            values = got.numpy()
            got.release()
            expect(entry, values[part], want, 0)
        held.release()

    def giant_folds(self):
        ctx = self.program("giant", GIANT)
        n, a = self.giant()
        a[a == 255] = 254
        a[n - 3] = 255
        counts = np.bincount(a, minlength=256) if n < 1 << 28 else sum(
            np.bincount(a[k:k + (1 << 26)], minlength=256) for k in range(0, n, 1 << 26))
        held = ctx.array(a)
        for entry, want in [("total", int(np.sum(counts * np.arange(256)))),
                            ("largest", 255), ("counts", counts)]:
            got = ctx.call(entry, {"a": held})["out"]
            values = got.numpy() if isinstance(got, arrt.Array) else got
            expect(entry, values, want, 0)
        held.release()
        for shape in [(n // 3, 3), (5, n // 5)]:
            b = a[:shape[0] * shape[1]].reshape(shape)
            held = ctx.array(b)
            got = ctx.call("columns", {"a": held})["out"]
            values = got.numpy()
            got.release()
            held.release()
            want = (np.array([np.sum(b[:, c], dtype=np.int64) for c in range(3)])
                    if shape[1] == 3 else sum(row.astype(np.int64) for row in b))
            expect(f"columns of {shape}", values, want, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--power", type=int, default=28, help="2^N elements, N even")
    parser.add_argument("--only", action="append")
    parser.add_argument("--no-giant", action="store_true")
    options = parser.parse_args()
    names = ["saxpy", "chain", "sums", "axes", "turned", "heat", "softmax", "histogram",
             "lbm", "nbody", "matmul", "prefix"]
    if not options.no_giant:
        names += ["giant_maps", "giant_folds"]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        case = Case(options, folder)
        for name in names:
            if options.only and name not in options.only:
                continue
            begin, bad = time.perf_counter(), None
            try:
                getattr(case, name)()
            except (Mismatch, arrt.Error) as e:
                bad = str(e)[:500]
            took = time.perf_counter() - begin
            print(f"{name}: {bad or 'right'} ({took:.1f} s)", flush=True)
            passed, failed = passed + (not bad), failed + bool(bad)
    print(f"large.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
