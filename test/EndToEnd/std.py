#!/usr/bin/env python3
"""The standard library against NumPy, for sizes drawn by a seed.

    std.py --arrc=build/dev/bin/arrc [--runs 3] [--seed 1] [--target cuda]
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))


def spline(at, x, y):
    """The natural cubic spline by the dense system of its second derivatives."""
    n = len(x)
    a, b = np.eye(n), np.zeros(n)
    for i in range(1, n - 1):
        h, g = x[i] - x[i - 1], x[i + 1] - x[i]
        a[i, i - 1:i + 2] = h, 2 * (h + g), g
        b[i] = 6 * ((y[i + 1] - y[i]) / g - (y[i] - y[i - 1]) / h)
    m = np.linalg.solve(a, b)
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, n - 2)
    h = x[i + 1] - x[i]
    u, v = (x[i + 1] - at) / h, (at - x[i]) / h
    return u * y[i] + v * y[i + 1] + ((u**3 - u) * m[i] + (v**3 - v) * m[i + 1]) * h * h / 6


def bilinear(a, u, v):
    u, v = np.clip(u, 0, a.shape[0] - 1), np.clip(v, 0, a.shape[1] - 1)
    i, j = np.floor(u).astype(int), np.floor(v).astype(int)
    i2, j2 = np.minimum(i + 1, a.shape[0] - 1), np.minimum(j + 1, a.shape[1] - 1)
    s, t = u - i, v - j
    return ((1 - s) * ((1 - t) * a[i, j] + t * a[i, j2]) + s * ((1 - t) * a[i2, j] + t * a[i2, j2]))


def arrays(rng):
    n, m, k = rng.integers(1, 40, 3)
    k -= 1
    u, v, a = (rng.normal(size=s).astype(t) for s, t in ((n, "f4"), (m, "f8"), ((n, m), "f4")))
    return dict(u=u, v=v, a=a, k=k), dict(
        eye=np.eye(k, dtype="f4"), eye64=np.eye(k), outer=np.outer(u, u), space=np.linspace(-1, 2, k, dtype="f4"),
        space64=np.linspace(0.1, 0.7, k), diagonal=np.diagonal(a), trace=np.trace(a.astype("f8")), lower=np.tril(a),
        upper=np.triu(a), diff=np.diff(v), norm=np.linalg.norm(v))


def statistics(rng):
    n, r, k, bins = int(rng.integers(2, 300)), *rng.integers(1, 9, 3)
    x, y, a = rng.normal(size=n), rng.normal(size=n), rng.normal(size=(r, n))
    q, f = rng.random(k), np.round(rng.random(n) * 8).astype("f4") / 8
    q[0] = rng.integers(2)
    return dict(x=x, y=y, a=a, q=q, f=f, bins=bins), dict(
        mean=x.mean(), variance=x.var(), std=x.std(ddof=1), covariance=np.cov(x, y)[0, 1],
        covariances=np.cov(a).reshape(r, r), correlation=np.corrcoef(x, y)[0, 1],
        correlations=np.corrcoef(a).reshape(r, r), quantiles=np.quantile(x, q), quantile=np.quantile(f, np.float32(0.3)),
        median=np.median(x), median32=np.median(f), histogram=np.histogram(x, bins, (-1, 1.5))[0],
        histogram32=np.histogram(f, bins, (0, 1))[0])


def interpolate(rng):
    n, k, r, c = int(rng.integers(2, 30)), int(rng.integers(1, 50)), *rng.integers(1, 9, 2)
    x, y = np.cumsum(rng.random(n) + 0.1), rng.normal(size=n)
    at = rng.uniform(x[0] - 1, x[-1] + 1, k)
    at[0] = x[rng.integers(n)]
    a, u, v = rng.normal(size=(r, c)), rng.uniform(-1, r + 1, k), rng.uniform(-1, c + 1, k)
    near = np.abs(at[:, None] - x[None, :]).argmin(axis=1)
    x4, y4, at4 = (w.astype("f4") for w in (x, y, at))
    return dict(at=at, x=x, y=y, at32=at4, x32=x4, y32=y4, a=a, u=u, v=v), dict(
        linear=np.interp(at, x, y), linear32=np.interp(at4, x4, y4), nearest=y[near], cubic=spline(at, x, y),
        bilinear=bilinear(a, u, v), counts=np.searchsorted(x, at, side="right"))


def transform(rng):
    n, r = int(rng.choice([1, 2, 3, 8, 12, 17, 64, 97, 100, 128, int(rng.integers(1, 300))])), int(rng.integers(1, 7))
    z = rng.normal(size=n) + 1j * rng.normal(size=n)
    m = rng.normal(size=(r, n)) + 1j * rng.normal(size=(r, n))
    g = rng.normal(size=n)
    x, f = z.astype("c8"), g.astype("f4")
    return dict(x=x, z=z, m=m, f=f, g=g), dict(
        fft=np.fft.fft(x), fft128=np.fft.fft(z), ifft=np.fft.ifft(z), real=np.fft.fft(f), real128=np.fft.fft(g), back=g,
        fft2=np.fft.fft2(m), ifft2=np.fft.ifft2(m), rows=np.fft.fft(m, axis=1), frequencies=np.fft.fftfreq(n, 0.1))


def run(options, case, rng):
    inputs, expected = case(rng)
    with tempfile.TemporaryDirectory() as folder:
        words = [options.arrc, "run", os.path.join(HERE, "Inputs", "std.arr"), "--entry", case.__name__,
                 "--target", options.target]
        for name, value in inputs.items():
            if isinstance(value, np.ndarray):
                np.save(f"{folder}/{name}.npy", value)
                words.append(f"{name}=@{folder}/{name}.npy")
            else:
                words.append(f"{name}={value}")
        for name in expected:
            words += ["--output", f"{name}=@{folder}/out.{name}.npy"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr
        for name, wanted in expected.items():
            found = np.load(f"{folder}/out.{name}.npy")
            wanted = np.asarray(wanted)
            short = found.dtype in (np.float32, np.complex64)
            scale = max(1.0, np.abs(wanted).max(initial=0))
            if found.shape != wanted.shape or not np.allclose(found, wanted, rtol=0,
                                                              atol=(3e-5 if short else 1e-11) * scale, equal_nan=True):
                sizes = {key: getattr(value, "shape", value) for key, value in inputs.items()}
                return f"{name} differs, inputs {sizes}\nfound {found}\nwanted {wanted}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="cpu")
    options = parser.parse_args()
    passed = failed = 0
    for case in (arrays, statistics, interpolate, transform):
        for number in range(options.runs):
            message = run(options, case, np.random.default_rng([options.seed, number]))
            passed, failed = passed + (not message), failed + bool(message)
            if message:
                print(f"std.py: {case.__name__}, run {number}: {message}")
    print(f"std.py: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
