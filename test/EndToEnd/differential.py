#!/usr/bin/env python3
"""Random programs through the compiler and the reference evaluator.

    differential.py --arrc build/dev/bin/arrc [--programs N] [--seed S] [--jobs N]
                    [--target T] [--parts 1,3] [--keep DIR] [--coverage] [--draw-only]
                    [--no-reduce]

Writes valid random programs over all types (generator/), runs each by
'arrc run --check' with sizes 0, 1 and odd ones, at -O0 and as usual, and reports
every program that differs, fails to compile or ends by a signal, with the command
that repeats it and what is left of the program when everything is deleted that the
failure does not need. Programs are a function of the seed. With --may-refuse a
target may say that it cannot compile a program. With --parts each is run in so
many parts, whose results are the same; with --wrap 'mpirun -n 3' in three processes.
--coverage counts what programs use: of which types, how deep, and each two constructs
in one program, which generator/design.py has meet; with --draw-only nothing is run.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from generator.program import Program
from generator.reduce import shorter
from generator.scope import Coverage
from processes import Processes

SIZES = [{"n": 5, "m": 3}, {"n": 1, "m": 1}, {"n": 0, "m": 2}, {"n": 2, "m": 0},
         {"n": 33, "m": 17}]
# What a device may say it cannot do (docs/language.md, "Not there yet").
REFUSALS = ["has a size that is known there only", "which kernel '"]


def run(options, path, level, inputs, seconds):
    """How a run went wrong (a kind of failure, and its text), or nothing."""
    command = [*shlex.split(options.wrap), options.arrc, "run", path, "--check", *level,
               *inputs]
    # One compilation for all sizes.
    environment = {"ARRC_CACHE": os.path.join(os.path.dirname(path), "cache"),
                   **options.environment}
    try:
        done = options.processes.run(command, seconds, environment)
    except subprocess.TimeoutExpired:
        return "no end", f"no end after {seconds} s"
    if not done.returncode:
        return None
    lines = [line for line in done.stderr.splitlines()
             if "agrees" not in line and not line.startswith("warning")]
    if options.may_refuse and done.returncode == 1 and any(
            text in done.stderr for text in REFUSALS):
        options.refused.add(os.path.basename(path))
        return None
    errors = [line for line in lines if "error" in line or "Assertion" in line
              or "differ" in line] or lines
    kind = re.sub(r"'[^']*'|\S*/\S+|[\d.]+(e[-+]\d+)?", "", errors[0] if errors else "")
    kind = kind.split(", worst")[0]
    return f"{done.returncode} {kind}", (f"exit code {done.returncode}\n  "
                                         + "\n  ".join((errors + lines)[:10]))


def check(options, seed, top):
    """The program of a seed, and what is wrong with it, or nothing."""
    program, folder = Program(seed), tempfile.mkdtemp(dir=top)
    path = os.path.join(folder, f"p{seed}.arr")

    def write(text):
        with open(path, "w") as file:
            file.write(text)

    # Without a word a card would be taken where there is one.
    levels = ([["--target=" + options.target]] if options.target
              else [["--target=cpu", "-O0"], ["--target=cpu"]])
    if options.parts:
        levels = [[*level, f"--parts={parts}"] for level in levels for parts in options.parts]
    try:
        write(program.text())
        for k, sizes in enumerate(SIZES):
            inputs = program.save(folder, seed * 100 + k, sizes)
            for level in levels:
                start = time.monotonic()
                bad = run(options, path, level, inputs, options.timeout)
                if not bad:
                    continue
                said = f"{sizes} {' '.join(level)}: {bad[1]}"
                if not options.no_reduce and bad[0] != "no end":
                    # What lost the statement that ends a loop shall not last.
                    seconds = min(options.timeout,
                                  5 + 4 * (time.monotonic() - start))

                    def fails(text):
                        write(text)
                        again = run(options, path, level, inputs, seconds)
                        return again is not None and again[0] == bad[0]
                    said += "\n" + shorter(program, fails)
                arguments = " ".join(a for a in inputs if "@" not in a)
                return program, f"{said}\n  with {arguments}, NumPy's seed {seed * 100 + k}"
        return program, None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the programs that fail")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    parser.add_argument("--coverage", action="store_true",
                        help="print what the programs use, in which combinations")
    parser.add_argument("--draw-only", action="store_true",
                        help="run nothing: what would be run, by --coverage")
    parser.add_argument("--no-reduce", action="store_true",
                        help="leave failing programs as they are")
    parser.add_argument("--may-refuse", action="store_true",
                        help="a target may refuse what it cannot do")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--parts", type=lambda text: [int(n) for n in text.split(",")],
                        help="1,3,5: runs each program in so many parts")
    parser.add_argument("--wrap", default="",
                        help="a command that runs the program, as 'mpirun -n 3'")
    parser.add_argument("--timeout", type=int, default=120, help="seconds a run")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    options = parser.parse_args()
    options.refused, options.environment, options.processes = set(), {}, Processes()

    seeds, coverage = range(options.seed, options.seed + options.programs), Coverage()
    if options.print:
        for seed in seeds:
            print(Program(seed).text())
        return
    if options.draw_only:
        for seed in seeds:
            coverage.add(Program(seed))
        coverage.report()
        return
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("differential.py: skipped, there is no NumPy (Debian: python3-numpy)")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checks = [pool.submit(check, options, seed, top) for seed in seeds]
        for seed, done in zip(seeds, checks):
            program, bad = done.result()
            coverage.add(program)
            if not bad:
                continue
            failed += 1
            target = f" --target {options.target}" if options.target else ""
            if options.parts:
                target += " --parts " + ",".join(map(str, options.parts))
            print(f"seed {seed}, {bad}\n  again: differential.py --arrc {options.arrc} "
                  f"--programs 1 --seed {seed}{target}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"p{seed}.arr"), "w") as f:
                    f.write(program.text())
                with open(os.path.join(options.keep, f"p{seed}.txt"), "w") as f:
                    f.write(bad + "\n")
    if options.coverage:
        print(f"seeds {seeds.start} to {seeds.stop - 1}")
        coverage.report()
    if options.refused:
        print(f"refused by the target: {len(options.refused)} programs")
    print(f"differential.py: {options.programs - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
