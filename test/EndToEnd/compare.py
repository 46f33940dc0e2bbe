#!/usr/bin/env python3
"""Whole programs against NumPy on random inputs.

    compare.py --arrc build/dev/bin/arrc [--runs N] [--seed S] [--only NAME]
               [--target T] [--jobs N] [--wrap COMMAND] [--scale N]

Every program is built twice: as it stands, and with every f32 of its text made
f64. Each run draws sizes (0, 1, odd ones) and data, runs the executable on .npy
files and compares every result with a reference in the next wider type:

- integers, bools, counts of iterations, and results whose every rounding the
  language fixes: equal bits;
- elementwise results: 4 units in the last place;
- sums: 2 * k * u * sum|x| with the depth k of the tree, at most 200, and what the
  terms themselves are off; each check says how it gets there.

A failure prints the seed of its run: `--seed S --runs 1 --only NAME` repeats it.
`--target` builds for a device and runs there; `--wrap` is put before every run (a
sanitizer), `--scale` multiplies the sizes.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy as np
except ImportError:
    print("compare.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)
from comparison import DEEPEST, Mismatch, same, sum_bound

HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAMS = os.path.join(HERE, "Inputs", "compare")


class Run:
    """One random run of one entry: inputs, results, comparison."""

    def __init__(self, program, entry, real, rng, folder, options):
        self.program, self.entry, self.real = program, entry, real
        self.rng, self.folder, self.options = rng, folder, options
        self.wide = np.float64 if real is np.float32 else np.longdouble
        self.u = self.wide(np.finfo(real).eps) / 2
        self.tiny = self.wide(np.finfo(real).smallest_subnormal)
        self.calls = 0

    # Inputs.

    def size(self, most=99, least=0):
        """0, 1, small, odd, or anything up to `most`."""
        most *= self.options.scale
        kind = self.rng.integers(6)
        if kind < 2:
            size = kind
        elif kind == 2:
            size = self.rng.integers(2, 9)
        else:
            size = self.rng.integers(1, most // 2 + 1) * 2 + 1
        return int(min(max(size, least), most))

    def floats(self, *shape):
        """Normal numbers of several magnitudes."""
        scale = 10.0 ** self.rng.integers(-2, 3)
        return (self.rng.standard_normal(shape) * scale).astype(self.real)

    def integers(self, low, high, *shape):
        return self.rng.integers(low, high, shape, dtype=np.int64)

    def number(self, low, high):
        return self.real(self.rng.uniform(low, high))

    # The program.

    def __call__(self, results, **arguments):
        """Runs the entry; `results` are the names to read back."""
        self.calls += 1
        command = list(self.program)
        self.files = {}
        for name, value in arguments.items():
            name = name.replace("__", ".")
            if isinstance(value, np.ndarray):
                path = os.path.join(self.folder, f"in-{name}.npy")
                np.save(path, value)
                command.append(f"{name}=@{path}")
            elif isinstance(value, (bool, np.bool_)):
                command.append(f"{name}={'true' if value else 'false'}")
            elif isinstance(value, (int, np.integer)):
                command.append(f"{name}={int(value)}")
            else:
                text = np.format_float_scientific(value, unique=True)
                mantissa, exponent = text.split("e")
                if mantissa.endswith("."):
                    mantissa += "0"
                command.append(f"{name}={mantissa}e{int(exponent)}")
        command += ["--entry", self.entry]
        for name in results:
            path = os.path.join(self.folder, f"out-{name}.npy")
            if os.path.exists(path):
                os.remove(path)
            command += ["--output", f"{name}=@{path}"]
        self.command = " ".join(command)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Mismatch("no end after 300 s")
        if done.returncode:
            # A sanitizer reports on the standard output.
            said = done.stdout if self.options.wrap else ""
            raise Mismatch(f"exit code {done.returncode}: {(done.stderr + said).strip()[:2000]}")
        loaded = [np.load(os.path.join(self.folder, f"out-{name}.npy"))
                  for name in results]
        return loaded[0] if len(loaded) == 1 else loaded

    def fails(self, code, **arguments):
        """Runs the entry, which must end with this exit code."""
        try:
            self([], **arguments)
        except Mismatch as e:
            if str(e).startswith(f"exit code {code}:"):
                return
            raise
        raise Mismatch(f"succeeded, expected exit code {code}")

    # Comparison.

    same = staticmethod(same)

    def close(self, name, got, want, bound):
        """Within a bound of a reference in the wider type."""
        want = np.asarray(want, dtype=self.wide)
        if got.shape != want.shape or got.dtype != self.real:
            raise Mismatch(f"{name} is {got.dtype}{list(got.shape)}, expected "
                           f"{np.dtype(self.real)}{list(want.shape)}")
        bound = np.broadcast_to(np.asarray(bound, dtype=self.wide), want.shape)
        rounded = want.astype(self.real)
        same = (got == rounded) | (np.isnan(got) & np.isnan(want))
        with np.errstate(invalid="ignore"):
            # The reference is off by a rounding of its own.
            off = np.abs(got.astype(self.wide) - want)
            fine = same | (off <= bound + self.u * np.abs(want) + self.tiny)
        if not np.all(fine):
            at = tuple(int(i) for i in np.argwhere(~fine)[0])
            raise Mismatch(f"{name}{list(at)} is {got[at]!r}, expected {want[at]!r}, off "
                           f"by {off[at]:.3g}, allowed {bound[at]:.3g}")

    def ulps(self, name, got, want, count=4):
        """Within some units in the last place."""
        want = np.asarray(want, dtype=self.wide)
        with np.errstate(invalid="ignore", over="ignore"):
            unit = np.abs(np.spacing(want.astype(self.real))).astype(self.wide)
        self.close(name, got, want, count * unit)

    def sum_bound(self, magnitude, terms):
        return sum_bound(self.u, magnitude, terms)


# --- The programs ------------------------------------------------------------


def heat(run):
    n, m = run.size(), run.size()
    t0, tol = run.floats(n, m), run.real(10.0 ** run.rng.uniform(-4, 0))
    most = int(run.rng.integers(0, 60))
    got, count = run(["t", "iterations"], t0=t0, tol=tol, max_iter=most)
    t, err, it = t0, run.real(np.inf), 0
    while err > tol and it < most:
        if t.size:
            u = np.pad(t, 1, mode="edge")
            new = run.real(0.25) * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2]
                                    + u[1:-1, 2:])
            err, t = np.max(np.abs(new - t)), new
        else:
            err = -np.inf
        it += 1
    run.same("iterations", count, np.int64(it))
    run.same("t", got, t)


def nbody(run):
    """Each step against the reference from where the program was before it;
    all steps at once give the same bits as one after the other."""
    n, steps = run.size(41), int(run.rng.integers(0, 4))
    pos, vel = run.floats(n, 3), run.floats(n, 3)
    mass = np.abs(run.floats(n))
    dt, eps = run.number(0.001, 0.1), run.number(0.01, 1.0)
    names = ["out.pos", "out.vel", "out.mass"]
    p, v, q = run(names, bs0__pos=pos, bs0__vel=vel, bs0__mass=mass, dt=dt,
                  eps=eps, steps=steps)
    for _ in range(steps):
        got_p, got_v, got_q = run(names, bs0__pos=pos, bs0__vel=vel,
                                  bs0__mass=mass, dt=dt, eps=eps, steps=1)
        x, w = pos.astype(run.wide), run.wide(dt)
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + run.wide(eps)
        terms = d * (mass.astype(run.wide)[None, :] / (r2 * np.sqrt(r2)))[:, :, None]
        # A term is a chain of about 16 roundings without cancellation: all
        # that are added are squares.
        size = np.sum(np.abs(terms), axis=1)
        off = run.sum_bound(size, n) + 16 * run.u * size
        new_v = vel + w * np.sum(terms, axis=1)
        off_v = w * off + 2 * run.u * np.abs(new_v)
        new_p = x + w * new_v
        off_p = w * off_v + 2 * run.u * (np.abs(new_p) + np.abs(w * new_v))
        run.close("out.vel", got_v, new_v, off_v)
        run.close("out.pos", got_p, new_p, off_p)
        run.same("out.mass", got_q, mass)
        pos, vel = got_p, got_v
    run.same("out.pos after all steps", p, pos)
    run.same("out.vel after all steps", v, vel)
    run.same("out.mass after all steps", q, mass)


def softmax(run):
    n, m = run.size(), run.size(299)
    x = run.floats(n, m)
    got = run(["out"], x=x)
    w = x.astype(run.wide)
    d = w - np.max(w, axis=1, initial=-np.inf, keepdims=True)
    e = np.exp(d)
    s = np.sum(e, axis=1, keepdims=True)
    # The rounding of x - mx moves exp(x - mx) by u * |x - mx| of itself, exp is
    # 4 units off, and so are the terms of the sum.
    off = 10 + np.abs(d)
    whole = 10 + np.sum(e * off, axis=1, keepdims=True) / s if m else off
    bound = e / s * run.u * (off + whole + 2 * min(m, DEEPEST))
    # Subnormal terms have fewer digits.
    run.close("out", got, e / s, bound + 8 * run.tiny)


def histogram(run):
    n, bins = run.size(999), run.size(50, 1)
    x = run.floats(n)
    lo, hi = run.number(-20, -1), run.number(1, 20)
    got = run(["out"], x=x, lo=lo, hi=hi, bins=bins)
    place = (x - lo) / (hi - lo) * run.real(bins)
    at = np.clip(np.trunc(place.astype(np.float64)), 0, bins - 1).astype(np.int64)
    run.same("out", got, np.bincount(at, minlength=bins).astype(np.int64))


def matmul(run):
    n, k, m = run.size(61), run.size(61), run.size(61)
    a, b = run.floats(n, k), run.floats(k, m)
    got = run(["out"], a=a, b=b)
    x, y = a.astype(run.wide), b.astype(run.wide)
    size = np.abs(x) @ np.abs(y)
    run.close("out", got, x @ y, run.sum_bound(size, k) + run.u * size)


def lbm(run):
    """As nbody, step by step."""
    n, m, steps = run.size(21, 1), run.size(21, 1), int(run.rng.integers(0, 4))
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    opposite = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
    w = np.array([4] + 4 * [1] + 4 * [0.25], dtype=run.wide) / 9
    f = (np.float64(w) * run.rng.uniform(0.8, 1.2, (n, m, 9))).astype(run.real)
    wall = run.rng.random((n, m)) < 0.2
    tau = run.number(0.6, 2.0)
    last = run(["out"], f0=f, wall=wall, tau=tau, steps=steps)
    u, t = run.u, run.wide(tau)
    for _ in range(steps):
        got = run(["out"], f0=f, wall=wall, tau=tau, steps=1)
        p = np.stack([np.roll(f[:, :, q], (cx[q], cy[q]), (0, 1))
                      for q in range(9)], axis=2)
        x = p.astype(run.wide)
        size = np.sum(np.abs(x), axis=2)
        rho, off = np.sum(x, axis=2), run.sum_bound(size, 9) + 2 * u * size
        ux, uy = np.sum(x * cx, axis=2) / rho, np.sum(x * cy, axis=2) / rho
        off_x = (off + np.abs(ux) * off) / (rho - off) + u * np.abs(ux)
        off_y = (off + np.abs(uy) * off) / (rho - off) + u * np.abs(uy)
        cu = 3 * (ux[:, :, None] * cx + uy[:, :, None] * cy)
        off_cu = (3 * (off_x + off_y) + 6 * u * (np.abs(ux) + np.abs(uy)))[:, :, None]
        square = (ux * ux + uy * uy)[:, :, None]
        poly = 1 + cu + cu * cu / 2 - 1.5 * square
        sizes = 1 + np.abs(cu) + cu * cu / 2 + 1.5 * square
        off_poly = (off_cu * (1 + np.abs(cu)) + 10 * u * sizes
                    + 3 * (np.abs(ux) * off_x + np.abs(uy) * off_y)[:, :, None])
        # A weight is a constant, rounded once.
        eq = w * rho[:, :, None] * poly
        off_eq = (w * (off[:, :, None] * np.abs(poly) + rho[:, :, None] * off_poly)
                  + 4 * u * np.abs(eq))
        new = x - (x - eq) / t
        bound = off_eq / t + 4 * u * (np.abs(x) + np.abs(eq)) * (1 + 1 / t)
        solid = wall[:, :, None]
        run.close("out", got, np.where(solid, x[:, :, opposite], new),
                  np.where(solid, 0, bound))
        f = got
    run.same("out after all steps", last, f)


# --- misc --------------------------------------------------------------------


def clampi(run):
    x, hi = int(run.integers(-9, 20)), int(run.integers(0, 10))
    run.same("out", run(["out"], x=x, hi=hi), np.int64(0 if x < 0 else min(x, hi)))


def dot(run):
    n = run.size(3001)
    a, b = run.floats(n), run.floats(n)
    x = a.astype(run.wide) * b.astype(run.wide)
    size = np.sum(np.abs(x))
    run.close("out", run(["out"], a=a, b=b), np.sum(x),
              run.sum_bound(size, n) + run.u * size)


def prefix(run):
    a = run.floats(run.size(3001))
    x = a.astype(run.wide)
    k = 2 * np.minimum(np.arange(len(a)) + 1, DEEPEST)
    run.close("out", run(["out"], a=a), np.cumsum(x),
              k * run.u * np.cumsum(np.abs(x)))


def spmv(run):
    n, m = run.size(), run.size(99, 1)
    row = np.concatenate([[0], np.cumsum(run.integers(0, 9, n))]).astype(np.int64)
    nnz = int(row[-1])
    vals, col, x = run.floats(nnz), run.integers(0, m, nnz), run.floats(m)
    got = run(["out"], vals=vals, col=col, row=row, x=x)
    terms = vals.astype(run.wide) * x.astype(run.wide)[col]
    parts = [terms[row[i]:row[i + 1]] for i in range(n)]
    want = np.array([np.sum(p) for p in parts], dtype=run.wide)
    size = np.array([np.sum(np.abs(p)) for p in parts], dtype=run.wide)
    run.close("out", got, want, (2 * 9 + 1) * run.u * size)
    if nnz:
        col[int(run.integers(0, nnz))] = m
        run.fails(3, vals=vals, col=col, row=row, x=x)


def diff(run):
    a = run.floats(run.size(999, 1))
    run.same("out", run(["out"], a=a), a[1:] - a[:-1])


def wave(run):
    n = run.size(999)
    u, c = run.floats(n), run.floats(n)
    if n < 3:
        return run.fails(2, u=u, c=c)
    got = run(["out"], u=u, c=c)
    inner = u[:-2] - run.real(2) * u[1:-1] + u[2:]
    # The last sum and product are one fma, here with one more rounding.
    want = u.astype(run.wide)
    want[1:-1] += c[1:-1].astype(run.wide) * inner.astype(run.wide)
    run.ulps("out", got, want, 1)


def norms(run):
    n = run.size(499)
    p = run.floats(n, 3)
    if n == 0:
        return run.fails(3, p=p)
    r, worst = run(["r", "worst"], p=p)
    run.ulps("r", r, np.sqrt(np.sum(p.astype(run.wide) ** 2, axis=1)))
    run.same("worst", worst, np.int64(np.argmax(r)))


def pipe(run):
    a = run.rng.standard_normal(run.size(3001)).astype(run.real)
    x = np.exp(a.astype(run.wide))
    run.close("out", run(["out"], a=a), np.sum(x),
              run.sum_bound(np.sum(x), len(a)) + 8 * run.u * np.sum(x))


def layer(run):
    n, m = run.size(), run.size(299)
    w, x, b = run.floats(n, m), run.floats(m), run.floats(n)
    wide = w.astype(run.wide)
    s = wide @ x.astype(run.wide)
    size = np.abs(wide) @ np.abs(x).astype(run.wide)
    want = b.astype(run.wide) + s
    bound = run.sum_bound(size, m) + run.u * (size + np.abs(want))
    run.close("out", run(["out"], w=w, x=x, b=b), np.maximum(want, 0), bound)


def colsum(run):
    n, m = run.size(299), run.size(299)
    a = run.floats(n, m)
    x = a.astype(run.wide)
    run.close("out", run(["out"], a=a), np.sum(x, axis=0),
              run.sum_bound(np.sum(np.abs(x), axis=0), n))


def use_kmax(run):
    a = run.floats(run.size(3001))
    got = run(["out"], a=a)
    best = run.real(0)
    for x in a:
        best = best if abs(best) > abs(x) else x
    run.same("out", got, best)


# --- ranks -------------------------------------------------------------------


def elementwise(rank):
    def check(run):
        shape = [run.size({1: 9999, 2: 99, 3: 31, 4: 13, 5: 9}[rank])
                 for _ in range(rank)]
        a, b = run.floats(*shape), run.floats(*shape)
        x, y = a.astype(run.wide), b.astype(run.wide)
        run.ulps("out", run(["out"], a=a, b=b), np.sqrt(np.abs(x)) / (1 + y * y))
    return check


def transposed(*axes):
    def check(run):
        a = run.floats(*[run.size({2: 99, 3: 31, 5: 9}[len(axes)]) for _ in axes])
        run.same("out", run(["out"], a=a), np.ascontiguousarray(a.transpose(axes)))
    return check


def sums(run, name, got, x, axis=None):
    """A sum along some axes."""
    size = np.sum(np.abs(x), axis=axis)
    terms = x.size // max(size.size, 1) if size.size else 0
    run.close(name, got, np.sum(x, axis=axis), run.sum_bound(size, terms))


def s1(run):
    a = run.floats(run.size(9999))
    s, lo, hi, p = run(["s", "lo", "hi", "p"], a=a)
    x = a.astype(run.wide)
    sums(run, "s", s, x)
    run.same("lo", lo, np.min(a, initial=run.real(np.inf)))
    run.same("hi", hi, np.max(a, initial=run.real(-np.inf)))
    if len(a):
        run.close("p", p, np.mean(x), run.sum_bound(np.sum(np.abs(x)), len(a)) / len(a))
    elif not np.isnan(p):
        raise Mismatch(f"p is {p}, expected nan")


def s2(run):
    a = run.floats(run.size(199), run.size(199))
    x = a.astype(run.wide)
    s, rows, cols = run(["s", "rows", "cols"], a=a)
    sums(run, "s", s, x)
    sums(run, "rows", rows, x, 1)
    sums(run, "cols", cols, x, 0)


def s3(run):
    a = run.floats(run.size(41), run.size(41), run.size(41))
    x = a.astype(run.wide)
    r = run(["x", "y", "z", "w"], a=a)
    sums(run, "x", r[0], x, 0)
    run.same("y", r[1], np.max(a, axis=1, initial=run.real(-np.inf)))
    sums(run, "z", r[2], x, 2)
    sums(run, "w", r[3], x, (0, 2))


def s5(run):
    a = run.floats(*[run.size(9) for _ in range(5)])
    x, y = run(["x", "y"], a=a)
    sums(run, "x", x, a.astype(run.wide), (0, 2, 4))
    run.same("y", y, np.min(a, axis=(1, 2, 3), initial=run.real(np.inf)))


def scans(run):
    a = run.floats(run.size(), run.size())
    x, y = run(["x", "y"], a=a)
    w = a.astype(run.wide)
    k = 2 * np.minimum(np.arange(a.shape[1]) + 1, DEEPEST)
    run.close("x", x, np.cumsum(w, axis=1), k * run.u * np.cumsum(np.abs(w), axis=1))
    run.same("y", y, np.maximum.accumulate(a, axis=0))


def functions(run):
    x = run.floats(run.size(999))
    w = x.astype(run.wide)
    results = run(list("abcdefgh"), x=x)
    with np.errstate(divide="ignore", over="ignore"):
        wants = [np.exp(w), np.log(np.abs(w)), np.sin(w), np.cos(w), np.tanh(w),
                 np.arctan(w), np.exp2(w), np.cbrt(w)]
        for name, got, want, units in zip("abcdefgh", results, wants,
                                          [4, 4, 4, 4, 5, 5, 4, 4]):
            run.ulps(name, got, want, units)


def ints(run):
    n = run.size(999, 1)
    a, b = run.integers(-99, 99, n), run.integers(-9, 9, n)
    q, r, s, lo, at, c = run(["q", "r", "s", "lo", "at", "c"], a=a, b=b)
    d = np.where(b == 0, 1, b)
    run.same("q", q, a // d)
    run.same("r", r, a % d)
    run.same("s", s, np.sum(a * b))
    run.same("lo", lo, np.min(a))
    run.same("at", at, np.int64(np.argmax(a)))
    run.same("c", c, np.int64(np.sum(a > b)))


def edges(run):
    n, m = run.size(31, 1), run.size(31, 1)
    a = run.floats(n, m)
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]

    def reflect(k, size):
        if size == 1:
            return 0 * k
        k = k % (2 * size - 2)
        return np.where(k < size, k, 2 * size - 2 - k)

    def mirror(k, size):
        k = k % (2 * size)
        return np.where(k < size, k, 2 * size - 1 - k)

    modes = [lambda k, size: np.clip(k, 0, size - 1), lambda k, size: k % size,
             mirror, reflect]
    got = run(list("pqrst"), a=a)
    for name, result, mode in zip("pqrs", got, modes):
        run.same(name, result, a[mode(i - 2, n), mode(j + 1, m)]
                 + a[mode(i + 1, n), mode(j - 2, m)])
    padded = np.pad(a, 2, constant_values=run.real(0.5))
    run.same("t", got[4], padded[i, j + 3] + padded[i + 3, j])


CASES = {
    "heat": heat, "nbody": nbody, "softmax": softmax, "histogram": histogram,
    "matmul": matmul, "lbm": lbm,
    "misc": {f.__name__: f for f in
             [clampi, dot, prefix, spmv, diff, wave, norms, pipe, layer, colsum,
              use_kmax]},
    "ranks": {**{f"e{r}": elementwise(r) for r in range(1, 6)},
              "t2": transposed(1, 0), "t3": transposed(2, 0, 1),
              "t5": transposed(4, 2, 0, 3, 1), "s1": s1, "s2": s2, "s3": s3, "s5": s5,
              "scans": scans, "functions": functions, "ints": ints, "edges": edges},
}


def build(options, name, real, folder):
    """Builds a program; its executable takes the arguments of `arrc run`."""
    with open(os.path.join(PROGRAMS, name + ".arr")) as f:
        text = f.read()
    kind = np.dtype(real).name.replace("float", "f")
    source = os.path.join(folder, f"{name}-{kind}.arr")
    with open(source, "w") as f:
        f.write(re.sub(r"\bf32\b", kind, text))
    program = os.path.join(folder, f"{name}-{kind}")
    done = subprocess.run([options.arrc, "build", "--emit=exe", source, "-o", program,
                           *options.target_flags], capture_output=True, text=True)
    if done.returncode:
        raise Mismatch(f"does not build: exit code {done.returncode}: "
                       + done.stderr.strip()[:600])
    return source, program


def check_entry(options, name, entry, case, real, command, folder):
    """All runs of one entry; the lines that report what failed."""
    label, lines, bad = np.dtype(real).name.replace("float", "f"), [], 0
    for seed in range(options.seed, options.seed + options.runs):
        rng = np.random.default_rng([seed, zlib.crc32(entry.encode())])
        run = Run(command, entry, real, rng, folder, options)
        try:
            case(run)
        except Mismatch as e:
            bad += 1
            if bad <= 3:
                lines.append(f"{name}.{entry} ({label}), seed {seed}: {e}")
    if bad:
        lines.append(f"{name}.{entry} ({label}): {bad} of {options.runs} runs failed")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc", help="the compiler")
    parser.add_argument("--runs", type=int, default=100, help="runs of each function")
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--only", action="append", help="a program or a function of one")
    parser.add_argument("--check", action="store_true",
                        help="run by 'arrc run --check', through the evaluator, too")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--wrap", default="", help="a command that runs the program")
    parser.add_argument("--scale", type=int, default=1, help="times the sizes")
    options = parser.parse_args()
    options.target_flags = [f"--target={options.target}"] if options.target else []

    selected = []
    for name, cases in CASES.items():
        if not isinstance(cases, dict):
            cases = {name: cases}
        wanted = {entry: case for entry, case in cases.items()
                  if not options.only or name in options.only or entry in options.only}
        if wanted:
            selected += [(name, real, wanted) for real in (np.float32, np.float64)]

    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        builds = [pool.submit(build, options, name, real, folder)
                  for name, real, _ in selected]
        checks = []
        for (name, real, wanted), built in zip(selected, builds):
            try:
                source, program = built.result()
            except Mismatch as e:
                print(f"{name} ({np.dtype(real).name}): {e}", flush=True)
                failed += len(wanted)
                continue
            command = ([options.arrc, "run", source, "--check"]
                       if options.check else [program])
            command = shlex.split(options.wrap) + command + options.target_flags
            for entry, case in wanted.items():
                place = tempfile.mkdtemp(dir=folder)
                checks.append(pool.submit(check_entry, options, name, entry, case, real,
                                          command, place))
        for check in checks:
            lines = check.result()
            passed, failed = passed + (not lines), failed + bool(lines)
            if lines:
                print("\n".join(lines), flush=True)
    print(f"compare.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
