#!/usr/bin/env python3
"""Benchpress's nine programs in NumPy's text, by NumPy and by arrc.numpy.

    utils/python.sh run bench/numpy_programs.py [--cores N] [--target T] [NAME ..]

Each program of examples/numpy runs in a process of its own, on the first N cores: by NumPy the
best of three times, by arrc.numpy first, second, and the best of three more. Results are
compared. The last line is the geometric mean of NumPy's seconds over ours of the second
run. --json FILE keeps the numbers.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples" / "numpy"
#: Arguments of `run`, at which NumPy takes some tenths of a second or more.
SIZES = {
    "black_scholes": (2_000_000, 5), "game_of_life": (2000, 20), "gauss": (1600,),
    "heat_equation": (2000, 40), "leibnitz_pi": (10_000_000,), "lu": (1600,),
    "montecarlo_pi": (10_000_000,), "nbody": (1000, 40), "shallow_water": (1000, 20)}


def load(name: str, module):
    text = (FOLDER / f"{name}.py").read_text().replace("import numpy as np", "")
    scope = {"__name__": name, "np": module}
    exec(compile(text, f"{name}.py", "exec"), scope)
    return scope["run"]


def timed(function, arguments):
    import numpy
    start = time.perf_counter()
    made = numpy.asarray(function(*arguments))
    return time.perf_counter() - start, made


def measure(name: str, target: str) -> dict:
    import numpy
    import arrc.numpy
    arrc.numpy.errors("ignore")
    arrc.numpy.device(target)
    theirs, ours = load(name, numpy), load(name, arrc.numpy)
    runs = [timed(theirs, SIZES[name]) for _ in range(3)]
    own = [timed(ours, SIZES[name]) for _ in range(5)]
    wanted = runs[0][1]
    return {"name": name, "numpy": min(seconds for seconds, _ in runs),
            "first": own[0][0], "second": own[1][0], "best": min(s for s, _ in own[2:]),
            "right": all(numpy.allclose(made, wanted, 1e-9, 1e-12) for _, made in own)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    if options.one:
        print(json.dumps(measure(options.names[0], options.target)))
        return 0
    cores = sorted(os.sched_getaffinity(0))[:options.cores]
    os.sched_setaffinity(0, cores)
    environment = {**os.environ, "ARRC_THREADS": str(len(cores)),
                   "OPENBLAS_NUM_THREADS": str(len(cores))}
    rows = []
    print(f"| on {len(cores)} cores | arguments | NumPy, s | first, s | second, s | best, s | "
          "NumPy / second |\n|---|---|---|---|---|---|---|")
    for name in options.names or sorted(SIZES):
        done = subprocess.run([sys.executable, __file__, "--one", "--target", options.target, name],
                              env=environment, capture_output=True, text=True)
        if done.returncode:
            print(f"| {name} | failed: {done.stderr.strip().splitlines()[-1]} |")
            return 1
        row = json.loads(done.stdout)
        rows.append(row)
        print(f"| {name}{'' if row['right'] else ' WRONG'} | {', '.join(map(str, SIZES[name]))} "
              f"| {row['numpy']:.3f} | {row['first']:.3f} | {row['second']:.4f} | {row['best']:.4f} "
              f"| {row['numpy'] / row['second']:.2f} |", flush=True)
    mean = math.exp(sum(math.log(row["numpy"] / row["second"]) for row in rows) / len(rows))
    print(f"\nGeometric mean {mean:.2f}.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row["right"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
