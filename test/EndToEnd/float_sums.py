#!/usr/bin/env python3
"""Sums of floats over several dimensions beside NumPy's in f64.

    float_sums.py --arrc build/dev/bin/arrc [--target T] [--quick]

Each cut of an array of four dimensions into folded and kept ones, of positive
terms: added one after the other their sum drifts away by thousands of units in the
last place, in levels by a few.
"""

import argparse
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("float_sums.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

SHAPES = [(5, 160, 1018, 5), (3, 40003, 2, 4), (20003, 3, 2, 4), (2, 3, 4, 40003)]
# Of a sum, in units of 2^-24.
BOUND = 32
CASES = {
    "all": ("f32 = sum for i, j, k, l { abs(-a[i, j, k, l]) }", (0, 1, 2, 3)),
    "nested": ("f32 = sum for i, j in q { sum for k, l in s { a[i, j, k, l] } }",
               (0, 1, 2, 3)),
    "condition": ("f32 = sum for i in p, j in q, k in r, l in s if l >= i - p "
                  "{ a[i, j, k, l] }", (0, 1, 2, 3)),
    "middle": ("f32[p, s] = sum(a, axis = (1, 2))", (1, 2)),
    "second": ("f32[p, r, s] = sum(a, axis = 1)", 1),
    "first": ("f32[p] = for i { sum for j, k, l { a[i, j, k, l] } }", (1, 2, 3)),
    "last": ("f32[s] = for l { sum for i, j, k { a[i, j, k, l] } }", (0, 1, 2)),
    "rows": ("f32[r, s] = sum for i, j { a[i, j] }", (0, 1)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--quick", action="store_true", help="two shapes only")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        for shape in SHAPES[:2] if options.quick else SHAPES:
            a = np.random.default_rng(5).random(shape, dtype=np.float32)
            np.save(f"{folder}/a.npy", a)
            for name, (text, axis) in CASES.items():
                path = f"{folder}/{name}.arr"
                with open(path, "w") as file:
                    file.write(f"export def f(a: f32[p, q, r, s]) -> {text}\n")
                done = subprocess.run(
                    [options.arrc, "run", path, f"a=@{folder}/a.npy",
                     f"--target={options.target}", "--output", f"out=@{folder}/o.npy"],
                    capture_output=True, text=True)
                worst = float("inf")
                if not done.returncode:
                    exact = a.astype(np.float64).sum(axis)
                    got = np.load(f"{folder}/o.npy").astype(np.float64)
                    worst = np.max(np.abs(got - exact) / exact) * 2**24
                if worst <= BOUND:
                    passed += 1
                    continue
                failed += 1
                print(f"{name}, {shape}: {worst:.0f} * 2^-24 off\n{done.stderr}")
    print(f"float_sums.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
