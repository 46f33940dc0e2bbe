#!/usr/bin/env python3
"""Every pass of ours, alone, on the text of every level: none may crash.

    passes.py ARRC ARR_OPT SOURCES [FILE.arr..] [--programs=heat,..] [--levels=array,..]
              [--passes=REGEX] [--jobs=N]

SOURCES is the root of the sources, whose Passes.td name the passes. A pass that is
given text of another level leaves it or says what it lacks; arr-opt verifies what comes
out. Prints what died, or failed and said nothing.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

# Small, and of all that levels are made of: folds, scans, stencils in time
# loops, updates, filters, small arrays, complex and small numbers, asserts.
PROGRAMS = {
    "softmax": """
export def f(x: f32[n, m]) -> f32[n, m] =
  for i {
    let mx = max for j { x[i, j] }
    let e  = for j { exp(x[i, j] - mx) }
    let s  = sum(e)
    for j { e[j] / s }
  }
""",
    "heat": """
export def f(t0: f32[n, m], tol: f32, most: int) -> (t: f32[n, m], steps: int) {
  var t = t0
  var err: f32 = inf
  var it = 0
  while err > tol and it < most {
    let u = extend(t, clamp)
    let next = stencil i in n, j in m {
      0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
    }
    err = max for i, j { abs(next[i, j] - t[i, j]) }
    t = next
    it += 1
  }
  (t, it)
}
""",
    "folds": """
export def f(a: f32[n, m], b: bool[n, m]) -> (f32[m], bool[n], f32[n, m], int) {
  assert n > 1
  (sum(a, axis = 0), any(b, axis = 1), scan((+), a, axis = 1), argmax(flatten(a)))
}
""",
    "updates": """
export def f(k: i32[n], x: f16[n], z: c64[n], most: int) -> (int[16], f16[?p], c64[n]) {
  let h = hist((+), 0, 16) for i { (clamp(int(k[i]), 0, 15), 1) }
  let kept = for i in n if x[i] > 0.0 { x[i] }
  (h, kept, z * z)
}
""",
}
LEVELS = {"cpu": "array kernel buffers scheduled scf llvm".split(),
          "cuda": "kernel buffers scheduled gpu llvm".split()}


def passes_of(root):
    """Flags of all passes and where they run, of the Passes.td below `root`."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "include")):
        for name in names:
            if name == "Passes.td":
                text = open(os.path.join(folder, name)).read()
                found += re.findall(r'Pass<"([^"]+)"(?:,\s*"([^"]+)")?>', text)
    anchors = {"func::FuncOp": "func.func", "::mlir::func::FuncOp": "func.func",
               "gpu::GPUModuleOp": "gpu.module", "::mlir::gpu::GPUModuleOp": "gpu.module"}
    return [(flag, anchors.get(op, "")) for flag, op in sorted(set(found))]


def check(arr_opt, file, flag, anchor):
    """What is wrong with the pass on the text of `file`, or None."""
    inner = f"{anchor}({flag})" if anchor else flag
    done = subprocess.run(
        [arr_opt, file, f"--pass-pipeline=builtin.module({inner})", "-o", os.devnull],
        capture_output=True, text=True)
    if done.returncode == 0:
        return None
    if done.returncode == 1 and "error:" in done.stderr and "Assertion" not in done.stderr:
        return None
    said = [line for line in done.stderr.splitlines() if re.search("Assertion|error", line)]
    return f"exit {done.returncode}: {said[0][:300] if said else 'nothing said'}"


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    options = dict(re.fullmatch(r"--(\w+)=(.*)", a).groups() for a in flags)
    arrc, arr_opt, root, *files = [a for a in sys.argv[1:] if a not in flags]
    wanted = re.compile(options.get("passes", "."))
    levels = options.get("levels", "").split(",") if "levels" in options else None
    passes = [p for p in passes_of(root) if wanted.search(p[0])]
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            for name in options.get("programs", ",".join(PROGRAMS)).split(","):
                text = PROGRAMS[name]
                files.append(os.path.join(folder, name + ".arr"))
                open(files[-1], "w").write(text)
        texts = []
        for file in files:
            for target in LEVELS:
                for level in LEVELS[target]:
                    if levels and level not in levels:
                        continue
                    text = os.path.join(folder, f"{os.path.basename(file)}.{target}.{level}.mlir")
                    made = subprocess.run(
                        [arrc, "build", file, f"--target={target}", f"--emit={level}",
                         "--no-locations", "-o", text], capture_output=True, text=True)
                    if made.returncode:
                        sys.exit(f"{file} at {target} {level}: {made.stderr}")
                    texts.append(text)
        bad = 0
        with concurrent.futures.ThreadPoolExecutor(int(options.get("jobs", "2"))) as pool:
            runs = [(text, flag, pool.submit(check, arr_opt, text, flag, anchor))
                    for text in texts for flag, anchor in passes]
            for text, flag, run in runs:
                if problem := run.result():
                    bad += 1
                    print(f"{os.path.basename(text)} --{flag}: {problem}")
        print(f"{len(runs)} runs of {len(passes)} passes, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
