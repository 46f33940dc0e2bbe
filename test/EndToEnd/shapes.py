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

INTS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
DTYPES = {"bool": np.bool_, "f16": np.float16, "bf16": np.float32, "f32": np.float32,
          "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
          **{t: np.dtype(t.replace("i", "int").replace("u", "uint")).type for t in INTS}}
AXES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
ROWS = [1, 3, 31, 32, 33, 65, 1023, 1000000]
DEEPEST = 200

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.normpath(os.path.join(HERE, "..", "..", "bench")))
import arrt


class Mismatch(Exception):
    pass


class Program:
    """A program for the target and what its exports are compared with."""

    def __init__(self, name, text):
        self.name, self.text, self.cases = name, text, []

    def case(self, name, entry, inputs, check, scalars=(), fails=False, says=()):
        """`inputs` and `check` are functions: arrays by name from a generator; what is
        wrong, raised as a Mismatch, from the results by name."""
        self.cases.append((name, entry, inputs, check, scalars, fails, says))


# --- Comparison ----------------------------------------------------------------


def same(name, got, want):
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        raise Mismatch(f"{name} is {got.dtype}{list(got.shape)}, expected "
                       f"{want.dtype}{list(want.shape)}")
    equal = (got == want) | ((got != got) & (want != want))
    if not np.all(equal):
        at = tuple(int(i) for i in np.argwhere(~equal)[0])
        raise Mismatch(f"{name}{list(at)} is {got[at]!r}, expected {want[at]!r}; "
                       f"{np.sum(~equal)} of {equal.size} differ")


def near(name, got, want, bound):
    """Within a bound, and a rounding of the result, of a wider reference."""
    want = np.asarray(want, dtype=np.longdouble)
    if got.shape != want.shape:
        raise Mismatch(f"{name} is {list(got.shape)}, expected {list(want.shape)}")
    u = np.finfo(got.dtype).eps / 2
    off = np.abs(got.astype(np.longdouble) - want)
    allowed = np.broadcast_to(bound, want.shape) + u * np.abs(want) + np.finfo(got.dtype).tiny
    fine = (off <= allowed) | (np.isnan(got) & np.isnan(want))
    if not np.all(fine):
        at = tuple(int(i) for i in np.argwhere(~fine)[0])
        raise Mismatch(f"{name}{list(at)} is {got[at]!r}, expected {want[at]!r}, off by "
                       f"{off[at]:.3g}, allowed {allowed[at]:.3g}")


def sum_near(name, got, x, axis=None):
    x = x.astype(np.longdouble)
    size = np.sum(np.abs(x), axis=axis)
    terms = x.size // max(np.size(size), 1)
    u = np.finfo(got.dtype).eps / 2
    near(name, got, np.sum(x, axis=axis), 2 * min(terms, DEEPEST) * u * size)


# --- Every reduction of every type over every axis -------------------------------


def neutral_and(t):
    return str(np.iinfo(DTYPES[t]).max) if t[0] == "u" else "-1"


def operations(t):
    """Name, text with {a} and {axis}, NumPy's reference, result type."""
    kind = DTYPES[t]
    if t == "bool":
        return [("any", "any({a}, axis = {axis})", np.any, "bool"),
                ("all", "all({a}, axis = {axis})", np.all, "bool"),
                ("count", "count({a}, axis = {axis})",
                 lambda a, axis: np.sum(a, axis=axis, dtype=np.int64), "int"),
                ("xor", "reduce(fn(x, y) => x != y, false, {a}, axis = {axis})",
                 np.logical_xor.reduce, "bool")]
    result = [("sum", "sum({a}, axis = {axis})",
               lambda a, axis: np.sum(a, axis=axis, dtype=kind), t),
              ("prod", "prod({a}, axis = {axis})",
               lambda a, axis: np.prod(a, axis=axis, dtype=kind), t)]
    if t in COMPLEX:
        return result
    least = np.iinfo(kind).min if t in INTS else -np.inf
    most = np.iinfo(kind).max if t in INTS else np.inf
    result += [("max", "max({a}, axis = {axis})",
                lambda a, axis: np.max(a, axis=axis, initial=kind(least)), t),
               ("min", "min({a}, axis = {axis})",
                lambda a, axis: np.min(a, axis=axis, initial=kind(most)), t)]
    if t in INTS:
        result += [("and", f"reduce(bitand, {neutral_and(t)}, {{a}}, axis = {{axis}})",
                    np.bitwise_and.reduce, t),
                   ("or", "reduce(bitor, 0, {a}, axis = {axis})", np.bitwise_or.reduce, t),
                   ("xor", "reduce(bitxor, 0, {a}, axis = {axis})",
                    np.bitwise_xor.reduce, t)]
    return result


def values(rng, t, op, shape):
    """Values whose reduction is exact in any order."""
    kind = DTYPES[t]
    if t == "bool":
        return rng.random(shape) < (0.9 if op == "all" else 0.1 if op == "any" else 0.5)
    if t in INTS:
        info = np.iinfo(kind)
        return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
    if op == "prod":
        power = rng.choice([0, 0, 0, 1, -1], shape)
        part = np.ldexp(rng.choice([-1.0, 1.0], shape), power)
        if np.size(part) > 200:  # far from overflow
            part = np.sign(part)
        return (part * rng.choice([1, 1j], shape) if t in COMPLEX else part).astype(kind)
    part = rng.integers(-2, 3, shape)
    if t in COMPLEX:
        part = part + 1j * rng.integers(-2, 3, shape)
    return part.astype(kind)


def to_bf16(x):
    """Rounded to bf16, as f32."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def dims(axis):
    return "".join(map(str, axis))


def type_programs(types, shapes):
    for t in types:
        file_type = "f32" if t == "bf16" else t
        text = ""
        for op, form, _, result in operations(t):
            outside = "f32" if t == "bf16" else result
            kept = [[d for k, d in enumerate("nmq") if k not in axis] for axis in AXES]
            results = ", ".join(f"r{dims(axis)}: {outside}" + (f"[{', '.join(k)}]" if k else "")
                                for axis, k in zip(AXES, kept))
            calls = []
            for axis in AXES:
                axis = str(axis[0]) if len(axis) == 1 else str(axis)
                call = form.format(a="a", axis=axis)
                calls.append(f"f32({call})" if t == "bf16" else call)
            name = f"{op}_of"
            if t == "bf16":
                body = "{\n  let a = bf16(x)\n  (" + ",\n   ".join(calls) + ")\n}"
                text += f"export def {name}(x: f32[n, m, q]) -> ({results}) {body}\n"
            else:
                text += (f"export def {name}(a: {file_type}[n, m, q]) -> ({results}) =\n  ("
                         + ",\n   ".join(calls) + ")\n")
        program = Program(f"types-{t}", text)
        for op, _, reference, _ in operations(t):
            for shape in shapes:
                argument = "x" if t == "bf16" else "a"

                def inputs(rng, op=op, shape=shape, t=t, argument=argument):
                    return {argument: values(rng, t, op, shape)}

                def check(arrays, results, reference=reference, argument=argument, t=t,
                          finite=op in ("sum", "prod")):
                    a = arrays[argument]
                    for axis in AXES:
                        name = f"r{dims(axis)}"
                        with np.errstate(all="ignore"):
                            want = reference(a, axis=axis if len(axis) > 1 else axis[0])
                        if t == "bf16" and finite:
                            want = to_bf16(want)
                        if a.dtype.kind in "fc":
                            want = np.asarray(want) + 0  # no zeros of two signs
                        same(name, results[name] + 0 if a.dtype.kind in "fc"
                             else results[name], want)

                names = tuple(f"r{dims(axis)}" for axis in AXES)
                program.case(f"{op} {'x'.join(map(str, shape))}", f"{op}_of", inputs,
                             (names, check))
        yield program


# --- Rows of every length ---------------------------------------------------------

ROWS_TEXT = """
export def folds(a: f32[n, m]) -> (s: f32[n], hi: f32[n], at: int[n], c: f32[m], t: f32) where m >= 1 =
  (sum(a, axis = 1), max(a, axis = 1), argmax(a, axis = 1), sum(a, axis = 0), sum(a))
export def softmax(a: f32[n, m]) -> f32[n, m] = for i in n {
  let hi = max(a[i])
  let e = for j in m { exp(a[i, j] - hi) }
  let s = sum(e)
  for j in m { e[j] / s }
}
export def spread(a: f32[n, m]) -> (mean: f32[n], dev: f32[n]) where m >= 1 {
  let (p, q) = for i in n {
    let mu = sum(a[i]) / m
    (mu, sum for j in m { (a[i, j] - mu) ** 2 })
  }
  (p, q)
}
export def scans(a: f32[n, m]) -> (x: f32[n, m], y: f32[n, m], z: f32[n, m]) =
  (for i { scan((+)) for j { a[i, j] } }, scan((+), a, axis = 0), for i { exscan(max, -inf, a[i]) })
export def share(a: f32[n, m]) -> f32[n, m] = for i in n {
  let s = scan((+), a[i])
  for j in m { a[i, j] + s[j] }
}
export def tail(a: f32[n, m]) -> f32[n] = for i in n {
  let e = for j in m { a[i, j] * 2.0 }
  sum for j in m { e[j] * e[m - 1 - j] }
}
"""


def row_program(most):
    program = Program("rows", ROWS_TEXT)
    for m in ROWS:
        if m > most:
            continue
        for n in ([1, 7, 129] if m < 100000 else [3]):
            def whole(rng, n=n, m=m):
                return {"a": rng.integers(-2, 3, (n, m)).astype(np.float32)}

            def random(rng, n=n, m=m):
                return {"a": (rng.standard_normal((n, m)) * 3).astype(np.float32)}

            def folds(arrays, r):
                a = arrays["a"]
                same("s", r["s"], np.sum(a, axis=1, dtype=np.float64).astype(np.float32))
                same("hi", r["hi"], np.max(a, axis=1))
                same("at", r["at"], np.argmax(a, axis=1))
                same("c", r["c"], np.sum(a, axis=0, dtype=np.float64).astype(np.float32))
                same("t", r["t"], np.float32(np.sum(a, dtype=np.float64)))

            def floats(arrays, r):
                a = arrays["a"]
                sum_near("s", r["s"], a, 1)
                sum_near("c", r["c"], a, 0)
                sum_near("t", r["t"], a)
                same("hi", r["hi"], np.max(a, axis=1))

            def softmax(arrays, r):
                w = arrays["a"].astype(np.float64)
                d = w - np.max(w, axis=1, keepdims=True)
                e = np.exp(d)
                s = np.sum(e, axis=1, keepdims=True)
                off = 10 + np.abs(d)
                whole = 10 + np.sum(e * off, axis=1, keepdims=True) / s
                near("out", r["out"], e / s,
                     e / s * 2.0**-24 * (off + whole + 2 * min(w.shape[1], DEEPEST)))

            def spread(arrays, r):
                w = arrays["a"].astype(np.float64)
                m, u = w.shape[1], 2.0**-24
                mu, k = np.mean(w, axis=1), 2 * min(m, DEEPEST) + 2
                off = k * u * np.mean(np.abs(w), axis=1)
                near("mean", r["mean"], mu, off)
                d = w - mu[:, None]
                near("dev", r["dev"], np.sum(d * d, axis=1),
                     (k + 4) * u * np.sum(d * d, axis=1)
                     + np.sum(2 * np.abs(d) * (off + u * np.abs(mu))[:, None], axis=1)
                     + m * (2 * off) ** 2)

            def scans(arrays, r):
                a = arrays["a"].astype(np.float64)
                same("x", r["x"], np.cumsum(a, axis=1).astype(np.float32))
                same("y", r["y"], np.cumsum(a, axis=0).astype(np.float32))
                z = np.full_like(a, -np.inf)
                z[:, 1:] = np.maximum.accumulate(a, axis=1)[:, :-1]
                same("z", r["z"], z.astype(np.float32))

            def share(arrays, r):
                a = arrays["a"].astype(np.float64)
                same("out", r["out"], (a + np.cumsum(a, axis=1)).astype(np.float32))

            def tail(arrays, r):
                a = arrays["a"].astype(np.float64)
                same("out", r["out"],
                     (4 * np.sum(a * a[:, ::-1], axis=1)).astype(np.float32))

            size = f"{n}x{m}"
            program.case("folds " + size, "folds", whole,
                         (("s", "hi", "at", "c", "t"), folds))
            program.case("floats " + size, "folds", random,
                         (("s", "hi", "at", "c", "t"), floats))
            program.case("softmax " + size, "softmax", random, (("out",), softmax))
            program.case("spread " + size, "spread", random, (("mean", "dev"), spread))
            program.case("scans " + size, "scans", whole, (("x", "y", "z"), scans))
            program.case("share " + size, "share", whole, (("out",), share))
            program.case("tail " + size, "tail", whole, (("out",), tail))
    return program


# --- Rows that several loops read -------------------------------------------------

# Lengths around those up to which a thread, a warp, a block keeps a row, aligned
# and not.
KEPT = [1, 3, 8, 9, 31, 64, 65, 100, 512, 516, 1023, 4096, 5000, 16384, 16390]

KEPT_TEXT = """
export def log_softmax(a: f32[n, m]) -> f32[n, m] = for i in n {
  let hi = max(a[i])
  let l = log(sum for j in m { exp(a[i, j] - hi) })
  for j in m { a[i, j] - hi - l }
}
export def layer(a: f64[n, m], g: f64[m], b: f64[m]) -> f64[n, m] = for i in n {
  let mu = sum(a[i]) / m
  let v = (sum for j in m { (a[i, j] - mu) ** 2 }) / m
  let r = 1.0 / sqrt(v + 0.5)
  for j in m { (a[i, j] - mu) * r * g[j] + b[j] }
}
export def from_largest(a: int[n, m]) -> (at: int[n], d: int[n, m]) where m >= 1 {
  let (p, q) = for i in n {
    let k = argmax(a[i])
    (k, for j in m { a[i, j] - a[i, k] + k })
  }
  (p, q)
}
export def halves(a: f16[n, m]) -> f16[n, m] = for i in n {
  let hi = max(a[i])
  let lo = min(a[i])
  for j in m { (a[i, j] - lo) + (hi - a[i, j]) * f16(2.0) }
}
export def two(a: f32[n, m], b: f32[n, m]) -> (x: f32[n, m], y: f32[n]) {
  let (p, q) = for i in n {
    let s = sum for j in m { a[i, j] * b[i, j] }
    let t = sum for j in m { (a[i, j] - s) * (b[i, j] + s) }
    (for j in m { a[i, j] * t + b[i, j] * s }, t)
  }
  (p, q)
}
export def fixed(a: f32[n, 96]) -> f32[n, 96] = for i in n {
  let s = sum(a[i])
  let e = for j in 96 { a[i, j] + s }
  let hi = max(e)
  for j in 96 { e[j] - hi + a[i, j] }
}
export def again(a: f32[n, m], k: int) -> f32[n, m] {
  var x = a
  loop t in k {
    x = for i in n {
      let hi = max(x[i])
      for j in m { x[i, j] - hi }
    }
  }
  x
}
"""


def kept_program(quick):
    program = Program("kept", KEPT_TEXT)
    for m in KEPT[::3] if quick else KEPT:
        for n in [1, 37] if m < 1000 else [2]:
            def whole(t, *names, n=n, m=m, least=-2, most=3):
                def make(rng):
                    return {name: rng.integers(
                        least, most, (m,) if name in ("g", "v") else (n, m)).astype(t)
                        for name in names}
                return make

            def layer_inputs(rng, n=n, m=m):
                return {"a": rng.standard_normal((n, m)), "g": rng.standard_normal(m),
                        "b": rng.standard_normal(m)}

            def log_softmax(arrays, r):
                w = arrays["a"].astype(np.float64)
                d = w - np.max(w, axis=1, keepdims=True)
                l = np.log(np.sum(np.exp(d), axis=1, keepdims=True))
                near("out", r["out"], d - l, 2.0**-24 * (
                    40 + 4 * np.abs(l) + 2 * np.abs(d)))

            def special(rng, n=n, m=m):
                a = rng.standard_normal((n, m)).astype(np.float32)
                a[0, m // 2] = np.nan
                a[-1, m - 1] = np.inf
                return {"a": a}

            def poisoned(arrays, r):
                for i in {0, len(arrays["a"]) - 1}:
                    if not np.all(np.isnan(r["out"][i])):
                        raise Mismatch(f"row {i} holds numbers")

            def layer(arrays, r):
                a = arrays["a"].astype(np.longdouble)
                mu = np.mean(a, axis=1, keepdims=True)
                v = np.mean((a - mu) ** 2, axis=1, keepdims=True)
                want = (a - mu) / np.sqrt(v + 0.5) * arrays["g"] + arrays["b"]
                near("out", r["out"], want, 1e-12)

            def from_largest(arrays, r):
                a = arrays["a"]
                at = np.argmax(a, axis=1)
                same("at", r["at"], at)
                same("d", r["d"], a - np.max(a, axis=1, keepdims=True) + at[:, None])

            def halves(arrays, r):
                a = arrays["a"]
                hi, lo = np.max(a, axis=1, keepdims=True), np.min(a, axis=1, keepdims=True)
                same("out", r["out"], (a - lo) + (hi - a) * np.float16(2))

            def two(arrays, r):
                a, b = arrays["a"].astype(np.float64), arrays["b"].astype(np.float64)
                s = np.sum(a * b, axis=1, keepdims=True)
                t = np.sum((a - s) * (b + s), axis=1, keepdims=True)
                near("y", r["y"], t[:, 0], 2.0**-20 * np.sum(
                    np.abs(a - s) * np.abs(b + s), axis=1))
                near("x", r["x"], a * t + b * s, 2.0**-18 * (
                    np.sum(np.abs(a - s) * np.abs(b + s), axis=1, keepdims=True) * 3 + 1))

            def fixed(arrays, r):
                a = arrays["a"].astype(np.float64)
                e = a + np.sum(a, axis=1, keepdims=True)
                same("out", r["out"],
                     (e - np.max(e, axis=1, keepdims=True) + a).astype(np.float32))

            def again(arrays, r):
                a = arrays["a"]
                same("out", r["out"], a - np.max(a, axis=1, keepdims=True))

            size = f"{n}x{m}"
            real = whole(np.float32, "a", least=-6, most=7)
            program.case("log softmax " + size, "log_softmax", real,
                         (("out",), log_softmax))
            program.case("special " + size, "log_softmax", special, (("out",), poisoned))
            program.case("layer " + size, "layer", layer_inputs, (("out",), layer))
            program.case("largest " + size, "from_largest",
                         whole(np.int64, "a", least=-900, most=900),
                         (("at", "d"), from_largest))
            program.case("halves " + size, "halves", whole(np.float16, "a"),
                         (("out",), halves))
            program.case("two " + size, "two", whole(np.float32, "a", "b"),
                         (("x", "y"), two))
            program.case("again " + size, "again", whole(np.float32, "a"),
                         (("out",), again), ["k=3"])
    for n in [1, 37, 300]:
        def inputs(rng, n=n):
            return {"a": rng.integers(-2, 3, (n, 96)).astype(np.float32)}
        program.case(f"fixed {n}x96", "fixed", inputs, (("out",), fixed))
    return program


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
