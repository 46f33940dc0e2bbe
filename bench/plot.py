#!/usr/bin/env python3
"""A picture of what run.py measured: the fraction of the roof, by workload.

    plot.py RESULTS.json OUT.svg
"""

import json
import sys


def draw(found, path):
    """Writes the picture. Says so where there is no matplotlib."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    works = list(dict.fromkeys(r["workload"] for r in found["rows"]))
    kinds = {"arrc": ("arrc", "#c1272d", "o"), "torch": ("torch", "#888888", "s"),
             "torch.compile": ("torch.compile", "#444444", "v"),
             "jax.jit": ("JAX", "#0077bb", "^")}
    figure, axis = pyplot.subplots(figsize=(9, 0.22 * len(works) + 1.5))
    seen = set()
    for row in found["rows"]:
        label, color, marker = kinds.get(row["by"], ("CUDA by hand, CUB", "#009988", "D"))
        axis.plot(row["roof"] / row["seconds"], works.index(row["workload"]), marker,
                  color=color, markersize=7 if label == "arrc" else 5,
                  label=None if label in seen else label)
        seen.add(label)
    axis.set_yticks(range(len(works)), works, fontsize=7)
    axis.invert_yaxis()
    axis.set_xlim(0, 1.1)
    axis.axvline(1, color="black", linewidth=0.5)
    axis.grid(axis="x", linewidth=0.3)
    axis.set_xlabel("fraction of the roof")
    axis.set_title(found["machine"], fontsize=8)
    axis.legend(fontsize=7, loc="lower left")
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    with open(sys.argv[1]) as results:
        draw(json.load(results), sys.argv[2])
