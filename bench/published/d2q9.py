#!/usr/bin/env python3
"""D2Q9, one transformation at a time: what each is worth, taken away from the finished program.

Published: the speedup of each step to the one before, Tesla P100, 128^2 and 1024^2. Here: the time
without the pass that does it, over the time with all.
"""
from published import ROOT, Programs, counts, options, seconds, table

STEPS = {  # published step: (128^2, 1024^2), options that take it away here
    "four kernels fused": ("1.31x", "3.11x", "--without=kernel-fuse-launches,arr-fuse-producers"),
    "struct of arrays": ("1.47x", "5.32x", "--without=arr-choose-layouts"),
    "one buffer for the grid": ("1.39x", "1.01x", "--without=kernel-pack-fields"),
    "partial sums stay on the device": ("1.84x", "1.18x", "--replace=kernel-sink-elements:"),
    "obstacle branch replaced by selection": ("1.00x", "0.98x", "--without=arr-flatten-branches"),
    "interior without checks": ("1.01x", "1.01x", "--without=kernel-split-boundary"),
    "schedules (work-groups)": ("1.01x", "1.01x", "-O0"),
}
args = options(__doc__)
programs = Programs(args)
for size in (16,) if args.small else (128, 256, 1024):
    steps = {name: step for name, step in STEPS.items() if args.only in name}
    values = [f"n={size}", f"m={size}", "density=0.1", "push=0.005", "omega=1.7",
              f"steps={2 if args.small else 2000}"]
    measured = programs.bench(f"{ROOT}/examples/channel.arr", values,
                              {name: step[2] for name, step in steps.items()})
    rows = [["all", "", "", seconds(measured[0]), "1", *counts(measured[0])]]
    for (name, step), row in zip(steps.items(), measured[1:]):
        ratio = "" if "error" in row else f"{row['median_s'] / measured[0]['median_s']:.2f}x"
        rows.append([name, step[0], step[1], seconds(row), ratio, *counts(row)])
    table(f"D2Q9, {size} x {size}", ["without", "published 128", "published 1024", "ours", "of all", "launches",
                                     "sectors", "conflicts", "instructions"], rows)
