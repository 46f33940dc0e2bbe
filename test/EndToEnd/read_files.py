#!/usr/bin/env python3
"""Every way of reading an array from a file, onto a device and back.

    read_files.py --arrc build/dev/bin/arrc [--target T] [--jobs N]

Files by NumPy, in both orders of elements, both orders of bytes, as members of an
archive, of other types with --convert, as single values, and empty. A program
reads arrays of two and three dimensions, structs and a scalar and writes what it has
read; NumPy says whether that is the same.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("read_files.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

TYPES = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "u32": np.uint32,
         "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "c64": np.complex64}
PROGRAM = """struct S {{ p: {t}, q: {t} }}
export def main(x: {t}[n, m], y: {t}[k, n, m], z: S[n, m], s: {t})
    -> (a: {t}[n, m], b: {t}[m, n, k], c: {t}[n, m], d: {t}[m, n], e: {t}[n]) {{
  let a = for i, j {{ x[i, j] }}
  let b = for j in m, i in n, l in k {{ y[l, i, j] }}
  let c = for i, j {{ z[i, j].p }}
  let d = for j in m, i in n {{ z[i, j].q }}
  let e = for i in n {{ s }}
  (a, b, c, d, e)
}}
"""
# How the files are: order of elements, order of bytes, another type, sizes n, m, k.
VARIANTS = {"rows": ("C", "<", False, (7, 5, 3)), "columns": ("F", "<", False, (70, 5, 3)),
            "swapped": ("C", ">", False, (7, 5, 3)),
            "swapped-columns": ("F", ">", False, (5, 67, 3)),
            "converted-columns": ("F", "<", True, (7, 5, 3)),
            "one": ("F", "<", False, (1, 1, 1)), "empty": ("F", "<", False, (3, 0, 2))}


def check(options, t, variant, top):
    """What is wrong with one way of one type, or nothing."""
    order, endian, converts, (n, m, k) = VARIANTS[variant]
    folder = tempfile.mkdtemp(dir=top)
    rng = np.random.default_rng(len(t) + n)

    def make(*shape):
        values = rng.integers(0, 2 if t == "bool" else 100, shape)
        if t == "c64":
            values = values + 1j * rng.integers(0, 100, shape)
        stored = {"c64": np.complex128, "f64": np.float32}.get(t, np.float64)
        kind = np.dtype(stored if converts else TYPES[t]).newbyteorder(endian)
        return np.array(values, dtype=kind, order=order)

    x, y, p, q, s = make(n, m), make(k, n, m), make(n, m), make(n, m), make()
    for name, value in {"x": x, "y": y, "s": s}.items():
        np.save(f"{folder}/{name}.npy", value)
    np.savez(f"{folder}/z.npz", p=p, q=q)
    wanted = {"a": x, "b": y.transpose(2, 1, 0), "c": p, "d": q.T, "e": np.full(n, s)}
    with open(f"{folder}/main.arr", "w") as f:
        f.write(PROGRAM.format(t=t))
    command = [options.arrc, "run", f"{folder}/main.arr", f"x=@{folder}/x.npy",
               f"y=@{folder}/y.npy", f"z=@{folder}/z.npz", f"s=@{folder}/s.npy"]
    command += ["--convert"] if converts else []
    command += [f"--target={options.target}"] if options.target else []
    for name in wanted:
        command += ["--output", f"{name}=@{folder}/{name}-out.npy"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "no end after 120 s"
    if done.returncode == 1 and options.may_refuse and "' has no " in done.stderr:
        return None
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr.strip()[:400]}"
    for name, value in wanted.items():
        got = np.load(f"{folder}/{name}-out.npy")
        if got.dtype != TYPES[t] or not np.array_equal(got, value.astype(TYPES[t])):
            return f"'{name}' is not what the file holds"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--only", action="append", help="a type")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--may-refuse", action="store_true",
                        help="a device may say what it lacks")
    options = parser.parse_args()

    cases = [(t, v) for t in options.only or TYPES for v in VARIANTS]
    failed = 0
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(check, options, t, v, top) for t, v in cases]
        for (t, variant), run in zip(cases, runs):
            if bad := run.result():
                failed += 1
                print(f"{t}, {variant}: {bad}", flush=True)
    print(f"read_files.py: {len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
