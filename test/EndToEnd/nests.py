#!/usr/bin/env python3
"""Random loop nests (bench/nests.py) of small sizes through the compiler.

    nests.py --arrc build/dev/bin/arrc [--target T] [--seed S] [--count N] [--jobs J]

Each is run with random inputs by 'arrc run --check', against the reference evaluator:
schedules that depend on sizes, operands that are broadcast or permuted, folds over any
dimensions. Prints the seed, and the command of each that fails.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "bench"))
import nests  # noqa: E402
from processes import Processes  # noqa: E402

DTYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "u8": "uint8",
          "i32": "int32", "i64": "int64"}


def check(options, folder, nest):
    """What went wrong, or nothing."""
    stem = os.path.join(folder, f"{nest.kind}{nest.number}")
    with open(stem + ".arr", "w") as f:
        f.write(nest.text)
    rng = numpy.random.default_rng(nest.number)
    command = [options.arrc, "run", f"--target={options.target}", "--check", stem + ".arr"]
    for name, (shape, type) in nest.inputs.items():
        values = (rng.uniform(-1, 1, shape) if type[0] == "f"
                  else rng.integers(0, 5, shape)).astype(DTYPES[type])
        numpy.save(f"{stem}-{name}.npy", values)
        command.append(f"{name}=@{stem}-{name}.npy")
    try:
        done = options.processes.run(command, options.timeout, options.environment)
    except subprocess.TimeoutExpired:
        return f"{nest.name}: no end in {options.timeout} s\n{nest.text}"
    if done.returncode:
        return (f"{nest.name}: exit code {done.returncode}\n{nest.text}"
                f"{done.stderr[-800:]}\n{' '.join(command)}")
    # A version of a kernel that fell back, though another one ran.
    if "runs in one thread" in done.stderr:
        return f"{nest.name}: {done.stderr[-800:]}\n{nest.text}{' '.join(command)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--kinds", default=",".join(nests.CLASSES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=300, help="seconds a run")
    options = parser.parse_args()
    options.environment, options.processes = {}, Processes()
    print(f"nests.py: seed {options.seed}")
    failed = 0
    drawn = list(nests.draw(options.seed, options.count, options.kinds.split(","), small=True))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for problem in pool.map(lambda nest: check(options, folder, nest), drawn):
            if problem:
                failed += 1
                print(problem, flush=True)
    print(f"nests.py: {len(drawn) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
