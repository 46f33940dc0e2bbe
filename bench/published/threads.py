#!/usr/bin/env python3
"""Hand-written reductions, scans and bitonic sorts in blocks of 32 to 1024 threads, beside the plain program.

Published (GTX 480): shapes only; the aim is that the plain program takes at most 1.05 of the best.
"""
from handwritten import bitonic, reduction, scan
from published import METRICS, Programs, counts, options, ratio, seconds, table

SUM = "export def f(in0: f32[n]) -> (out0: f32[1]) {\n  let s = sum(in0)\n  for i in 1 { s }\n}\n"
ROWS = "export def f(in0: f32[n, m]) -> (out0: f32[n, m]) {\n  for i in n { scan((+)) for j in m { in0[i, j] } }\n}\n"
SORT = "export def f(in0: i32[n, m]) -> (out0: i32[n, m]) {\n  for i in n { sort(in0[i, :]) }\n}\n"
args = options(__doc__)
programs = Programs(args)
sizes = (32, 128) if args.small else (32, 64, 128, 256, 512, 1024)
elements = 2048 if args.small else 2**26
for name, published, plain, make in (
        ("sum", "no effect of passes but above 256 threads", SUM, lambda t: reduction(t, True, t > 32, 4)),
        ("scan of rows", "more work a thread is faster", ROWS, scan),
        ("bitonic sort of rows", "generated faster than by hand, chunks of 512", SORT, bitonic)):
    if args.only not in name:
        continue
    rows, program = [], programs.write(f"{name.split()[0]}.arr", plain)
    kernels = {threads: programs.write(f"{name.split()[0]}{threads}.mlir", make(threads)) for threads in sizes}
    cases = [([f"n={elements}"], sizes)] if name == "sum" else [([f"n={elements // t}", f"m={t}"], (t,)) for t in sizes]
    for values, together in cases:
        measured = programs.bench(program, [*values, "--tolerance=1e-3"], {f"kernel {t}": kernels[t] for t in together})
        for threads, row in zip(together, measured[1:]):
            rows.append([threads, seconds(row), seconds(measured[0]), ratio(measured[0], row), *counts(row)])
    table(f"{name}; published: {published}", ["threads", "kernel", "plain program", "plain of kernel", *METRICS], rows)
