#!/usr/bin/env python3
"""How many kernels programs become, and how many copies: at level `buffers`.

    kernel_counts.py --arrc build/dev/bin/arrc [--target T] [--only NAME] [FILE]

Reads the programs of Inputs/kernel-counts.arr with the number that each wants.
A launch in a loop counts once; `1 + 1` is a kernel and a copy between arrays,
`1, cpu 4` one kernel on a device and four on the CPU.
`chain-N` is a chain of N statements.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
HEADING = re.compile(r"^#--- (\S+): (\d+)(?: \+ (\d+))?(?:, cpu (\d+))?$")


def chain(length):
    """A chain of `length` elementwise statements."""
    lines = ["export def f(x: f32[n], y: f32[n]) -> f32[n] {", "  let v0 = x + y"]
    for k in range(1, length):
        lines.append(f"  let v{k} = v{k - 1} * {1 + k / 1024} + {'xy'[k % 2]}")
    return "\n".join(lines + [f"  v{length - 1}", "}"]) + "\n"


def programs(path, target):
    """(name, kernels, text) of each program."""
    name, found = None, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if heading := HEADING.match(line):
                kernels = heading[4] if target == "cpu" and heading[4] else heading[2]
                found.append([heading[1], (int(kernels), int(heading[3] or 0)), ""])
            elif found:
                found[-1][2] += line
    return found + [[f"chain-{n}", (1, 0), chain(n)] for n in (1, 20, 300)]


def count(options, text):
    """The launches and copies of the program, or what is wrong with it."""
    with tempfile.NamedTemporaryFile("w", suffix=".arr") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [options.arrc, "build", file.name, f"--target={options.target}",
             "--emit=buffers", "-o", "-"], capture_output=True, text=True, timeout=100)
    if done.returncode:
        return done.stderr.strip()
    return (len(re.findall(r"\bkernel\.launch\b", done.stdout)),
            len(re.findall(r"\bmemref\.copy\b", done.stdout)))


def say(count):
    """A number of kernels and of copies, or a message."""
    return count if isinstance(count, str) else " + ".join(map(str, count))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--only", default="")
    parser.add_argument("file", nargs="?",
                        default=os.path.join(HERE, "Inputs", "kernel-counts.arr"))
    options = parser.parse_args()
    wrong = total = 0
    for name, wanted, text in programs(options.file, options.target):
        if options.only not in name:
            continue
        total += 1
        found = count(options, text)
        if found != wanted:
            wrong += 1
            print(f"{name}: {say(found)}, expected {say(wanted)}")
    print(f"{total - wrong} of {total} programs have as many kernels as they should")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
