#!/usr/bin/env python3
"""Bytes and halves that begin anywhere, read by the words that hold them.

    word_loads.py --arrc build/dev/bin/arrc [--target T] [--every N]

Windows over arrays that end with the last byte that is read, for all lengths up to 40 and all
places of the first byte in its word, against the reference evaluator. The emulated card finds
what is read outside of them.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy

PROGRAM = """
export def words(u: u8[n, m + 10], s: i8[n, m + 10], f: f16[n, m + 10], p: bool[n, m + 10], o: int)
    -> (a: i32[n, m], b: i32[n, m], c: f32[n, m], d: f32[n, m], e: u8[n, m + 2], v: i32[m + 2 - o],
        w: f32[m + 2 - o]) where o <= m, n >= 1 {
  let last = u[n-1, o:]
  let halves = f[n-1, o:]
  (for i in n, j in m { sum for q in 11 { i32(u[i, j + q]) } },
   for i in n, j in m { sum for q in 11 { i32(s[i, j + q]) } },
   for i in n, j in m { sum for q in 11 { f32(f[i, j + q]) } },
   for i in n, j in m { sum for q in 11 { (if p[i, j + q] { 1.0 } else { 0.25 }) } },
   for i in n, j in m + 2 { max for q in 9 { u[i, j + q] } },
   for j in m + 2 - o { sum for q in 9 { i32(last[j + q]) } },
   for j in m + 2 - o { sum for q in 9 { f32(halves[j + q]) } })
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    rng = numpy.random.default_rng(7)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "words.arr")
        with open(program, "w") as f:
            f.write(PROGRAM)
        cases = [(offset, length) for offset in range(8) for length in range(1, 41)]
        for offset, length in cases[::options.every]:
            shape = (1 + length % 5, offset + length + 10)
            command = [options.arrc, "run", f"--target={options.target}", "--check", program,
                       f"o={offset}"]
            for name, values in {
                    "u": rng.integers(0, 256, shape).astype("uint8"),
                    "s": rng.integers(-128, 128, shape).astype("int8"),
                    "f": rng.integers(-9, 9, shape).astype("float16"),
                    "p": rng.integers(0, 2, shape).astype("bool")}.items():
                path = os.path.join(folder, name + ".npy")
                numpy.save(path, values)
                command.append(f"{name}=@{path}")
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                failed += 1
                print(f"offset {offset}, length {length}: {done.stderr[-600:]}")
            else:
                passed += 1
    print(f"word_loads.py: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
