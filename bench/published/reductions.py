#!/usr/bin/env python3
"""Six reductions of 805,306,368 f32 as hand-written kernels, beside the plain sum.

Published: GB/s on a GTX 970 (224 GB/s), OpenCL. Within warps these use shuffles where the published
ones leave barriers out, which cards of today do not allow.
"""
from handwritten import reduction
from published import METRICS, Programs, counts, options, ratio, seconds, table

KINDS = {  # published GB/s of 3 GB and of 524,288, then halves, warps, elements
    "tree, values left in place, barrier each level": ("15.88", "", False, False, 1),
    "... barriers only where warps meet": ("34.37", "", False, True, 1),
    "compacting tree, barrier each level": ("44.75", "", True, False, 1),
    "... barriers only where warps meet ": ("66.47", "", True, True, 1),
    "long-lived warps, 2 elements a step": ("66.06", "37.43", True, True, 2),
    "... 4 elements a step": ("84.86", "45.02", True, True, 4),
    "... 8 elements a step": ("85.20", "44.85", True, True, 8),
}
SUM = "export def f(in0: f32[n]) -> (out0: f32[1]) {\n  let s = sum(in0)\n  for i in 1 { s }\n}\n"
args = options(__doc__)
programs = Programs(args)
plain = programs.write("plain.arr", SUM)
kinds = {name: kind for name, kind in KINDS.items() if args.only in name}
variants = {name.replace(",", ";"): programs.write(f"k{k}.mlir", reduction(256, *kind[2:]))
            for k, (name, kind) in enumerate(kinds.items())}
for which, count in enumerate((4096,) if args.small else (805306368, 524288)):
    measured = programs.bench(plain, [f"n={count}", "--tolerance=1e-3"], variants)
    rate = lambda row: "" if "error" in row else f"{4e-9 * count / row['median_s']:.1f}"
    rows = [["plain program", "", rate(measured[0]), seconds(measured[0]), "1", *counts(measured[0])]]
    for (name, kind), row in zip(kinds.items(), measured[1:]):
        rows.append([name, kind[which], rate(row), seconds(row), ratio(measured[0], row), *counts(row)])
    table(f"Sums of {count} f32", ["kernel", "published GB/s", "GB/s", "time", "plain of it", *METRICS], rows)
