"""Counts what several parts of an emulated card, or of the CPU, send each other.

    parts_traffic.py --arrc ARRC [--target T]

Of a stencil that is its halo, each byte once, for each border between parts and
each step: no more, however many parts there are. Inputs are sent once, and what
no part reads is not sent at all. All results are those of one part, to the bit.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

LINE = re.compile(r"traffic: (\d+) parts: (\d+) bytes in, (\d+) exchanged in (\d+) copies, "
                  r"(\d+) out; (\d+) of (\d+) launches cut, (\d+) planned")
ROWS = """export def f(a: f32[n, m], steps: int) -> f32[n, m] {{
  var t = a
  var step = 0
  while step < steps {{
    let u = extend(t, {mode})
    t = stencil i in n, j in m {{
      u[i-{above}, j] + u[i+{below}, j] + u[i, j-1] - 3.0 * u[i, j+1]
    }}
    step += 1
  }}
  t
}}
"""
HEAT = """export def f(a: f32[n, m], steps: int) -> f32[n, m] {
  var t = a
  var moved: f32 = inf
  var step = 0
  while moved > 0.0 and step < steps {
    let u = extend(t, clamp)
    let next = stencil i in n, j in m {
      0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
    }
    moved = max for i, j { abs(next[i, j] - t[i, j]) }
    t = next
    step += 1
  }
  t
}
"""
BINS = """export def f(a: f32[n, m], steps: int) -> int[300] =
  hist((+), 0, 300) for i in n, j in m { ((int(a[i, j]) * 31 + i * j) % 300, 1) }
"""
MAP = "export def f(a: f32[n, m], steps: int) -> f32[n, m] = for i in n, j in m { 2.0 * a[i, j] + 1.0 }\n"


def run(options, folder, text, shape, steps, parts, name="out"):
    program, data, result = (os.path.join(folder, name) for name in
                             ("p.arr", "a.npy", f"r{parts}.npy"))
    with open(program, "w") as file:
        file.write(text)
    np.save(data, np.random.default_rng(1).integers(-9, 9, shape).astype(np.float32))
    done = subprocess.run([options.arrc, "run", program, f"a=@{data}", f"steps={steps}", "--time",
                           f"--target={options.target}", f"--parts={parts}", "--output",
                           f"{name}=@{result}"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{parts} parts: {done.stderr}")
    found = LINE.search(done.stderr)
    return np.load(result), [int(n) for n in found.groups()] if found else None


def fail(options, folder, parts):
    """What is printed of a gather with two indices that are outside."""
    program, data = os.path.join(folder, "g.arr"), os.path.join(folder, "at.npy")
    with open(program, "w") as file:
        file.write("export def f(at: int[n]) -> int[n] = for i in n { at[at[i]] }\n")
    at = np.arange(5000)
    at[4321], at[3210] = 5000, -77
    np.save(data, at)
    return subprocess.run([options.arrc, "run", program, f"at=@{data}", f"--target={options.target}",
                           f"--parts={parts}"], capture_output=True, text=True).stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    options = parser.parse_args()
    failures = 0

    def expect(what, found, wanted):
        nonlocal failures
        if found != wanted:
            print(f"{what}: {found}, expected {wanted}")
            failures += 1

    shape = (1024, 40)
    row, whole = 4 * shape[1], 4 * shape[0] * shape[1]
    with tempfile.TemporaryDirectory() as folder:
        for mode, above, below in (("clamp", 1, 1), ("wrap", 1, 1), ("clamp", 2, 1)):
            text = ROWS.format(mode=mode, above=above, below=below)
            one = {steps: run(options, folder, text, shape, steps, 1)[0]
                   for steps in (2, 7)}
            for parts in (2, 3, 5, 8):
                what = f"{mode} {above} {below}, {parts} parts"
                moved = {}
                for steps in (2, 7):
                    result, counts = run(options, folder, text, shape, steps, parts)
                    expect(what + ", bits", result.tobytes(), one[steps].tobytes())
                    moved[steps] = counts
                # Between neighbours, and around the edge where it wraps.
                borders = parts - 1 + (mode == "wrap")
                expect(what + ", bytes of 5 steps", moved[7][2] - moved[2][2],
                       5 * borders * (above + below) * row)
                # And a few numbers beside the array.
                expect(what + ", bytes in", moved[7][1] - whole < 64, True)
                expect(what + ", bytes out", moved[7][4] - whole < 64, True)
                expect(what + ", launches cut", moved[7][5], 7)
                # The steps of the loop are planned once.
                expect(what + ", plans", moved[7][7] <= moved[2][7] + 1, True)
        # With a fold of all in the same launch, that the loop waits for: besides the
        # halo each part sends its results, one a row here, to where they are folded.
        one = {steps: run(options, folder, HEAT, shape, steps, 1)[0] for steps in (2, 7)}
        for parts in (2, 3, 5, 8):
            moved = {}
            for steps in (2, 7):
                result, moved[steps] = run(options, folder, HEAT, shape, steps, parts)
                expect(f"heat, {parts} parts, bits", result.tobytes(), one[steps].tobytes())
                expect(f"heat, {parts} parts, launches cut", moved[steps][5], steps)
            sent = (moved[7][2] - moved[2][2]) / 5 - (parts - 1) * 2 * row
            expect(f"heat, {parts} parts, {sent} bytes of results a step",
                   0 < sent < 4 * shape[0], True)
        # The failure that counts is the same, whichever part has it.
        for parts in (1, 2, 5):
            found = fail(options, folder, parts)
            expect(f"failing check, {parts} parts", "index -77 is outside" in found, True)
        # Bins that all parts update come to the first one, once from each other.
        one = run(options, folder, BINS, (512, 512), 0, 1)[0]
        for parts in (2, 3, 5):
            result, counts = run(options, folder, BINS, (512, 512), 0, parts)
            expect(f"bins, {parts} parts, bits", result.tobytes(), one.tobytes())
            expect(f"bins, {parts} parts, launches cut", counts[5], 1)
            keys = counts[2] - (parts - 1) * 300 * 8
            expect(f"bins, {parts} parts, {keys} bytes of keys", 0 <= keys < 512 * 512, True)
        one = run(options, folder, MAP, (512, 512), 0, 1)[0]
        for parts in (2, 4, 8):
            result, counts = run(options, folder, MAP, (512, 512), 0, parts)
            expect(f"map, {parts} parts, bits", result.tobytes(), one.tobytes())
            expect(f"map, {parts} parts, exchanged", counts[2], 0)
    print(f"traffic: {failures} failures")
    return failures != 0


sys.exit(main())
