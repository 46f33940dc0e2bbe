#!/usr/bin/env python3
"""Shapes and element types at the edges of vectors, warps, blocks and memory.

    shapes.py --arrc build/dev/bin/arrc [--target T] [--only PART] [--jobs N] [--quick]

Writes programs: every reduction over every axis of every element type; rows of 1
to 10^6 elements; ranks 1 to 8; sums used at once, updates in place, scratch that
no block holds, errors inside kernels, after which the process goes on. Builds them
for the target, calls them in one process a program (../../bench/arrt.py) and
compares with NumPy: equal bits where every order of a sum is exact, else
2 * k * u * sum|x| as in compare.py.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy as np
except ImportError:
    print("shapes.py: skipped, there is no NumPy (Debian: python3-numpy)")
    sys.exit(0)

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.normpath(os.path.join(HERE, "..", "..", "bench")))
import arrt
from comparison import Mismatch, Program, same
from shape_rows import kept_program, row_program
from shape_types import COMPLEX, FLOATS, INTS, type_programs


# --- Ranks 1 to 8 -------------------------------------------------------------------


def rank_program(ranks):
    text = ""
    for r in ranks:
        names = [f"n{k}" for k in range(r)]
        shape = ", ".join(names)
        back = ", ".join(reversed(names))
        inner = f"f32[{', '.join(names[:-1])}]" if r > 1 else "f32"
        outer = f"f32[{', '.join(names[1:])}]" if r > 1 else "f32"
        order = ", ".join(map(str, reversed(range(r))))
        turned = f"transpose(a, {order})" if r > 1 else "a"
        text += (f"export def r{r}(a: f32[{shape}], b: f32[{shape}]) -> (e: f32[{shape}], "
                 f"t: f32[{back}], i: {inner}, o: {outer}, s: f32) =\n"
                 f"  (a * 2.0 + b, {turned}, sum(a, axis = {r - 1}), sum(b, axis = 0), "
                 f"sum(a * b))\n")
        if r >= 4:
            text += (f"export def two{r}(a: f32[{shape}]) -> f32[{', '.join(names[1:-1])}] ="
                     f" sum(a, axis = (0, {r - 1}))\n")
    program = Program("ranks", text)
    for r in ranks:
        shapes = [tuple([3, 2, 5, 2, 3, 2, 3, 2][:r]), (1,) * r, (2,) * (r - 1) + (37,),
                  (67,) + (1,) * (r - 1)]
        for shape in shapes:
            def inputs(rng, shape=shape):
                return {name: rng.integers(-4, 5, shape).astype(np.float32) for name in "ab"}

            def check(arrays, got):
                a, b = arrays["a"], arrays["b"]
                same("e", got["e"], a * 2 + b)
                same("t", got["t"], np.ascontiguousarray(a.transpose()))
                same("i", got["i"], np.sum(a, axis=-1))
                same("o", got["o"], np.sum(b, axis=0))
                same("s", got["s"], np.sum(a * b))

            program.case(f"r{r} {'x'.join(map(str, shape))}", f"r{r}", inputs,
                         (("e", "t", "i", "o", "s"), check))
            if r >= 4:
                def one(rng, shape=shape):
                    return {"a": rng.integers(-4, 5, shape).astype(np.float32)}

                def check_two(arrays, got, r=r):
                    same("out", got["out"], np.sum(arrays["a"], axis=(0, r - 1)))

                program.case(f"two{r} {'x'.join(map(str, shape))}", f"two{r}", one,
                             (("out",), check_two))
    return program


# --- Single cases -----------------------------------------------------------------------

SINGLE_TEXT = """
export def normalise(a: f32[n]) -> f32[n] {
  let s = sum(a)
  a - s
}
export def twice(a: f32[n]) -> f32 = sum(a) + 2.0 * sum(a)
export def nested(a: f32[n, m, q]) -> f32[n] = for i in n { max for j in m { sum for k in q { a[i, j, k] } } }
export def r5inner(a: f32[n, m, k, l, q]) -> f32[n, m, k, l] = sum(a, axis = 4)
export def r5two(a: f32[n, m, k, l, q]) -> f32[n, k, q] = sum(a, axis = (1, 3))
export def bins(x: int[n], y: f32[n], k: int) -> (c: int[k], s: f32[k], hi: int[k]) where k >= 1 =
  (hist((+), 0, k) for i in n { (x[i] % k, 1) }, hist((+), 0.0, k) for i in n { (x[i] % k, y[i]) },
   hist(max, -1000, k) for i in n { (x[i] % k, x[i]) })
export def mirrored(a: f32[n, m]) -> f32[n, m] = for i in n {
  let e = for j in m { a[i, j] * 3.0 }
  let s = sum(e)
  for j in m { e[j] + e[m - 1 - j] + s }
}
export def in_place(a: f32[n], k: int) -> f32[n] {
  var v = a
  loop _ in k { v = v * 2.0 + 1.0 }
  v
}
export def shifted(a: f32[n]) -> (x: f32[n], y: f32[n], z: f32[n]) where n >= 1 {
  var x = a
  x[1:n] = x[0:n-1] + 1.0
  var y = a
  y[0:n-1] = y[1:n] + 1.0
  var z = a
  z = reverse(z)
  (x, y, z)
}
def add_reversed(x: f32[n], y: f32[n]) -> f32[n] = x + reverse(y)
export def aliased(a: f32[n]) -> f32[n] = add_reversed(a, a)
export def strided(a: f32[n, m]) -> (x: f32[n, m], y: f32[m]) where n >= 1, m >= 2 {
  var x = a
  x[:, 1] = a[:, 0] * 10.0
  x[0] = a[n - 1]
  (x, a[n // 2])
}
export def gathered(a: f32[n], idx: int[m]) -> f32[m] = a[idx]
export def positive(a: f32[n]) -> f32[?] = for x in a if x > 0.0 { x }
export def ordered(a: i32[n]) -> i32[n] = sort(a)
"""

BAD_TEXT = """
export def pick(a: int[n], idx: int[m]) -> int[m] = for i in m {
  a[idx[i]]
}
export def ratio(a: int[n], b: int[n]) -> int[n] = for i in n {
  a[i] // b[i]
}
export def fold(a: int[n], b: int[n]) -> int = sum for i in n {
  a[i] % b[i]
}
"""


class Single:
    """A program for each export: what one refuses or breaks is its own."""

    def __init__(self, text):
        self.programs, helpers = {}, ""
        for part in re.split(r"\n(?=def |export )", text.strip()):
            name = re.match(r"export def (\w+)", part)
            if name:
                name = name.group(1)
                self.programs[name] = Program("single-" + name, helpers + part + "\n")
                helpers = ""
            else:
                helpers += part + "\n"

    def case(self, name, entry, *rest):
        self.programs[entry].case(name, entry, *rest)


def single_programs(big):
    program = Single(SINGLE_TEXT)
    whole = lambda rng, *shape: rng.integers(-4, 5, shape).astype(np.float32)
    for n in [1, 33, 1000, big]:
        program.case(f"normalise {n}", "normalise", lambda rng, n=n: {"a": whole(rng, n)},
                     (("out",), lambda a, r: same("out", r["out"], a["a"] - np.sum(a["a"]))))
        program.case(f"twice {n}", "twice", lambda rng, n=n: {"a": whole(rng, n)},
                     (("out",), lambda a, r: same("out", r["out"], np.float32(3 * np.sum(a["a"])))))
        program.case(f"in place {n}", "in_place", lambda rng, n=n: {"a": whole(rng, n)},
                     (("out",), lambda a, r: same("out", r["out"], a["a"] * 8 + 7)),
                     ("k=3",))

        def shifted(a, r):
            a = a["a"]
            x, y = a.copy(), a.copy()
            x[1:] = a[:-1] + 1
            y[:-1] = a[1:] + 1
            same("x", r["x"], x)
            same("y", r["y"], y)
            same("z", r["z"], a[::-1])

        program.case(f"shifted {n}", "shifted", lambda rng, n=n: {"a": whole(rng, n)},
                     (("x", "y", "z"), shifted))
        program.case(f"aliased {n}", "aliased", lambda rng, n=n: {"a": whole(rng, n)},
                     (("out",), lambda a, r: same("out", r["out"], a["a"] + a["a"][::-1])))
        program.case(f"gathered {n}", "gathered", lambda rng, n=n: {
            "a": whole(rng, n), "idx": rng.integers(0, n, n + 3)},
            (("out",), lambda a, r: same("out", r["out"], a["a"][a["idx"]])))
        program.case(f"positive {n}", "positive", lambda rng, n=n: {"a": whole(rng, n)},
                     (("out",), lambda a, r: same("out", r["out"], a["a"][a["a"] > 0])))
    for n in [1, 33, 1000]:
        program.case(f"ordered {n}", "ordered",
                     lambda rng, n=n: {"a": rng.integers(-99, 99, n).astype(np.int32)},
                     (("out",), lambda a, r: same("out", r["out"], np.sort(a["a"]))))
    for shape in [(5, 3, 7), (1, 1, 1), (17, 33, 65), (3, 2, 1025)]:
        program.case(f"nested {shape}", "nested", lambda rng, s=shape: {"a": whole(rng, *s)},
                     (("out",), lambda a, r: same("out", r["out"],
                                                  np.max(np.sum(a["a"], axis=2), axis=1))))
    for shape in [(3, 2, 5, 2, 33), (1, 1, 1, 1, 1), (7, 3, 2, 9, 1), (2, 2, 2, 2, 1025)]:
        program.case(f"r5inner {shape}", "r5inner", lambda rng, s=shape: {"a": whole(rng, *s)},
                     (("out",), lambda a, r: same("out", r["out"], np.sum(a["a"], axis=4))))
        program.case(f"r5two {shape}", "r5two", lambda rng, s=shape: {"a": whole(rng, *s)},
                     (("out",), lambda a, r: same("out", r["out"],
                                                  np.sum(a["a"], axis=(1, 3)))))
    for n, k in [(1000, 1), (1000, 3), (5000, 1000), (20000, 100003), (0, 5)]:
        def bins(a, r, k=k):
            at, y = a["x"] % k, a["y"]
            same("c", r["c"], np.bincount(at, minlength=k).astype(np.int64))
            same("s", r["s"], np.bincount(at, weights=y, minlength=k).astype(np.float32))
            hi = np.full(k, -1000)
            np.maximum.at(hi, at, a["x"])
            same("hi", r["hi"], hi)

        program.case(f"bins {n} {k}", "bins", lambda rng, n=n: {
            "x": rng.integers(0, 10**6, n), "y": whole(rng, n)},
            (("c", "s", "hi"), bins), (f"k={k}",))
    for shape in [(5, 7), (3, 1000), (2, 60001), (1, min(big, 10**6))]:
        def mirrored(a, r):
            e = a["a"] * np.float32(3)
            s = np.sum(e, axis=1, keepdims=True)
            same("out", r["out"], e + e[:, ::-1] + s)

        program.case(f"mirrored {shape}", "mirrored", lambda rng, s=shape: {"a": whole(rng, *s)},
                     (("out",), mirrored))
    for shape in [(1, 2), (5, 3), (33, 65), (300, 129)]:
        def strided(a, r):
            a = a["a"]
            x = a.copy()
            x[:, 1] = a[:, 0] * 10
            x[0] = a[-1]
            same("x", r["x"], x)
            same("y", r["y"], a[a.shape[0] // 2])

        program.case(f"strided {shape}", "strided", lambda rng, s=shape: {"a": whole(rng, *s)},
                     (("x", "y"), strided))
    return program.programs.values()


def bad_program():
    """Errors of kernels name line, index and size; a good run ends as always."""
    program = Program("bad", BAD_TEXT)
    for n in [5, 1000, 70001]:
        def pick(rng, n=n):
            idx = rng.integers(0, n, n)
            idx[n // 2], idx[-1] = n + 7, -3
            return {"a": rng.integers(0, 9, n), "idx": idx}

        def divide(rng, n=n):
            b = rng.integers(1, 9, n)
            b[n // 3:] = 0
            return {"a": rng.integers(0, 9, n), "b": b}

        def good(rng, n=n):
            return {"a": rng.integers(0, 9, n), "b": rng.integers(1, 9, n)}

        nothing = ((), lambda arrays, results: None)
        program.case(f"index {n}", "pick", pick, nothing, (), True,
                     (".arr:3:", str(n + 7), str(n)))
        program.case(f"division {n}", "ratio", divide, nothing, (), True, (".arr:6:", "zero"))
        program.case(f"division in a sum {n}", "fold", divide, nothing, (), True,
                     (".arr:9:", "zero"))
        program.case(f"no error {n}", "ratio", good,
                     (("out",), lambda a, r: same("out", r["out"], a["a"] // a["b"])))
    return program


# --- Running ------------------------------------------------------------------------------


def run(ctx, case, seed):
    """What is wrong with one case, or nothing."""
    name, entry, inputs, (results, check), scalars, fails, says = case
    arrays = inputs(np.random.default_rng(zlib.crc32(seed.encode())))
    held = {key: ctx.array(value) for key, value in arrays.items()}
    arguments = {**held, **dict(s.split("=") for s in scalars)}
    try:
        got = ctx.call(entry, {k: v if k in held else int(v) for k, v in arguments.items()})
    except arrt.Error as e:
        if not fails:
            return str(e)[:800]
        missing = [part for part in says if part not in str(e)]
        return f"the message has no '{missing[0]}': {str(e)[:600]}" if missing else None
    finally:
        for array in held.values():
            array.release()
    if fails:
        return "succeeded, expected an error"
    try:
        values = {key: value.numpy() if isinstance(value, arrt.Array)
                  else np.asarray(value) for key, value in got.items()}
        types = ctx.lib.result_types(entry)
        values = {key: value.astype(types[key]) for key, value in values.items()}
        check(arrays, values)
    except Mismatch as e:
        return str(e)
    finally:
        for value in got.values():
            if isinstance(value, arrt.Array):
                value.release()
    return None


def work(options, program):
    """Runs all cases of a program in this process; a line for each."""
    try:
        ctx = arrt.Library(options.work).context(options.target)
    except arrt.Error as e:
        sys.exit(f"no context: {e}")
    for case in program.cases:
        print(f"begin {case[0]}", flush=True)
        bad = run(ctx, case, program.name + case[0])
        print("FAIL " + " ".join(bad.split("\n")) if bad else "PASS", flush=True)
    ctx.close()


def check_program(options, program, folder):
    """Builds a program and runs its cases in another process; what failed, as lines,
    and how many passed."""
    source = os.path.join(folder, program.name + ".arr")
    with open(source, "w") as f:
        f.write(program.text)
    try:
        path = arrt.build(options.arrc, source, options.target, folder)
    except (arrt.Error, subprocess.CalledProcessError) as e:
        return [f"{program.name}: does not build: {e}"], 0
    command = [*shlex.split(options.wrap), sys.executable, os.path.realpath(__file__),
               "--target", options.target, "--work", path, "--program", program.name]
    command += ["--quick"] * options.quick + ["--small"] * options.small
    for only in options.only or []:
        command += ["--only", only]
    problem = ""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=options.timeout)
        output, code = done.stdout, done.returncode
        if code:
            problem = f"exit code {code}: {(done.stderr + output)[-1500:].strip()}"
    except subprocess.TimeoutExpired as e:
        output, problem = (e.stdout or b"").decode(), f"no end after {options.timeout} s"
    lines, passed, name = [], 0, "start"
    for line in output.splitlines():
        if line.startswith("begin "):
            name = line[6:]
        elif line == "PASS":
            passed += 1
        elif line.startswith("FAIL "):
            lines.append(f"{program.name}: {name}: {line[5:]}")
    if problem:
        lines.append(f"{program.name}: {problem} (after {name})")
    return lines, passed


def programs(options):
    if options.quick:
        shapes, most, big = [(33, 3, 65), (2, 1, 5)], 1100, 70001
        types, ranks = ["bool", "i8", "u32", "i64", "f16", "f32", "f64", "c64"], [1, 3, 5, 8]
    else:
        shapes = [(5, 3, 7), (1, 1, 1), (0, 2, 3), (2, 0, 3), (33, 17, 65), (2, 1023, 3),
                  (3, 2, 4097), (4097, 3, 2), (64, 32, 16)]
        most, big = 1000000, 1000003
        types, ranks = ["bool", *INTS, *FLOATS, *COMPLEX], range(1, 9)
    if options.small:
        shapes, most, big = [s for s in shapes if np.prod(s) < 10**5], 1100, 99999
    yield from type_programs(types, shapes)
    yield row_program(most)
    yield kept_program(options.quick or options.small)
    yield rank_program(ranks)
    yield from single_programs(big)
    yield bad_program()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu", help="cuda, opencl, :N for the N-th")
    parser.add_argument("--only", action="append", help="a part of 'program: case'")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--wrap", default="", help="a command that runs the process")
    parser.add_argument("--quick", action="store_true", help="fewer types and shapes")
    parser.add_argument("--small", action="store_true", help="at most 10^5 elements")
    parser.add_argument("--timeout", type=int, default=170, help="seconds a program")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--program", help=argparse.SUPPRESS)
    options = parser.parse_args()

    selected = []
    for program in programs(options):
        program.cases = [case for case in program.cases if not options.only or any(
            part in f"{program.name}: {case[0]}" for part in options.only)]
        if program.cases and options.program in (None, program.name):
            selected.append(program)
    if options.print:
        print("\n".join(f"# {p.name}\n{p.text}" for p in selected))
        return
    if options.work:
        return work(options, selected[0])
    # The longest first.
    selected.sort(key=lambda program: -len(program.text) - 100 * len(program.cases))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [pool.submit(check_program, options, program, folder)
                   for program in selected]
        for program, result in zip(selected, results):
            lines, good = result.result()
            passed, failed = passed + good, failed + max(len(program.cases) - good,
                                                         bool(lines))
            if lines:
                print("\n".join(lines), flush=True)
    print(f"shapes.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
