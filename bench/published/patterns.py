#!/usr/bin/env python3
"""18 stencil, 20 histogram and 12 reduction kernels, one parameter varied at a time, with their metrics.

Published: which was best of each (Nsight; no numbers in the text). Here each is a schedule that a script
gives the one kernel of a program; the first row is what the planner chose.
"""
from published import METRICS, Programs, counts, options, ratio, scheduled, seconds, table

STENCIL = """export def f(x: f32[n, n, n]) -> f32[n, n, n] {
  let u = extend(x, clamp)
  stencil i in n, j in n, k in n {
    u[i, j, k] * 0.5 + (u[i-1, j, k] + u[i+1, j, k] + u[i, j-1, k] + u[i, j+1, k] + u[i, j, k-1] + u[i, j, k+1])
  }
}
"""
HISTOGRAM = "export def f(x: i32[n]) -> (h: i32[26]) {\n  hist((+), 0, 26) for i { (x[i], 1) }\n}\n"
SUM = "export def f(x: f32[n]) -> f32 {\n  sum for i { x[i] }\n}\n"
SHAPES = {"16x16": (16, 16), "32x8": (32, 8), "32x32": (32, 32), "64x4": (64, 4), "128x2": (128, 2), "8x8": (8, 8)}
KINDS = {"global atomics": (1, False, 0), "private shared": (1, False, 1), "private, 32 copies": (1, False, 32),
         "private, coarsened interleaved 8": (8, False, 1), "private, coarsened contiguous 8": (8, True, 1)}
stencils = {f"block {name}, coarsened {c}": (f"i = [block.2, {f'unroll {c}' if c > 1 else 'seq 1'}], j = [block.1, thread.y {y}], "
            f"k = [block.0, thread.x {x}], order = [i.0, j.0, k.0, i.1, j.1, k.1]", "") for name, (x, y) in SHAPES.items() for c in (1, 4, 14)}
histograms = {f"{kind}, block {t}": ("i = [seq, block.0 132, " + (f"thread.x {t}, unroll {c}]" if together else f"unroll {c}, thread.x {t}]"),
              f'privatize %k "h" at "i.1" {{copies = {copies} : i64}}' if copies else "")
              for kind, (c, together, copies) in KINDS.items() for t in (128, 256, 512, 1024)}
sums = {f"coarsened {c}, block {t}": (f"i = [block.0 132, seq, unroll {c}, thread.x {t}]", "") for c in (1, 4, 8) for t in (128, 256, 512, 1024)}
args, programs = options(__doc__), None
for name, best, text, kinds, small, large in (
        ("stencil", "coarsened 14, block 16x16x1", STENCIL, stencils, ["n=18"], ["n=512"]),
        ("histogram", "coarsened contiguous 8, block 1024", HISTOGRAM, histograms, ["n=5000", "x=random(0,25)"], ["n=1000000", "x=random(0,25)"]),
        ("reduction", "coarsened, block 256", SUM, sums, ["n=5000"], ["n=32000000"])):
    programs, kinds = programs or Programs(args), {label: kind for label, kind in kinds.items() if args.only in f"{name} {label}"}
    variants = {label.replace(",", ";"): "--transform=" + programs.write(f"{name}{k}.mlir", scheduled(*kind)) for k, (label, kind) in enumerate(kinds.items())}
    measured = programs.bench(programs.write(f"{name}.arr", text), [*(small if args.small else large), "--tolerance=1e-4"], variants)
    table(f"{name}: published best {best}", ["kernel", "time", "of the planner's", *METRICS],
          [[label, seconds(row), ratio(row, measured[0]), *counts(row)] for label, row in zip(["the planner's", *kinds], measured)])
