#!/usr/bin/env python3
"""What each pass is worth on each of the nine programs of Bohrium: the time without it over the time with all.

Published: what each change of that compiler was worth (time against its original; GTX 970). `same` is the same code.
"""
from published import Programs, counts, options, ratio, seconds, table

PASSES = {  # what is taken away: published
    "--without=arr-fuse-producers": "fusion: no notable difference in two versions", "--without=kernel-fuse-launches": "the same",
    "--without=arr-hoist-invariants": "", "--without=arr-flatten-branches": "", "--without=arr-fuse-slices": "",
    "--without=arr-rotate-loops": "", "--without=arr-transpose-reductions": "reduced axes innermost: Lattice Boltzmann, X-ray slightly",
    "--without=arr-choose-layouts": "innermost rank on neighbours: Heat -90 %, Shallow water -66 %, MFE +779 %",
    "--without=kernel-merge-loops": "", "--without=kernel-contract-locals": "", "--without=kernel-permute-results": "",
    "--without=kernel-plan-destinations": "", "--without=kernel-spread-steps": "", "--without=kernel-sink-steps": "",
    "--without=kernel-enclose-loops": "", "--without=kernel-merge-dims": "", "--without=kernel-stage-operands": "",
    "--without=kernel-split-boundary": "", "--without=kernel-pack-fields": "", "--without=gpu-overlap-launches": "",
    "--fact=shared_bytes=0": "vector sums on the GPU: -76, -67, -60 %; segments: MFE 262 to 40 s", "--fact=subgroup=0": "",
    "--fact=ordered_blocks=0": "", "--fact=vector_bytes=1": "", "-O0": "all together: -60 to -90 %, MFE slower"}
args = options(__doc__)
programs = Programs(args)
wanted = {name: (file, values) for name, file, values in programs.nine()}
found = {name: programs.bench(file, [*values, "--tolerance=1e-3"], {words.lstrip("-").replace("=", " "): words for words in PASSES})
         for name, (file, values) in wanted.items()}
rows = [["all", "", *(seconds(rows[0]) for rows in found.values())]]
for number, (words, published) in enumerate(PASSES.items()):
    each = [(rows[0], rows[number + 1]) for rows in found.values()]
    rows.append([words, published, *(ratio(without, plain) or seconds(without) for plain, without in each)])
table("What each pass is worth", ["without", "published", *found], rows)
launches = [["all", *(counts(rows[0])[0] for rows in found.values())]]
table("Launches", ["", *found], launches + [[words, *(counts(rows[number + 1])[0] for rows in found.values())]
                                            for number, words in enumerate(PASSES)])
