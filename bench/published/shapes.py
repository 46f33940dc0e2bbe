#!/usr/bin/env python3
"""Block shapes for every kernel of the nine programs of Bohrium: what a search finds that the planner did not.

Published: time of the whole program after a search over 31 to 150 shapes, and of single kernels where given, on
a GTX 970, in code whose axes were swapped. Here each kernel is timed by itself in all shapes, then the program
with the best of each.
"""
from blocks import Search
from published import Programs, options, ratio, table

PUBLISHED = {
    "Leibnitz Pi": "-1 %; 128: 10.3 s, 320: 10.2 s", "Galton bean machine": "0", "N-body": "-17 %", "X-ray": "-10 %",
    "Magnetic field": "-60 %; 128x1x1: 302 s, 1x1x32: 10.5 s", "Heat": "-90 %; 32x4: 22.1 s, 1x928: 1.71 s",
    "Shallow water": "-60 %; 128x1: 19.5 s, 1x96: 3.82 s",
    "Lattice Boltzmann": "9 to 12 points; 128x1x1: 2.96 s, 1x1x64: 0.227 s"}
args = options(__doc__)
programs, rows = Programs(args), []
for name, file, values in programs.nine():
    found = Search(programs, file, values, 3 if args.small else 16)
    if args.ahead:
        continue
    if not found.times:
        rows.append([name, "", PUBLISHED.get(name, "not given"), programs.said, "", "", "", ""])
    for kernel, times in sorted(found.times.items(), key=lambda item: -item[1].get(None, 0)):
        number = min(times, key=times.get)
        near = [found.label(kernel, k) for k, time in times.items() if k != number and time < 1.02 * times[number]]
        own = times.get(None, float("nan"))
        rows.append([name, kernel, "", f"{found.label(kernel, None)}: {own * 1e6:.1f} us",
                     f"{found.label(kernel, number)}: {times[number] * 1e6:.1f} us", f"{own / times[number]:.3f}",
                     len(times), ", ".join(near[:4])])
    if found.times:
        plain, best = programs.bench(file, values, {"best": found.file(found.best)} if found.best else {"best": "-O3"})
        rows.append([name, "all, with the best of each", PUBLISHED.get(name, "not given"), "", "", ratio(plain, best) or best.get("error"),
                     "", ""])
table("Block shapes for every kernel", ["program", "kernel", "published", "planner's", "best", "planner's of best",
                                        "shapes", "within 2 % of the best"], rows)
