#!/usr/bin/env python3
"""D2Q9, one transformation at a time: what each is worth, taken away from the finished program.

Published: the speedup of each step to the one before, Tesla P100, 128^2, 256^2 and 1024^2. Here: the time
without the pass that does it, over the time with all.
"""
from published import METRICS, ROOT, Programs, counts, options, ratio, seconds, table

STEPS = {  # published step: its speedups, options that take it away here
    "four kernels fused": (("1.31", "1.75", "3.11"), "--without=kernel-fuse-launches,arr-fuse-producers"),
    "struct of arrays": (("1.47", "1.89", "5.32"), "--without=arr-choose-layouts"),
    "one buffer for the grid": (("1.39", "1.30", "1.01"), "--without=kernel-pack-fields"),
    "local-memory sum": (("1.39", "1.34", "1.25"), "--fact=shared_bytes=0"),
    "... a tree within warps": (("1.03", "1.05", "1.01"), "--fact=subgroup=0"),
    "partial sums stay on the device": (("1.84", "2.52", "1.18"), "--replace=kernel-sink-elements:"),
    "... summed by the last block": (("", "", ""), "--fact=ordered_blocks=0"),
    "obstacle branch replaced by selection": (("1.00", "1.07", "0.98"), "--without=arr-flatten-branches"),
    "inflow kernel fused in by masking": (("2.04", "1.12", "1.04"), "--without=arr-rotate-loops,arr-fuse-slices"),
    "interior without checks": (("1.01", "1.01", "1.01"), "--without=kernel-split-boundary"),
    "launches that overlap": (("", "", ""), "--without=gpu-overlap-launches"),
    "all of it (published: final to start)": (("176.2", "384.5", "426.1"), "-O0"),
}
args = options(__doc__)
programs, steps = Programs(args), 2 if args.small else 200
for which, size in enumerate((16,) if args.small else (128, 256, 1024)):
    kinds = {name: step for name, step in STEPS.items() if args.only in name}
    values = [f"n={size}", f"m={size}", "density=0.1", "push=0.005", "omega=1.7", f"steps={steps}", "--tolerance=1e-3"]
    measured = programs.bench(f"{ROOT}/examples/channel.arr", values, {name: step[1] for name, step in kinds.items()})
    rows = [["all", "", seconds(measured[0]), "1", *counts(measured[0])]]
    for (name, step), row in zip(kinds.items(), measured[1:]):
        rows.append([name, step[0][which], seconds(row), ratio(row, measured[0]), *counts(row)])
    table(f"D2Q9, {size} x {size}, {steps} steps", ["without", "published", "ours", "of all", *METRICS], rows)
