#!/usr/bin/env python3
"""Six reductions of 805,306,368 f32 as hand-written kernels, beside the plain sum.

Published: GB/s on a GTX 970 (224 GB/s), OpenCL. Within warps these use shuffles where the published
ones leave barriers out, which cards of today do not allow.
"""
from handwritten import reduction
from published import Programs, counts, options, seconds, table

KINDS = {  # published GB/s, then halves, warps, elements
    "tree, values left in place, barrier each level": (15.88, False, False, 1),
    "... barriers only where warps meet": (34.37, False, True, 1),
    "compacting tree, barrier each level": (44.75, True, False, 1),
    "... barriers only where warps meet ": (66.47, True, True, 1),
    "long-lived warps, 2 elements a step": (66.06, True, True, 2),
    "... 4 elements a step": (84.86, True, True, 4),
    "... 8 elements a step": (85.20, True, True, 8),
}
args = options(__doc__)
programs = Programs(args)
count = 4096 if args.small else 805306368
plain = programs.write("plain.arr", """export def f(in0: f32[n]) -> (out0: f32[1]) {
  let s = sum(in0)
  for i in 1 { s }
}
""")
kinds = {name: kind for name, kind in KINDS.items() if args.only in name}
variants = {name.replace(",", ";"): programs.write(f"k{k}.mlir", reduction(256, *kind[1:]))
            for k, (name, kind) in enumerate(kinds.items())}
measured = programs.bench(plain, [f"n={count}", "--tolerance=1e-3"], variants)
rows = [["plain program", "", seconds(measured[0]), *counts(measured[0])]]
for (name, kind), row in zip(kinds.items(), measured[1:]):
    rows.append([name, kind[0], seconds(row), *counts(row)])
table(f"Sums of {count} f32", ["kernel", "published GB/s", "ours", "launches", "sectors", "conflicts",
                              "instructions"], rows)
