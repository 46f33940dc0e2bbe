#!/usr/bin/env python3
"""same_results.py ARR-OPT FILE EVALUATE PASS...: evaluates a program of the array
level before the passes and after each of them, in one pipeline. All results must
be the same: to the bit, or where the evaluator says that a target may differ
(the order of a float sum), by that much. EVALUATE are options of arr-evaluate."""
import math
import re
import subprocess
import sys


def split(line):
    """`result 0: f32[2] [1, 2]` as its name, its type and its elements."""
    name, kind, text = re.match(
        r"(result \d+): (\w+(?:\[[^]]*\])?) (.*)", line).groups()
    words = re.findall(r"-?(?:inf|nan|[0-9][0-9.e+-]*)|true|false", text)
    return name, kind, [float({"true": 1, "false": 0}.get(w, w)) for w in words]


def difference(before, after):
    """What differs in one evaluation against another; None if nothing does."""
    if len(before) != len(after):
        return f"{len(before)} lines to {len(after)}"
    for k, (a, b) in enumerate(zip(before, after)):
        if a == b or not a.startswith("result"):
            continue
        (name, kind, x), (_, other, y) = split(a), split(b)
        if kind != other:
            return f"{name} from {kind} to {other}"
        allowed = [max(pair) for pair in zip(
            *(map(float, lines[k + 1].split(":")[1].split()) for lines in (before, after)))]
        if len(x) == 2 * len(allowed):
            allowed = [d for d in allowed for _ in range(2)]
        for i, (p, q, d) in enumerate(zip(x, y, allowed)):
            if p == q or math.isnan(p) and math.isnan(q):
                continue
            # Deviations are printed with three digits.
            if not abs(p - q) <= d * 1.01:
                return f"{name}, element {i}, from {p} to {q} (allowed {d})"
    return None


def main():
    tool, program, options, *passes = sys.argv[1:]
    evaluate = f"--arr-evaluate={options} deviations"
    command = [tool, program, evaluate]
    for name in passes:
        command += ["--" + name, evaluate]
    done = subprocess.run(command + ["-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    blocks = re.split(r"^(?=result 0:)", done.stdout, flags=re.M)[1:]
    blocks = [block.splitlines() for block in blocks]
    if len(blocks) != len(passes) + 1:
        sys.exit(f"{len(blocks)} evaluations, expected {len(passes) + 1}")
    for name, before, after in zip(passes, blocks, blocks[1:]):
        wrong = difference(before, after)
        if wrong:
            sys.exit(f"{name} changes {wrong}")
    print(f"the same results after {len(passes)} passes")


main()
