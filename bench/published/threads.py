#!/usr/bin/env python3
"""Hand-written reductions, scans and bitonic sorts in blocks of 32 to 1024 threads, beside the plain program.

Published (GTX 480): shapes only; the aim is that the plain program takes at most 1.05 of the best.
"""
from handwritten import bitonic, reduction, scan
from published import Programs, counts, options, seconds, table

SUM = "export def f(in0: f32[n]) -> (out0: f32[1]) {\n  let s = sum(in0)\n  for i in 1 { s }\n}\n"
ROWS = "export def f(in0: f32[n, m]) -> (out0: f32[n, m]) {\n  for i in n { scan((+)) for j in m { in0[i, j] } }\n}\n"
SORT = "export def f(in0: i32[n, m]) -> (out0: i32[n, m]) {\n  for i in n { sort(in0[i, :]) }\n}\n"
args = options(__doc__)
programs = Programs(args)
sizes = (32, 128) if args.small else (32, 64, 128, 256, 512, 1024)
elements = 2048 if args.small else 2**26
HEAD = ["threads", "kernel", "plain program", "plain of kernel", "launches", "sectors", "conflicts", "instructions"]
for name, plain, make in (("sum", SUM, lambda t: reduction(t, True, t > 32, 4)), ("scan of rows", ROWS, scan),
                          ("bitonic sort of rows", SORT, bitonic)):
    if args.only not in name:
        continue
    rows, program = [], programs.write(f"{name.split()[0]}.arr", plain)
    for threads in sizes:
        values = [f"n={elements}"] if name == "sum" else [f"n={elements // threads}", f"m={threads}"]
        kernel = programs.write(f"k{threads}.mlir", make(threads))
        measured = programs.bench(program, [*values, "--tolerance=1e-3"], {"kernel": kernel})
        if "error" in measured[-1] or "error" in measured[0]:
            rows.append([threads, seconds(measured[-1]), seconds(measured[0]), "", "", "", "", ""])
            continue
        rows.append([threads, seconds(measured[1]), seconds(measured[0]),
                     f"{measured[0]['median_s'] / measured[1]['median_s']:.2f}", *counts(measured[1])])
    table(name, HEAD, rows)
