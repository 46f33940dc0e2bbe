#!/usr/bin/env python3
"""The text of every kernel stage means the same.

    stages.py --bin build/dev/bin [--only NAME]

Each program is taken to the `kernel` level; after each pass of the pipelines
that form, place and schedule kernels, its text is run in the sequential reading
(`kernel-lower-sequential`) and must print what the compiled program prints. Where
every intermediate result is exact the texts must be equal; elsewhere floats may
differ by what another order of a sum makes of them: 64 units of f32 relative to
the larger number.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "examples")

# Program, entry, arguments, whether every intermediate result is exact.
CASES = [
    ("heat", "heat", ["t0=[[0,8,16],[8,24,40],[0,0,64],[32,8,8],[1,2,3]]", "tol=0", "max_iter=2"], True),
    ("matmul", "matmul", ["a=[[1,2,3],[4,5,6]]", "b=[[1,2],[3,4],[5,6]]"], True),
    ("histogram", "histogram", ["x=[0.1,0.2,0.9,0.5,0.15]", "lo=0", "hi=1", "bins=4"], True),
    ("softmax", "softmax", ["x=[[1,2,3],[4,5,6.5]]"], False),
    ("nbody", "nbody", ["bs0.pos=[[0,0,0],[1,0,0],[0,2,0]]", "bs0.vel=[[0,0,0],[0,0.5,0],[0.1,0,0]]", "bs0.mass=[1,2,3]", "dt=0.01", "eps=0.1", "steps=3"], False),
    ("lbm", "lbm", ["f0=[[[0.4,0.1,0.1,0.1,0.1,0.03,0.03,0.03,0.03],[0.4,0.1,0.1,0.1,0.1,0.03,0.03,0.03,0.03]],[[0.5,0.1,0.1,0.1,0.1,0.03,0.03,0.03,0.03],[0.4,0.1,0.2,0.1,0.1,0.03,0.03,0.03,0.03]]]", "wall=[[true,false],[false,false]]", "tau=0.8", "steps=2"], False),
    ("linear", "moments", ["x=[1,2,3,6,-2,8,1,0,4]"], True),
    ("linear", "running_max", ["a=[[1,5],[3,2],[2,9]]"], True),
    ("linear", "cg", ["a=[[4,1],[1,3]]", "b=[1,2]"], False),
]

CLEAN = ["canonicalize", "cse"]
FORM = ["kernel-fuse-launches", "kernel-merge-loops", "kernel-contract-locals", "kernel-form-iterations"]
SCHEDULE = [
    "kernel-merge-dims",
    "kernel-plan-schedules{device=cpu}",
    "kernel-expand-versions",
    "kernel-split-loops",
    "kernel-order-loops",
    "kernel-mask-tails",
    "kernel-split-boundary",
    "kernel-jam-loops",
]


def nested(passes):
    return [f"func.func({p})" if p.startswith(("kernel-", "convert-array")) else p for p in passes]


def stages():
    """Name and passes of each text that is run."""
    form = ["arrc-array-pipeline", "convert-array-to-kernel", *CLEAN]
    for k in range(len(FORM) + 1):
        name = FORM[k - 1] if k else "convert-array-to-kernel"
        yield name, [*form, *FORM[:k], *CLEAN, "arrc-buffer-pipeline"]
    for k in range(1, len(SCHEDULE) + 1):
        yield SCHEDULE[k - 1], [*form, *FORM, *CLEAN, "arrc-buffer-pipeline", *SCHEDULE[:k], *CLEAN]


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)[:300]}\nended with {result.returncode}\n{result.stderr[:1500]}")
    return result.stdout


NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)")


def same(expected, got, exact):
    if expected == got:
        return True
    if exact or NUMBER.sub("#", expected) != NUMBER.sub("#", got):
        return False
    pairs = zip(map(float, NUMBER.findall(expected)), map(float, NUMBER.findall(got)))
    return all(a == b or abs(a - b) <= 64 * 2.0**-23 * max(abs(a), abs(b)) for a, b in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--only")
    args = parser.parse_args()
    arrc, opt = os.path.join(args.bin, "arrc"), os.path.join(args.bin, "arr-opt")
    passed, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for program, entry, inputs, exact in CASES:
            if args.only and args.only not in (program, entry):
                continue
            source = os.path.join(EXAMPLES, program + ".arr")
            expected = run([arrc, "run", source, "--entry", entry, *inputs])
            text = os.path.join(folder, "in.mlir")
            run([arrc, "build", "--emit=array", source, "-o", text])
            for name, passes in stages():
                lowered = os.path.join(folder, "out.mlir")
                pipeline = ",".join(nested([*passes, "kernel-lower-sequential"]))
                try:
                    run([opt, text, f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-debuginfo", "-o", lowered])
                    got = run([arrc, "run", lowered, "--entry", entry, *inputs])
                except RuntimeError as error:
                    failures.append(f"{program} {entry} after {name}: {error}")
                    continue
                if same(expected, got, exact):
                    passed += 1
                else:
                    failures.append(f"{program} {entry} after {name}:\n  {expected}\n  {got}")
    print("\n".join(failures))
    print(f"stages: {passed} agree, {len(failures)} do not")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
