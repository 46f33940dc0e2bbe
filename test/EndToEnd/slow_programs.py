#!/usr/bin/env python3
"""Programs that are slow on purpose: `arrc analyze` has to name the cause at the
right line, with what to write, and a program that follows it has to halve the
counter that the finding is about, on the emulated card.

    slow_programs.py ARRC [--only TEXT] [--list]

A case is a program with the line marked by `# here`, its arguments, and the same
with what was advised. Variants of it have other names, ranks, types and sizes, a
name for an intermediate value, or a function that is called."""

import argparse
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

TRANSPOSE_BY_TILE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%%root: !transform.any_op {transform.readonly}) {
    %%k = transform.kernel.match_launches in %%root {} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %%k : !transform.any_op
    %%i = transform.kernel.match_loops in %%k {dim = "%(i)s"} : (!transform.any_op) -> !transform.any_op
    %%j = transform.kernel.match_loops in %%k {dim = "%(j)s"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %%j [block.y, unroll 4, thread.y 8] : !transform.any_op
    transform.kernel.tile %%i [block.x, thread.x 32] : !transform.any_op
    transform.kernel.interchange %%k to [%(j)s.0, %(i)s.0, %(j)s.1, %(j)s.2, %(i)s.1] : !transform.any_op
    transform.kernel.stage %%k "%(a)s" at "%(i)s.0" {pad = %(pad)d : i64} : !transform.any_op
    transform.yield
  }
}
"""


class Case:
    def __init__(self, name, rule, counter, slow, fast, slow_args, fast_args=None, slow_script=None, fast_script=None):
        self.name, self.rule, self.counter = name, rule, counter
        self.programs = {"slow": slow, "fast": fast}
        self.args = {"slow": slow_args, "fast": fast_args or slow_args}
        self.scripts = {"slow": slow_script, "fast": fast_script}


def ramp(shape, kind="f32"):
    """Numbers from -1 to 1, or small whole ones, in a shape."""
    dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32, "u8": np.uint8, "i64": np.int64}[kind]
    values = np.random.default_rng(1).uniform(-1, 1, shape)
    return (100 * np.abs(values) if kind[0] in "iu" else values).astype(dtype)


def strided():
    """A loop over each k-th element; by component, neighbours are neighbours."""
    n = 4096
    for note, T, k, x, i in (("", "f32", 8, "a", "i"), (" f64", "f64", 4, "a", "i"), (" i32", "i32", 16, "a", "i"),
                             (" u8", "u8", 64, "a", "i"), (" names", "f32", 8, "weights", "row")):
        yield Case("every k-th" + note, "strided-access", "sectors",
                   f"export def f({x}: {T}[n]) -> {T}[?] {{\n  for {i} in n // {k} {{ {x}[{k} * {i}] + {x}[{k} * {i}] }} # here\n}}\n",
                   f"export def f({x}: {T}[{k}, m]) -> {T}[m] {{\n  for {i} in m {{ {x}[0, {i}] + {x}[0, {i}] }}\n}}\n",
                   {x: ramp(n, T)}, {x: ramp((k, n // k), T)})
    yield Case("every k-th let", "strided-access", "sectors",
               "export def f(a: f32[n]) -> f32[?] {\n  let b = for i in n // 8 {\n    a[8 * i] * 2.0 # here\n  }\n  for i { b[i] + 1.0 }\n}\n",
               "export def f(a: f32[8, m]) -> f32[m] {\n  let b = for i in m { a[0, i] * 2.0 }\n  for i { b[i] + 1.0 }\n}\n",
               {"a": ramp(n)}, {"a": ramp((8, n // 8))})
    yield Case("every k-th call", "strided-access", "sectors",
               "def pick(a: f32[n], i: int) -> f32 {\n  a[8 * i] # here\n}\nexport def f(a: f32[n]) -> f32[?] {\n  for i in n // 8 { 2.0 * pick(a, i) }\n}\n",
               "def pick(a: f32[k, m], i: int) -> f32 { a[0, i] }\nexport def f(a: f32[8, m]) -> f32[m] {\n  for i in m { 2.0 * pick(a, i) }\n}\n",
               {"a": ramp(n)}, {"a": ramp((8, n // 8))})


def column():
    """A column of a matrix of rows."""
    for note, T, n, m in (("", "f32", 512, 64), (" f64", "f64", 512, 33), (" wide", "f32", 257, 129), (" i64", "i64", 300, 40)):
        yield Case("column" + note, "strided-access", "sectors",
                   f"export def f(a: {T}[n, m]) -> {T}[n] {{\n  for i in n {{ a[i, 0] + a[i, 0] }} # here\n}}\n",
                   f"export def f(a: {T}[m, n]) -> {T}[n] {{\n  for i in n {{ a[0, i] + a[0, i] }}\n}}\n",
                   {"a": ramp((n, m), T)}, {"a": ramp((m, n), T)})
    yield Case("column rank 3", "strided-access", "sectors",
               "export def f(a: f32[k, n, m]) -> f32[k, n] {\n  for p in k, q in n { 3.0 * a[p, q, 1] } # here\n}\n",
               "export def f(a: f32[m, k, n]) -> f32[k, n] {\n  for p in k, q in n { 3.0 * a[1, p, q] }\n}\n",
               {"a": ramp((5, 100, 32))}, {"a": ramp((32, 5, 100))})


def structs():
    """Some members of records that lie in a row."""
    for note, T, members in (("", "f32", 12), (" f64", "f64", 20), (" many", "f32", 40)):
        yield Case("records" + note, "strided-access", "sectors",
                   f"export def f(a: {T}[n, {members}]) -> {T}[n] {{\n  for i in n {{\n    a[i, 3] * a[i, {members - 1}] # here\n  }}\n}}\n",
                   f"export def f(a: {T}[{members}, n]) -> {T}[n] {{\n  for i in n {{ a[3, i] * a[{members - 1}, i] }}\n}}\n",
                   {"a": ramp((1000, members), T)}, {"a": ramp((members, 1000), T)})


def tiled():
    """A tile that spoils a transposition which the planner stages."""
    for note, T, n, m, j, i in (("", "f32", 128, 128, "j", "i"), (" f64", "f64", 64, 96, "j", "i"),
                                (" names", "f32", 96, 64, "column", "row")):
        text = f"export def f(a: {T}[n, m]) -> {T}[m, n] {{\n  %sfor {j} in m, {i} in n {{ a[{i}, {j}] }} # here\n}}\n"
        yield Case("tile" + note, "strided-access", "sectors", text % "@tile(32, 32) ", text % "", {"a": ramp((n, m), T)})
    text = "export def f(a: f32[k, n, m]) -> f32[k, m, n] {\n  %sfor q in k, j in m, i in n { 2.0 * a[q, i, j] } # here\n}\n"
    yield Case("tile rank 3", "strided-access", "sectors", text % "@tile(1, 32, 32) ", text % "", {"a": ramp((3, 64, 64))})


def gathered():
    """Reads wherever values say, and in the order of places."""
    n = 4096
    mixed = np.random.default_rng(2).permutation(n)
    for note, T, I, x, at in (("", "f32", "int", "a", "at"), (" f16", "f16", "int", "a", "at"), (" u8", "u8", "int", "a", "at"),
                              (" names", "f32", "int", "values", "index")):
        dtype = np.int64 if I == "int" else np.int32
        text = f"export def f({x}: {T}[n], {at}: {I}[k]) -> {T}[k] {{\n  for i in k {{ {x}[{at}[i]] }} # here\n}}\n"
        yield Case("gather" + note, "gathered-access", "gathered", text, text, {x: ramp(n, T), at: mixed.astype(dtype)},
                   {x: ramp(n, T), at: np.sort(mixed).astype(dtype)})
    text = "def take(a: f32[n], k: int) -> f32 {\n  a[k] # here\n}\nexport def f(a: f32[n], at: int[k]) -> f32[k] {\n  for i in k { take(a, at[i]) + 1.0 }\n}\n"
    yield Case("gather call", "gathered-access", "gathered", text, text, {"a": ramp(n), "at": mixed}, {"a": ramp(n), "at": np.sort(mixed)})


def parity():
    """Neighbours that take both ways."""
    for note, T, mask, k in (("", "f32", "i % 2 == 0", 20), (" f64", "f64", "i % 2 == 0", 12), (" thirds", "f32", "i % 4 < 2", 20)):
        text = (f"export def f(a: {T}[n], k: int) -> {T}[n] {{\n  for i in n {{\n    if %s {{ # here\n      var s = {T}(0.0)\n"
                f"      loop j in 0:k {{ s += sin(a[i] * {T}(j)) }}\n      s\n    }} else {{\n      var s = {T}(1.0)\n"
                f"      loop j in 0:k {{ s *= cos(a[i] + {T}(j)) }}\n      s\n    }}\n  }}\n}}\n")
        yield Case("both ways" + note, "divergent-branch", "idle", text % mask, text % "(i // 32) % 2 == 0", {"a": ramp(1024, T), "k": k})


def uneven():
    """Loops of which neighbours take different numbers of steps."""
    spread = np.where(np.arange(2048) % 32 == 0, 60, 2)
    for note, I in (("", "int"), (" i32", "i32")):
        dtype = np.int64 if I == "int" else np.int32
        text = (f"export def f(a: f32[n], count: {I}[n]) -> f32[n] {{\n  for i in n {{\n    var x = a[i]\n    var steps: {I} = 0\n"
                f"    while steps < count[i] {{ # here\n      x = 0.5 * x + sin(x)\n      steps += 1\n    }}\n    x\n  }}\n}}\n")
        yield Case("uneven" + note, "divergent-branch", "idle", text, text, {"a": ramp(2048), "count": spread.astype(dtype)},
                   {"a": ramp(2048), "count": np.sort(spread).astype(dtype)})
    text = ("def settle(x: f32, count: int) -> f32 {\n  var y = x\n  var steps = 0\n  while steps < count { # here\n    y = 0.5 * y + sin(y)\n"
            "    steps += 1\n  }\n  y\n}\nexport def f(a: f32[n], count: int[n]) -> f32[n] {\n  for i in n { settle(a[i], count[i]) }\n}\n")
    yield Case("uneven call", "divergent-branch", "idle", text, text, {"a": ramp(2048), "count": spread}, {"a": ramp(2048), "count": np.sort(spread)})
    halves = np.where(np.arange(2048) % 32 == 0, 2.0 ** 60, 2.0)
    text = ("export def f(a: f64[n]) -> f64[n] {\n  for i in n {\n    var x = a[i]\n"
            "    while x > 1.0 { # here\n      x = 0.5 * x\n    }\n    x\n  }\n}\n")
    yield Case("uneven values", "divergent-branch", "idle", text, text, {"a": halves}, {"a": np.sort(halves)})


def copied():
    """An array that is changed and used on."""
    for note, T, more in (("", "f32", ""), (" f64", "f64", ""), (" i32", "i32", "")):
        yield Case("copy" + note, "copy", "copied",
                   f"export def f(a: {T}[n]) -> (p: {T}[n], q: {T}[n]) {{\n  let p = for i in n {{ a[i] + a[i] }}\n  var b = p\n  b[0] = 5 # here\n  (p, b)\n}}\n",
                   f"export def f(a: {T}[n]) -> (p: {T}[n], q: {T}[n]) {{\n  let p = for i in n {{ a[i] + a[i] }}\n"
                   f"  let q = for i in n {{ if i == 0 {{ {T}(5) }} else {{ p[i] }} }}\n  (p, q)\n}}\n",
                   {"a": ramp(5000, T)})
    yield Case("copy rank 2", "copy", "copied",
               "export def f(a: f32[n, m]) -> (p: f32[n, m], q: f32[n, m]) {\n  let p = for i in n, j in m { 2.0 * a[i, j] }\n  var b = p\n  b[0, 0] = 5.0 # here\n  (p, b)\n}\n",
               "export def f(a: f32[n, m]) -> (p: f32[n, m], q: f32[n, m]) {\n  let p = for i in n, j in m { 2.0 * a[i, j] }\n"
               "  let q = for i in n, j in m { if i == 0 and j == 0 { 5.0 } else { p[i, j] } }\n  (p, q)\n}\n",
               {"a": ramp((60, 70))})


def asked():
    """A number that the host reads in every step, and every tenth only."""
    slow = ("export def f(x: f32[n]) -> (y: f32[n], steps: int) {\n  var y = x\n  var steps = 0\n  while steps < 100 { # here\n"
            "    y = for i in n { 0.5 * y[i] }\n%s    if sum(y) < 0.001 { # here\n      y = for i in n { y[i] + 1.0 }\n    }\n"
            "    steps += 1\n  }\n  (y, steps)\n}\n")
    fast = ("export def f(x: f32[n]) -> (y: f32[n], steps: int) {\n  var y = x\n  var steps = 0\n  loop s in 0:10 {\n"
            "    loop t in 0:10 { y = for i in n { 0.5 * y[i] } }\n    if sum(y) < 0.001 { y = for i in n { y[i] + 1.0 } }\n"
            "    steps += 10\n  }\n  (y, steps)\n}\n")
    for note, n in (("", 3000), (" small", 100)):
        yield Case("host read" + note, "host-read", "reads", slow % "", fast, {"x": ramp(n)})


def banks():
    """A tile of 32 x 32 without padding."""
    for note, T, n, m, i, j, a in (("", "f32", 128, 128, "i", "j", "a"), (" i32", "i32", 96, 64, "i", "j", "a"),
                                   (" names", "f32", 64, 128, "row", "column", "plate"),
                                   (" small", "f32", 64, 32, "i", "j", "a"), (" uneven", "f32", 96, 160, "p", "q", "u")):
        text = f"export def f({a}: {T}[n, m]) -> {T}[m, n] {{\n  for {j} in m, {i} in n {{ {a}[{i}, {j}] }} # here\n}}\n"
        script = {pad: TRANSPOSE_BY_TILE % {"i": i, "j": j, "a": a, "pad": pad} for pad in (0, 1)}
        yield Case("banks" + note, "bank-conflict", "conflicts", text, text, {a: ramp((n, m), T)},
                   slow_script=script[0], fast_script=script[1])


GROUPS = (strided, column, structs, tiled, gathered, parity, uneven, copied, asked, banks)


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
    return done.stdout


def sizes_of(program, args):
    """What --at has to say: the sizes that the parameters name."""
    sizes = {}
    head = program[program.index("export def"):]
    for name, dims in re.findall(r"(\w+): \w+\[([^\]]*)\]", head[:head.index("->")]):
        for dim, size in zip(dims.split(","), args[name].shape):
            if dim.strip().isidentifier():
                sizes[dim.strip()] = size
    sizes.update({name: value for name, value in args.items() if isinstance(value, int)})
    return ",".join(f"{name}={size}" for name, size in sizes.items())


def count(arrc, case, which, folder):
    """The counter of a run: sectors, or those of loads by index alone; turns of lanes
    that wait; turns of banks beyond the fewest; bytes copied on the device; reads by the
    host."""
    program = os.path.join(folder, which + ".arr")
    words = [program, "--target=cuda"]
    if case.scripts[which]:
        words.append("--transform=" + os.path.join(folder, which + ".mlir"))
    for name, value in case.args[which].items():
        if isinstance(value, int):
            words.append(f"{name}={value}")
        else:
            np.save(os.path.join(folder, f"{which}-{name}.npy"), value)
            words.append(f"{name}=@{folder}/{which}-{name}.npy")
    if case.counter in ("copied", "reads"):
        rows = list(csv.DictReader(io.StringIO(run([arrc, "profile", *words, "--csv=-", "--calls=1"]))))
        if case.counter == "reads":
            return sum(int(row["times"]) for row in rows if row["name"] == "copy to the host")
        return sum(float(row["bytes"]) for row in rows if row["name"] == "copy")
    table = os.path.join(folder, which + ".txt")
    run([arrc, "run", *words], ARRC_EMULATOR_STATS=table)
    total = 0
    for row in open(table):
        if case.counter == "idle" and (found := re.search(r"(\d+) instructions.*?([\d.]+) lanes active", row)):
            total += int(found[1]) * (32 / float(found[2]) - 1)
        if case.counter == "gathered" and row.startswith("  global loads"):
            indices = list(case.args[which].values())[1]
            total += int(re.search(r"(\d+) sectors", row)[1]) - indices.nbytes // 32
        if case.counter == "sectors" and row.startswith("  global "):
            total += int(re.search(r"(\d+) sectors", row)[1])
        if case.counter == "conflicts" and row.startswith("  shared "):
            requests, size, turns = (int(re.search(rf"(\d+) {unit}", row)[1]) for unit in ("requests", "bytes", "wavefronts"))
            total += max(0, turns - max(requests, -(-size // 128)))
    return total


def check(arrc, case):
    """What is wrong with a case; "" if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        for which in ("slow", "fast"):
            with open(os.path.join(folder, which + ".arr"), "w") as file:
                file.write(case.programs[which])
            if case.scripts[which]:
                with open(os.path.join(folder, which + ".mlir"), "w") as file:
                    file.write(case.scripts[which])
        lines = [k + 1 for k, line in enumerate(case.programs["slow"].split("\n")) if line.endswith("# here")]
        words = [arrc, "analyze", f"{folder}/slow.arr", "--at", sizes_of(case.programs["slow"], case.args["slow"])]
        if case.scripts["slow"]:
            words.append(f"--transform={folder}/slow.mlir")
        said = run(words)
        found = re.findall(r"slow\.arr:(\d+):\d+: slow: .*\[" + case.rule + r"\]\n  cost: .+\n  help: .+", said)
        if not set(map(int, found)) & set(lines):
            return f"line {lines} has no '{case.rule}':\n{said}"
        slow, fast = (count(arrc, case, which, folder) for which in ("slow", "fast"))
        if not slow or 2 * fast > slow:
            return f"{case.counter}: {slow:.0f}, and as advised {fast:.0f}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("arrc")
    parser.add_argument("--only", default="", help="cases with this in their names")
    parser.add_argument("--list", action="store_true", help="print the programs")
    options = parser.parse_args()
    cases = [case for group in GROUPS for case in group() if options.only in case.name]
    if options.list:
        for case in cases:
            print(f"# {case.name}: {case.rule}\n{case.programs['slow']}\n{case.programs['fast']}")
        return 0
    with ThreadPoolExecutor(4) as pool:
        problems = list(pool.map(lambda case: check(options.arrc, case), cases))
    for case, problem in zip(cases, problems):
        if problem:
            print(f"{case.name}: {problem}")
    print(f"{len(cases)} slow programs, {sum(map(bool, problems))} not named or not mended")
    return any(problems)


sys.exit(main())
