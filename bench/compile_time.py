#!/usr/bin/env python3
"""What compiling a program of one kernel takes, from its text to loaded code.

    compile_time.py --arrc bin/arrc [--target cuda] [--runs 20] [--out FILE.md]

Runs `arrc run --time` with an empty cache and with a filled one, the driver's own
cache off, and sums up the stages from the text to the end of the first call, which
loads the kernel; finding the device, the start of the process and the context are
reported apart. Every run is a process of its own, so each number includes first uses
of the compiler's code. Medians; prints a table and, with --out, appends it to a file.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAMS = {
    "saxpy": ("export def f(a: f32, x: f32[n], y: f32[n]) -> f32[n] = a * x + y\n",
              ["a=2", "x=[1,2,3]", "y=[1,2,3]"]),
    "sum of rows": ("export def f(x: f32[n, m]) -> f32[n] = sum(x, axis = 1)\n",
                    ["x=[[1,2,3],[4,5,6]]"]),
    "stencil": ("export def f(a: f32[n, m]) -> f32[n, m] {\n"
                "  let u = extend(a, clamp)\n  stencil i in n, j in m {\n"
                "    0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])\n  }\n}\n",
                ["a=[[1,2,3],[4,5,6]]"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out")
    options = parser.parse_args()
    lines = ["| program | cache | text to result, ms | least, most | device found, ms "
             "| process in all, ms | stages, ms |", "|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "CUDA_CACHE_DISABLE": "1", "NO_COLOR": "1"}
        for name, (text, arguments) in PROGRAMS.items():
            path = os.path.join(folder, "program.arr")
            with open(path, "w") as f:
                f.write(text)
            for cached in (False, True):
                cache, totals, found, whole, stages = "", [], [], [], {}
                for k in range(options.runs + 1):
                    if not cached or not cache:
                        cache = os.path.join(folder, f"{name}-{cached}-{k}".replace(" ", "-"))
                    begin = time.perf_counter()
                    done = subprocess.run(
                        [options.arrc, "run", path, "--time", f"--target={options.target}",
                         *arguments], capture_output=True, text=True,
                        env={**env, "ARRC_CACHE": cache})
                    took = (time.perf_counter() - begin) * 1e3
                    if done.returncode:
                        sys.exit(done.stderr)
                    if k == 0:  # fills the cache, warms the file system
                        continue
                    times = {stage.strip(): float(ms) for stage, ms in re.findall(
                        r"^time: (.*?)\s+([0-9.]+) ms$", done.stderr, re.M)}
                    found.append(times.pop("device", 0.0))
                    times.pop("context", None)
                    # Kernels are loaded when they are first launched.
                    call = re.search(r"^f: ([0-9.]+) s$", done.stderr, re.M)
                    times["first call"] = float(call.group(1)) * 1e3 if call else 0.0
                    totals.append(sum(times.values()))
                    whole.append(took)
                    for stage, ms in times.items():
                        stages.setdefault(stage, []).append(ms)
                parts = ", ".join(f"{stage} {statistics.median(ms):.1f}"
                                  for stage, ms in stages.items())
                lines.append(f"| {name} | {'filled' if cached else 'empty'} | "
                             f"{statistics.median(totals):.1f} | {min(totals):.1f}, "
                             f"{max(totals):.1f} | {statistics.median(found):.1f} | "
                             f"{statistics.median(whole):.1f} | {parts} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        with open(options.out, "a") as f:
            f.write("\n" + text)


if __name__ == "__main__":
    main()
