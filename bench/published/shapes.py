#!/usr/bin/env python3
"""Block shapes for the nine programs of Bohrium: what a search finds that the planner did not.

Published: time of the whole program after a search over 31 to 150 shapes, on a GTX 970, in
code whose axes were swapped. Here: 'arrc tune' over the threads of blocks and their shapes.
"""
import re
import subprocess

from published import ROOT, Programs, options, table

NINE = {  # program, export, arguments (small), arguments, published gain of the search
    "Monte Carlo Pi": ("chance", "pi_mc", "samples=4096 seed=7", "samples=500000000 seed=7", "not given"),
    "Leibnitz Pi": ("chance", "leibniz", "terms=4096", "terms=500000000", "-1 %"),
    "Galton bean machine": ("chance", "galton", "beans=512 rows=8 seed=7", "beans=5000000 rows=100 seed=7", "0"),
    "N-body": ("nbody", "nbody", "n=64 dt=0.01 eps=0.1 steps=1", "n=8000 dt=0.01 eps=0.1 steps=10", "-17 %"),
    "X-ray": ("xray", "xray", "n=6 m=6", "n=128 m=128", "-10 %"),
    "Magnetic field": ("magnetic", "magnetic", "n=8 h=4", "n=80 h=80", "-60 %"),
    "Heat": ("heat", "heat", "n=40 m=40 tol=0.0 max_iter=2", "n=11000 m=11000 tol=0.0 max_iter=20", "-90 %"),
    "Shallow water": ("water", "water", "n=40 m=40 dx=1.0 t_end=0.1", "n=5600 m=5600 dx=1.0 t_end=2.0", "-60 %"),
    "Lattice Boltzmann": ("lbm", "lbm", "n=32 m=32 tau=0.7 steps=2", "n=1900 m=1900 tau=0.7 steps=20", "9 to 12 points"),
}
args = options(__doc__)
programs, rows = Programs(args), []
for name, (file, entry, small, large, published) in NINE.items():
    if args.only not in name:
        continue
    words = [args.arrc, "tune", f"{ROOT}/examples/{file}.arr", f"--entry={entry}", f"--target={args.target}",
             "--over=threads=64..512,shape", f"--most={3 if args.small else 60}",
             f"--seconds={0.01 if args.small else 0.3}", f"--journal={programs.folder}/{entry}.journal",
             f"--schedule={programs.folder}/{entry}.schedules", *(small if args.small else large).split()]
    done = subprocess.run(words, capture_output=True, text=True)
    best = re.findall(r"([\d.]+) of the planner's time", done.stdout)
    count = re.search(r"(\d+) candidates", done.stdout)
    found = f"{100 * (float(best[-1]) - 1):.0f} %" if best else "0" if count else done.stderr.strip()[-80:]
    rows.append([name, published, found, count.group(1) if count else ""])
table("Block shapes by search", ["program", "published", "ours", "shapes tried"], rows)
