"""Programs for shapes.py: rows of every length, and rows that several loops read."""

import numpy as np

from comparison import DEEPEST, Mismatch, Program, near, same, sum_near

ROWS = [1, 3, 31, 32, 33, 65, 1023, 1000000]

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
