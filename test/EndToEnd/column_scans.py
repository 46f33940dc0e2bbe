#!/usr/bin/env python3
"""Scans down columns of many shapes against the reference evaluator.

    column_scans.py --arrc arrc [--target T]

Few and many columns, short and long ones, none of them and empty ones, one beside
another; elements of 1 to 8 bytes, inclusive and exclusive, forwards and backwards.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy

PROGRAM = """
export def sums(a: f32[r, c]) -> f32[r, c] = scan((+), for i, j { sqrt(abs(a[i, j])) }, axis = 0)
export def halves(a: f16[r, c]) -> f32[r, c] = scan(max, for i, j { f32(a[i, j]) }, axis = 0)
export def bytes(a: u8[r, c]) -> f32[r, c] = scan(min, for i, j { f32(a[i, j]) }, axis = 0)
export def before(a: i64[r, c]) -> i64[r, c] {
  let columns = for j in c { exscan((+), 0) for i in r { a[i, j] } }
  for i in r, j in c { columns[j, i] }
}
export def backwards(a: f32[r, c]) -> f32[r, c] {
  let s = scan((+), for i in r, j in c { a[r - 1 - i, j] }, axis = 0)
  for i in r, j in c { s[r - 1 - i, j] }
}
export def middle(a: i64[p, r, c]) -> i64[p, r, c] = scan((+), for i, j, k { a[i, j, k] * 2 }, axis = 1)
export def across(a: f32[c, r]) -> f32[r, c] = scan((+), for i, j { a[j, i] }, axis = 0)
"""
TYPES = {"sums": "float32", "halves": "float16", "bytes": "uint8", "before": "int64",
         "backwards": "float32", "middle": "int64", "across": "float32"}
#: Rows and columns.
SHAPES = [(0, 5), (5, 0), (3, 20001), (17, 9011), (257, 33), (300, 64), (1031, 5),
          (1050, 131)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    options = parser.parse_args()
    rng = numpy.random.default_rng(7)
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "columns.arr")
        with open(program, "w") as f:
            f.write(PROGRAM)
        for name, type in TYPES.items():
            # All shapes for some, a few for the others.
            few = name in ("halves", "bytes", "backwards")
            for rows, columns in SHAPES[3::2] if few else SHAPES:
                shape = {"middle": (3, rows, columns), "across": (columns, rows)}.get(
                    name, (rows, columns))
                values = (rng.uniform(-1, 1, shape) if type[0] == "f"
                          else rng.integers(0, 5, shape)).astype(type)
                path = os.path.join(folder, "a.npy")
                numpy.save(path, values)
                done = subprocess.run(
                    [options.arrc, "run", f"--target={options.target}", "--check",
                     f"--entry={name}", program, f"a=@{path}"], capture_output=True, text=True)
                count += 1
                if done.returncode or "runs in one thread" in done.stderr:
                    wrong += 1
                    print(f"{name} {shape}: {done.returncode} {done.stderr[-400:]}")
    print(f"column_scans.py: {count - wrong} passed, {wrong} failed")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
