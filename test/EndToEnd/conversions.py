#!/usr/bin/env python3
"""Every conversion of a scalar type to another, against the evaluator.

    conversions.py --arrc build/dev/bin/arrc [--only TYPE] [--target T] [--jobs N]

Writes a program for each type, which converts to all of them: elements of arrays
(corner values included), elements of a table of constants, choices between
constants, conditions as numbers and their negatives, and what a condition was made
on the way. Each runs by 'arrc run --check': the results have no tolerance.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("conversions.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
TYPES = ["bool"] + SIGNED + UNSIGNED + FLOATS
CORNERS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 127.5, 128.0, -128.5, 255.5,
           256.0, 32767.5, -32769.0, 65504.0, 65536.0, 1e-8, 5.9e-8, 2.0**31, -(2.0**31),
           2.0**32, 2.0**63, -(2.0**63), 2.0**64, 1e30, -1e30, 3.4e38, 1e-40, np.inf,
           -np.inf, np.nan, 16777217.0, 0.1]
NUMPY = {"bool": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "bf16": np.float32}
NUMPY |= {t: np.dtype(t.replace("i", "int").replace("u", "uint")).type
          for t in SIGNED + UNSIGNED}


def constants(t):
    """Pairs of literals of a type: what a branch chooses from."""
    if t == "bool":
        return [("true", "false"), ("false", "true")]
    bits = int(t.lstrip("bfiu"))
    if t in UNSIGNED:
        return [("1", "0"), ("0", "1"), (str(2**bits - 1), "0")]
    if t in SIGNED:
        return [("-1", "0"), ("0", "-1"), ("1", "0"), ("-1", "1"),
                (str(2**(bits - 1) - 1), "-1")]
    return [("-1.0", "0.0"), ("0.0", "-1.0"), ("1.0", "0.0"), ("-0.0", "1.0"),
            ("-1.5", "200.0")]


def program(t):
    """Converts `t` to every type, in as many ways as there are."""
    # bf16 has no files: it comes and goes as f32.
    outside = "f32" if t == "bf16" else t
    out = lambda to, value: f"f32({to}({value}))" if to == "bf16" else f"{to}({value})"
    x = f"{t}(x[i])" if t != outside else "x[i]"
    table = [c for pair in constants(t) for c in pair]
    element = lambda c: f"{t}({c})" if t != "bool" else c
    ways = [x, f"table[i % {len(table)}]"]
    for yes, no in constants(t):
        ways.append(f"if c[i] > 0 {{ {element(yes)} }} else {{ {element(no)} }}")
    ways.append(f"{t}(c[i] > 0)" if t != "bool" else "c[i] < 0")
    if t not in ["bool"] + UNSIGNED:
        ways += [f"-{t}(c[i] > 0)", f"{t}(c[i] > 0) - {t}(c[i] < 0)"]
    types = ", ".join(f"r_{to}: {'f32' if to == 'bf16' else to}[n, {len(ways)}]"
                      for to in TYPES)
    lines = [f"  let r_{to} = for i in n {{ [{', '.join(out(to, way) for way in ways)}] }}"
             for to in TYPES]
    return "\n".join(
        [f"const table: {t}[{len(table)}] = [{', '.join(map(element, table))}]",
         f"export def main(x: {outside}[n], c: i32[n]) -> ({types}) {{",
         *lines, f"  ({', '.join('r_' + to for to in TYPES)})", "}"]) + "\n"


def values(t, count):
    rng = np.random.default_rng(count)
    if t == "bool":
        return rng.random(count) < 0.5
    if t in FLOATS:
        rest = rng.standard_normal(count) * 10.0 ** rng.uniform(-6, 12, count)
        with np.errstate(over="ignore"):
            return np.concatenate([CORNERS, rest])[:count].astype(NUMPY[t])
    info = np.iinfo(NUMPY[t])
    corners = [0, 1, 2, 7, info.max, info.max - 1, info.max // 2 + 1, info.min]
    corners += [-1, -2] if t in SIGNED else []
    corners += [2**k for k in (11, 24, 53) if 2**k < info.max]
    corners += [2**k + 1 for k in (11, 24, 53) if 2**k < info.max]
    rest = rng.integers(info.min, info.max, count, dtype=NUMPY[t], endpoint=True)
    return np.concatenate([np.array(corners, NUMPY[t]), rest])[:count]


def check(options, t, top):
    """What is wrong with the conversions of a type, or nothing."""
    folder = tempfile.mkdtemp(dir=top)
    path = os.path.join(folder, f"from-{t}.arr")
    with open(path, "w") as f:
        f.write(program(t))
    count = 67
    np.save(os.path.join(folder, "x.npy"), values(t, count))
    np.save(os.path.join(folder, "c.npy"), np.arange(count, dtype=np.int32) % 3 - 1)
    command = [options.arrc, "run", path, "--check", f"x=@{folder}/x.npy",
               f"c=@{folder}/c.npy"]
    command += [f"--target={options.target}"] if options.target else []
    command += [options.opt] if options.opt else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "no end after 300 s"
    if done.returncode == 1 and options.may_refuse and "' has no " in done.stderr:
        return None
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "agrees" not in line]
        return f"exit code {done.returncode}\n  " + "\n  ".join(errors[:8])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--only", action="append", help="a type to convert from")
    parser.add_argument("--target", help="cpu, cuda, opencl, with :N for the N-th")
    parser.add_argument("--opt", help="-O0")
    parser.add_argument("--jobs", type=int, default=1, help="types at a time")
    parser.add_argument("--may-refuse", action="store_true",
                        help="a device may say what it lacks")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    options = parser.parse_args()

    types = options.only or TYPES
    if options.print:
        print("\n".join(map(program, types)))
        return
    failed = 0
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [(t, pool.submit(check, options, t, top)) for t in types]
        for t, run in runs:
            if bad := run.result():
                failed += 1
                print(f"from {t}: {bad}", flush=True)
    print(f"conversions.py: {len(types) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
