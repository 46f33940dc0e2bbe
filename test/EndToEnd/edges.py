#!/usr/bin/env python3
"""Bounds where 64-bit arithmetic wraps: programs with values at the edges.

    edges.py --arrc build/dev/bin/arrc [--target T] [--random N] [--seed S]

Runs the programs of `edges_cases.py` and N random ones, each as it is and with
--check, and compares with what is written there or with a model in Python: the
value, or an error with exit code 2 or 3. A read outside of an array is a wrong
value, a signal, or a difference between the two runs.
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

from edges_cases import CASES, LEAST, MOST

ERROR, REFUSED = "error", "refused by the compiler"


def wrap(x):
    return (x + 2**63) % 2**64 - 2**63


class Expression:
    """An int expression: its text, its integer, and whether that took a wrap."""

    def __init__(self, text, value, fits):
        self.text, self.value, self.fits = text, value, fits


def leaf(rng, names):
    if rng.random() < 0.25:
        c = rng.choice([0, 1, 2, 3, 5, 2**32, 2**62, MOST])
        return Expression(str(c), lambda v: c, lambda v: True)
    name = rng.choice(names)
    return Expression(name, lambda v: v[name], lambda v: True)


def expression(rng, names, depth):
    if depth == 0 or rng.random() < 0.2:
        return leaf(rng, names)
    x, y = expression(rng, names, depth - 1), expression(rng, names, depth - 1)
    op = rng.choice(["+", "+", "+", "-", "-", "*"])
    exact = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}[op]
    return Expression(
        f"({x.text} {op} {y.text})",
        lambda v: wrap(exact(x.value(v), y.value(v))),
        lambda v: x.fits(v) and y.fits(v)
        and LEAST <= exact(x.value(v), y.value(v)) <= MOST)


COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def condition(rng, names, index):
    """Mostly what guards an index."""
    kind = rng.random()
    zero = Expression("0", lambda v: 0, lambda v: True)
    size = Expression("n", lambda v: v["n"], lambda v: True)
    if kind < 0.4:
        x, op, y = index, "<", size
    elif kind < 0.7:
        x, op, y = index, ">=", zero
    else:
        x, op, y = (expression(rng, names, 1), rng.choice(list(COMPARE)),
                    expression(rng, names, 1))
    return (f"{x.text} {op} {y.text}",
            lambda v: COMPARE[op](x.value(v), y.value(v)),
            lambda v: x.fits(v) and y.fits(v))


def program(rng, name):
    """The text of a function, and a model: values to a result, an error, or None
    for what the model does not tell."""
    names = ["k", "j", "n"]
    index = expression(rng, names, 2)
    conditions = [condition(rng, names, index) for _ in range(rng.randint(0, 3))]
    texts = [c[0] for c in conditions]
    holds = lambda v: all(c[1](v) for c in conditions)
    integer = lambda v: all(c[1](v) and c[2](v) for c in conditions)
    # An order of the sums that the compiler chooses may fit where this does not.
    unsure = lambda v: holds(v) and not integer(v)
    head = f"export def {name}(x: u8[n], k: int, j: int)"

    def read(v):
        i = index.value(v)
        return v["x"][i] if 0 <= i < v["n"] else ERROR

    kind = rng.choice(["where", "assert", "if", "map", "slice", "range", "loop"])
    if kind == "where":
        where = f" where {', '.join(texts)}" if texts else ""
        return (f"{head} -> int{where} = int(x[{index.text}])",
                lambda v: None if unsure(v) and read(v) != ERROR
                else read(v) if holds(v) and not unsure(v) else ERROR)
    if kind == "assert":
        lines = "".join(f"  assert {t}\n" for t in texts)
        return (f"{head} -> int {{\n{lines}  int(x[{index.text}])\n}}",
                lambda v: None if unsure(v) and read(v) != ERROR
                else read(v) if holds(v) and not unsure(v) else ERROR)
    if kind == "if":
        test = " and ".join(texts) or "true"
        return (f"{head} -> int = if {test} {{ int(x[{index.text}]) }} else {{ 7 }}",
                lambda v: read(v) if holds(v) else 7)
    if kind == "map":
        test = " and ".join(texts) or "true"
        return (f"{head} -> int = sum for i in n {{ if {test} "
                f"{{ int(x[{index.text}]) }} else {{ 7 }} }}",
                lambda v: 0 if not v["n"] else ERROR if holds(v) and read(v) == ERROR
                else v["n"] * (read(v) if holds(v) else 7))
    end = expression(rng, names, 1)
    step = rng.choice([1, 1, 2, 3, 2**62, MOST])
    by = f":{step}" if step != 1 else ""
    span = f"{index.text}:{end.text}{by}"

    def elements(v):
        lo, hi = index.value(v), end.value(v)
        # With ends that differ by a constant both may wrap.
        if hi < lo and not (index.fits(v) and end.fits(v)):
            return None
        if hi - lo > 100 * step:
            return None if hi - lo < 2**40 else [lo + k * step for k in range(100)]
        return list(range(lo, hi, step))

    if kind == "slice":
        def taken(v):
            lo, hi = index.value(v), end.value(v)
            if not 0 <= lo <= hi <= v["n"]:
                return ERROR
            return sum(v["x"][lo:hi:step])
        return f"{head} -> int = sum for e in x[{span}] {{ int(e) }}", taken

    def summed(v):
        all_ = elements(v)
        if all_ is None:
            return None
        if any(not 0 <= i < v["n"] for i in all_):
            # Of a long range the error may take for ever.
            return ERROR if len(all_) < 100 else None
        return sum(v["x"][i] for i in all_)

    if kind == "range":
        return f"{head} -> int = sum for i in {span} {{ int(x[i]) }}", summed
    return (f"{head} -> int {{\n  var t = 0\n  loop i in {span} "
            f"{{ t += int(x[i]) }}\n  t\n}}", summed)


def run(options, path, entry, arguments, check):
    words = [options.arrc, "run", path, f"--target={options.target}", "--entry", entry,
             *arguments]
    if check:
        words.append("--check")
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "no end", ""
    if done.returncode == 0:
        return re.sub(r"^out: [^\[ ]+(\[.*?\])? ?", "", done.stdout.strip()), done.stdout
    said = done.stderr + done.stdout
    if done.returncode == 1 and re.search(r"error\[E|always out of bounds", said):
        return REFUSED, said
    return (ERROR if done.returncode in (2, 3) else f"exit code {done.returncode}"), said


def compare(options, path, entry, arguments, expected):
    for check in (False, True):
        got, said = run(options, path, entry, arguments, check)
        # What never works is refused by the compiler.
        if got == REFUSED and (expected == ERROR or "seed" in os.path.basename(path)):
            continue
        if got != str(expected):
            return (f"{path}: --entry {entry} {' '.join(arguments)}"
                    f"{' --check' if check else ''}: {got}, expected {expected}\n"
                    f"{said[:600]}")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--random", type=int, default=0, help="random programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="every k-th case alone")
    parser.add_argument("--only", help="part of a case's name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", help="where the programs are kept")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="edges-")
    os.makedirs(folder, exist_ok=True)
    jobs = []
    for name, (text, runs) in CASES.items():
        if options.only and options.only not in name:
            continue
        path = os.path.join(folder, name + ".arr")
        with open(path, "w") as file:
            file.write(text + "\n")
        jobs += [(path, "main", arguments.split(), expected) for arguments, expected in runs]
    jobs = jobs[::options.every]
    for number in range(options.random):
        seed = options.seed + number
        rng = random.Random(seed)
        path = os.path.join(folder, f"seed{seed}.arr")
        text, model = program(rng, "main")
        with open(path, "w") as file:
            file.write(text + "\n")
        edges = [LEAST, LEAST + 1, -2**62, -1, 0, 1, 2, 3, 4, 2**32, 2**62, MOST - 1, MOST]
        for _ in range(3):
            x = [1, 2, 3, 4, 5][:rng.choice([1, 3, 5])]
            v = {"x": x, "n": len(x), "k": rng.choice(edges), "j": rng.choice(edges)}
            expected = model(v)
            if expected is not None:
                jobs.append((path, "main", [f"x={x}".replace(" ", ""), f"k={v['k']}",
                                            f"j={v['j']}"], expected))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for wrong in pool.map(lambda job: compare(options, *job), jobs):
            if wrong:
                failed += 1
                print(wrong)
    if options.random:
        print(f"seeds {options.seed} to {options.seed + options.random - 1}")
    print(f"{len(jobs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
