#!/usr/bin/env python3
"""Compares what kernel-print-partition says with intervals that were derived by
hand, and both with all elements that the loops touch, one by one.

    partition_intervals.py ARR_OPT
"""
import re
import subprocess
import sys
from itertools import product

SIZES = {"n": 7, "m": 5, "k": 4}

# name, loops (the first is cut), conditions (each >= 0), accesses:
# (array, its sizes, its indices, edge modes, "load" or "store").
# Then what is to be printed: (verb, array, an interval a dimension).
I = [("i", "n")]
IJ = [("i", "n"), ("j", "m")]
NM = ("n", "m")
OUT2 = ("O", NM, ("i", "j"), None, "store")
OUT1 = ("O", ("n",), ("i",), None, "store")
WRITES2 = ("writes", "O", "[lo, hi) x [0, m)")
WRITES1 = ("writes", "O", "[lo, hi)")
# In a loop that may have no iteration.
TOUCHES1 = ("touches", "O", "[lo, hi)")
CASES = [
    ("copy", I, [], [("A", ("n",), ("i",), None, "load"), OUT1],
     [("reads", "A", "[lo, hi)"), WRITES1]),
    ("three_points_clamped", I, [],
     [("A", ("n",), (f"i + {d}",), ("clamp",), "load") for d in (-1, 0, 1)] + [OUT1],
     [("reads", "A", "[lo - 1, hi + 1) clamp"), WRITES1]),
    ("three_points_wrapped", I, [],
     [("A", ("n",), (f"i + {d}",), ("wrap",), "load") for d in (-1, 0, 1)] + [OUT1],
     [("reads", "A", "[lo - 1, hi + 1) wrap"), WRITES1]),
    ("far_wrapped", I, [],
     [("A", ("n",), ("i - 2",), ("wrap",), "load"),
      ("A", ("n",), ("i + 1",), ("wrap",), "load"), OUT1],
     [("reads", "A", "[lo - 2, hi + 1) wrap"), WRITES1]),
    ("mirrored", I, [],
     [("A", ("n",), ("i - 2",), ("mirror",), "load"),
      ("A", ("n",), ("i + 2",), ("mirror",), "load"), OUT1],
     [("reads", "A", "[lo - 2, hi + 2) mirror"), WRITES1]),
    ("reflected", I, [],
     [("A", ("n",), ("i - 1",), ("reflect",), "load"),
      ("A", ("n",), ("i + 1",), ("reflect",), "load"), OUT1],
     [("reads", "A", "[lo - 1, hi + 1) reflect"), WRITES1]),
    ("five_points_clamped", IJ, [],
     [("A", NM, index, ("clamp", "clamp"), "load")
      for index in (("i - 1", "j"), ("i + 1", "j"), ("i", "j - 1"), ("i", "j + 1"))] + [OUT2],
     [("reads", "A", "[lo - 1, hi + 1) clamp x [-1, m + 1) clamp"), WRITES2]),
    ("five_points_wrapped_rows", IJ, [],
     [("A", NM, index, ("wrap", "clamp"), "load")
      for index in (("i - 1", "j"), ("i + 1", "j"), ("i", "j - 1"), ("i", "j + 1"))] + [OUT2],
     [("reads", "A", "[lo - 1, hi + 1) wrap x [-1, m + 1) clamp"), WRITES2]),
    ("inner_points", [("i", "n - 2"), ("j", "m - 2")], [],
     [("A", NM, index, None, "load")
      for index in (("i", "j + 1"), ("i + 2", "j + 1"), ("i + 1", "j"), ("i + 1", "j + 2"))]
     + [("O", NM, ("i + 1", "j + 1"), None, "store")],
     [("reads", "A", "[lo, hi + 2) x [0, m)"),
      ("writes", "O", "[lo + 1, hi + 1) x [1, m - 1)")]),
    ("transpose", IJ, [], [("A", ("m", "n"), ("j", "i"), None, "load"), OUT2],
     [("reads", "A", "[0, m) x [lo, hi)"), WRITES2]),
    ("transposed_result", IJ, [],
     [("A", NM, ("i", "j"), None, "load"), ("O", ("m", "n"), ("j", "i"), None, "store")],
     [("reads", "A", "[lo, hi) x [0, m)"), ("writes", "O", "[0, m) x [lo, hi)")]),
    ("every_second", I, [], [("A", ("2 * n",), ("2 * i",), None, "load"), OUT1],
     [("reads", "A", "[lo * 2, hi * 2 - 1)"), WRITES1]),
    ("every_third_behind", I, [], [("A", ("3 * n + 1",), ("3 * i + 1",), None, "load"), OUT1],
     [("reads", "A", "[lo * 3 + 1, hi * 3 - 1)"), WRITES1]),
    ("halves", I, [], [("A", ("n",), ("i floordiv 2",), None, "load"), OUT1],
     [("reads", "A", "[(lo - 1) ceildiv 2, (hi - 1) floordiv 2 + 1)"), WRITES1]),
    ("offset", [("i", "n - 3")], [],
     [("A", ("n",), ("i + 3",), None, "load"), ("O", ("n",), ("i",), None, "store")],
     [("reads", "A", "[lo + 3, hi + 3)"), WRITES1]),
    ("reversed", I, [], [("A", ("n",), ("n - 1 - i",), None, "load"), OUT1],
     [("reads", "A", "[-hi + n, -lo + n)"), WRITES1]),
    ("lower_triangle", [("i", "n"), ("j", "i + 1")], [],
     [("A", ("n", "n"), ("i", "j"), None, "load"), OUT1],
     [("reads", "A", "[lo, hi) x [0, hi)"), TOUCHES1]),
    ("upper_triangle", [("i", "n"), ("j", "n - i")], [],
     [("A", ("n", "n"), ("i", "i + j"), None, "load"), OUT1],
     [("reads", "A", "[lo, hi) x [lo, n)"), TOUCHES1]),
    ("triangle_by_condition", [("i", "n"), ("j", "n")], ["i - j"],
     [("A", ("n", "n"), ("j", "i"), None, "load")],
     [("reads", "A", "[0, hi) x [lo, hi)")]),
    ("convolution", [("i", "n"), ("j", "k")], [],
     [("A", ("n + k - 1",), ("i + j",), None, "load"), OUT1],
     [("reads", "A", "[lo, hi + k - 1)"), TOUCHES1]),
    ("rows_of_three", [("i", "n"), ("j", "3")], [],
     [("A", ("3 * n",), ("3 * i + j",), None, "load"),
      ("O", ("3 * n",), ("3 * i + j",), None, "store")],
     [("reads", "A", "[lo * 3, hi * 3)"), ("writes", "O", "[lo * 3, hi * 3)")]),
    ("column_read_everywhere", IJ, [], [("A", ("m",), ("j",), None, "load"), OUT2],
     [("reads", "A", "[0, m)"), WRITES2]),
    ("one_row_for_all", IJ, [], [("A", NM, ("0", "j"), None, "load"), OUT2],
     [("reads", "A", "[0, 1) x [0, m)"), WRITES2]),
    ("every_second_result", I, [],
     [("A", ("n",), ("i",), None, "load"), ("O", ("2 * n",), ("2 * i",), None, "store")],
     [("reads", "A", "[lo, hi)"), ("touches", "O", "[lo * 2, hi * 2 - 1)")]),
    ("diagonal_result", I, [],
     [("A", ("n",), ("i",), None, "load"), ("O", ("n", "n"), ("i", "i"), None, "store")],
     [("reads", "A", "[lo, hi)"), ("touches", "O", "[lo, hi) x [lo, hi)")]),
    # Numbers of what lies in rows, as blocks have them.
    ("numbered", IJ, [],
     [("A", ("n * m",), ("i * m + j",), None, "load"),
      ("O", ("n * m",), ("i * m + j",), None, "store")],
     [("reads", "A", "[lo * m, hi * m)"), ("touches", "O", "[lo * m, hi * m)")]),
    ("numbered_columns", [("i", "m"), ("j", "n")], [],
     [("A", ("n * m",), ("j * m + i",), None, "load"), ("O", ("m",), ("i",), None, "store")],
     [("reads", "A", "[lo, hi + n * m - m)"), ("touches", "O", "[lo, hi)")]),
    ("numbered_in_pairs", [("i", "n"), ("j", "(m + 1) floordiv 2")], [],
     [("A", ("n * ((m + 1) floordiv 2)",), ("i * ((m + 1) floordiv 2) + j",), None, "load"),
      OUT1],
     [("reads", "A", "[lo * ((m + 1) floordiv 2), hi * ((m + 1) floordiv 2))"), TOUCHES1]),
    ("numbered_in_boxes", [("i", "n"), ("j", "m"), ("l", "k")], [],
     [("A", ("n * m * k",), ("(i * m + j) * k + l",), None, "load"), OUT1],
     [("reads", "A", "[lo * (m * k), hi * (m * k))"), TOUCHES1]),
    ("every_mth", I, [], [("A", ("n * m", "m"), ("(n - 1 - i) * m", "0"), None, "load"), OUT1],
     [("reads", "A", "[-(hi * m) + n * m, -(lo * m) + n * m - m + 1) x [0, 1)"), WRITES1]),
]


def value(expr, names):
    expr = expr.replace("floordiv", "//").replace("mod", "%")
    expr = re.sub(r"\(([^()]*)\) ceildiv (\d+)", r"(-(-(\1) // \2))", expr)
    return eval(expr, {"min": min, "max": max}, names)


def arrays(case):
    found = {}
    for array, sizes, _, _, _ in case[3]:
        found[array] = sizes
    return found


def text_of(case):
    """The launch of a case."""
    name, loops, conditions, accesses, _ = case
    lines, ends = [], []
    counter = [0]
    ivs = [iv for iv, _ in loops]

    def apply(expr, seen):
        counter[0] += 1
        dims = ", ".join(seen)
        operands = ", ".join("%" + iv for iv in seen)
        lines.append(f"%v{counter[0]} = affine.apply affine_map<({dims})[n, m, k] -> ({expr})>"
                     f"({operands})[%n, %m, %k]")
        return f"%v{counter[0]}"

    sizes = sorted({size for each in arrays(case).values() for size in each if size not in SIZES})
    outer = ["func.func @%s(%%on: index, %%om: index, %%ok: index" % name]
    for number in range(len(sizes)):
        outer.append(f", %os{number}: index")
    brackets, operands, outs = {}, [], []
    for array, its in arrays(case).items():
        names = ["%" + size if size in SIZES else f"%s{sizes.index(size)}" for size in its]
        kind = "memref<" + "?x" * len(its) + "f32>"
        outer.append(f", %o{array}: {kind}")
        entry = f"%{array}[{', '.join(names)}] = %o{array} : {kind}"
        (outs if array == "O" else operands).append(entry)
        brackets[array] = kind
    head = "".join(outer) + ") {\nkernel.launch @" + name + " ("
    scalars = [f"%{size} = %o{size} : index" for size in SIZES]
    scalars += [f"%s{number} = %os{number} : index" for number in range(len(sizes))]
    head += ", ".join(scalars + operands) + ")"
    if outs:
        head += " outs (" + ", ".join(outs) + ")"
    for depth, (iv, extent) in enumerate(loops):
        of = apply(extent, ivs[:depth]) if not extent.isdigit() else extent
        lines.append(f'kernel.for "{iv}" (%{iv}) in {of} {{')
        ends.append("}")
    for condition in conditions:
        which = apply(condition, ivs)
        lines.append(f"%zero = arith.constant 0 : index\n%is = arith.cmpi sge, {which}, %zero : index")
        lines.append("scf.if %is {")
        ends.append("}")
    lines.append("%c = arith.constant 1.0 : f32")
    for number, (array, _, indices, edges, kind) in enumerate(accesses):
        at = ", ".join(apply(index, ivs) for index in indices)
        if kind == "load":
            edge = f" edge [{', '.join(edges)}]" if edges else ""
            lines.append(f"%x{number} = kernel.load %{array}[{at}]{edge} : {brackets[array]}")
            # What nobody uses would be gone.
            lines.append(f"%y{number} = arith.addf %x{number}, %c : f32")
        else:
            lines.append(f"kernel.store %c, %{array}[{at}] : {brackets[array]}")
    return head + " {\n" + "\n".join(lines + ends) + "\n}\nreturn\n}\n"


def mapped(index, size, edge):
    if edge == "clamp":
        return min(max(index, 0), size - 1)
    if edge == "wrap":
        return index % size
    if edge == "mirror":
        return -1 - index if index < 0 else 2 * size - 1 - index if index >= size else index
    if edge == "reflect":
        return -index if index < 0 else 2 * size - 2 - index if index >= size else index
    return index


def touched(case, array, low, high):
    """All elements that iterations low to high touch; as indices, and mapped."""
    _, loops, conditions, accesses, _ = case
    found, raw = set(), set()

    def go(depth, names):
        if depth == len(loops):
            if any(value(c, names) < 0 for c in conditions):
                return
            for its, sizes, indices, edges, _ in accesses:
                if its == array:
                    raw.add(tuple(value(index, names) for index in indices))
                    found.add(tuple(mapped(value(index, names), value(size, names), edge)
                                    for index, size, edge in
                                    zip(indices, sizes, edges or [None] * len(sizes))))
            return
        iv, extent = loops[depth]
        bounds = (low, high) if depth == 0 else (0, value(extent, names))
        for i in range(*bounds):
            go(depth + 1, {**names, iv: i})

    go(0, dict(SIZES))
    return found, raw


def interval(text, size, names):
    """The ends of an interval as printed, and the indices inside of the array."""
    begin, end, edge = split(text)
    low = 0 if begin == ".." else value(begin, names)
    high = size if end == ".." else value(end, names)
    if edge:
        return (low, high), {mapped(i, size, edge) for i in range(low, high)}
    low, high = max(low, 0), min(high, size)
    return (low, high), set(range(low, high))


def split(text):
    edge = text[text.rindex(")") + 1:].strip()
    inside, depth = text[1:text.rindex(")")], 0
    for place, letter in enumerate(inside):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            return inside[:place], inside[place + 2:], edge
    raise ValueError(text)


def main():
    failures = 0
    source = "\n".join(text_of(case) for case in CASES)
    run = subprocess.run([sys.argv[1], "--kernel-print-partition", "-", "-o", "/dev/null"],
                         input=source, text=True, capture_output=True)
    if run.returncode:
        print(run.stderr)
        return 1
    printed = {}
    for part in run.stderr.split("launch @")[1:]:
        name, rest = part.split("\n", 1)
        cut = rest.split('  cut "i"\n', 1)
        printed[name] = [line.strip() for line in
                         (cut[1] if len(cut) > 1 else "").split("\n")]
        for place, line in enumerate(printed[name]):
            if line.startswith(("cut", "whole")):
                printed[name] = printed[name][:place]
                break
    for case in CASES:
        name, loops = case[0], case[1]
        for verb, array, wanted in case[4]:
            line = f"{verb} '{array}': "
            found = [l[len(line):] for l in printed[name] if l.startswith(line)]
            if found != [wanted]:
                print(f"{name}: {verb} {array}: {found} instead of {wanted}")
                failures += 1
                continue
            sizes = [value(size, SIZES) for size in arrays(case)[array]]
            whole = value(loops[0][1], SIZES)
            for low in range(whole):
                for high in range(low + 1, whole + 1):
                    names = {**SIZES, "lo": low, "hi": high}
                    for number, size in enumerate(sizes):
                        names.setdefault(f"s{number}", size)
                    box = [interval(text, size, names)
                           for text, size in zip(found[0].split(" x "), sizes)]
                    real, raw = touched(case, array, low, high)
                    inside = all(all(i in dim for i, (_, dim) in zip(e, box)) for e in real)
                    # Each end of each dimension is touched.
                    tight = not raw or all(
                        (min(e[d] for e in raw), max(e[d] for e in raw) + 1) == ends
                        for d, (ends, _) in enumerate(box))
                    filled = verb != "writes" or real == set(product(*(dim for _, dim in box)))
                    if not (inside and tight and filled):
                        print(f"{name}: {array} of {low}..{high}: {found[0]} against {sorted(real)}")
                        failures += 1
    print(f"{len(CASES)} kernels, {failures} failures")
    return failures != 0


sys.exit(main())
