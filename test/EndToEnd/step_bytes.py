#!/usr/bin/env python3
"""Kernels and bytes of a step of time loops, on the emulated card.

    step_bytes.py --arrc build/dev/bin/arrc [--only NAME] [FILE]

Reads the programs of Inputs/step-bytes.arr. A heading says how many kernels a
step may have, which bytes of a point it must read and write, and what the
program is called with besides its sizes:

    #--- heat: 1 kernel, 16 bytes, eps=0

Bytes are those that `arrc bench` counts: each element of each array once a
kernel. `in sectors`: the sectors that warps ask for may have no more than these,
either; arrays of vectors do not pass as arrays of components do. What two steps more add, a step, is at most 1.25 times the least.
"""

import argparse
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
HEADING = re.compile(r"^#--- (\S+): (\d+) kernels?, (\d+) bytes( in sectors)?"
                     r"(?:, (.*))?$")
# Bytes of a sector.
SECTOR = 32
# More than what one block steps through alone.
ROWS, COLUMNS = 132, 136
MOST = 1.25


def programs(path):
    """(name, kernels, bytes, whether sectors count, arguments, text) of each program."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if heading := HEADING.match(line):
                found.append([heading[1], int(heading[2]), int(heading[3]),
                              bool(heading[4]), (heading[5] or "").split(), ""])
            elif found:
                found[-1][-1] += line
    return found


def measure(options, text, arguments, steps):
    """Launches, bytes and sectors of a call."""
    with tempfile.NamedTemporaryFile("w", suffix=".arr") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [options.arrc, "bench", file.name, "--target=cuda", "--seconds=0.01",
             "--csv=-", f"n={ROWS}", f"m={COLUMNS}", f"steps={steps}", *arguments],
            capture_output=True, text=True, timeout=100)
    if done.returncode:
        sys.exit(done.stderr)
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    return int(row["launches"]), int(row["bytes"]), int(row["sectors"] or 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--only", default="")
    parser.add_argument("file", nargs="?",
                        default=os.path.join(HERE, "Inputs", "step-bytes.arr"))
    options = parser.parse_args()
    wrong = total = 0
    for name, kernels, least, in_sectors, arguments, text in programs(options.file):
        if options.only not in name:
            continue
        total += 1
        few, more = (measure(options, text, arguments, steps) for steps in (2, 4))
        launches, moved, sectors = ((b - a) / 2 for a, b in zip(few, more))
        if in_sectors:
            moved = max(moved, SECTOR * sectors)
        ratio = moved / (least * ROWS * COLUMNS)
        if launches > kernels or ratio > MOST:
            wrong += 1
            print(f"{name}: {launches:g} kernels a step, expected {kernels}; "
                  f"{ratio:.3f} of the least bytes")
    print(f"{total - wrong} of {total} loops move what they must")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
