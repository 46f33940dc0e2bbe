"""Programs whose bounds are proved, checked or wrong at the edges of 64 bits.

A name, the program, and runs: arguments, and what comes out or "error".
"""

LEAST, MOST = -2**63, 2**63 - 1
E = "error"
X = "x=[1,2,3]"


def k_runs(*runs):
    return [(f"{X} k={k}", out) for k, out in runs]


def lo_hi(outside):
    """Runs of something that takes lo:hi of three elements, far apart and near;
    `outside` comes out of ranges that run backwards."""
    return [(f"{X} lo={lo} hi={hi}", out) for lo, hi, out in [
        (MOST, LEAST, outside), (MOST - 7, LEAST, outside), (MOST, LEAST + 1, outside),
        (2**62, -2**62, outside), (3, 0, outside)]]


HEAD = "export def main(x: u8[n], k: int) -> u8"
LO_HI = "export def main(x: u8[n], lo: int, hi: int)"

CASES = {
    # Functions of an index that wraps.
    "abs": (f"{HEAD} where n > 0 = x[abs(k) % n]",
            k_runs((LEAST, 2), (-1, 2), (MOST, 2), (0, 1))),
    "abs-if": (f"{HEAD} = if abs(k) < n {{ x[abs(k)] }} else {{ 7 }}",
               k_runs((LEAST, E), (-2, 3), (MOST, 7), (3, 7))),
    "clamp": (f"{HEAD} where n > 0 = x[clamp(k + 1, 0, n - 1)]",
              k_runs((MOST, 1), (MOST - 1, 3), (LEAST, 1), (0, 2))),
    "min": (f"{HEAD} where k >= 0, n > 0 = x[min(k + 1, n - 1)]",
            k_runs((MOST, E), (MOST - 1, 3), (0, 2), (-1, E))),
    "mod": (f"{HEAD} where n > 0 = x[(k + k) % n]", k_runs((MOST, 2), (2**62, 2), (1, 3))),
    "div": (f"{HEAD} where n > 0, k >= 0 = x[(k + 1) // 2 % n]",
            k_runs((MOST, 3), (3, 3), (-1, E))),
    "views": ("export def main(x: u8[n], k: int) -> u8[4] {\n  let w = extend(x, wrap)\n"
              "  let c = extend(x, clamp)\n  let m = extend(x, mirror)\n"
              "  let r = extend(x, reflect)\n  [w[k + 5], c[k + 5], m[-k], r[k]]\n}",
              k_runs((MOST, "[3, 1, 1, 2]"), (LEAST, "[1, 1, 2, 1]"))),
    "roll": ("export def main(x: u8[n], k: int) -> u8[n] = roll(x, k)",
             k_runs((LEAST, "[2, 3, 1]"), (1, "[3, 1, 2]"), (MOST, "[3, 1, 2]"))),
    # Conditions of branches wrap; what they guard is checked.
    "if": (f"{HEAD} = if k >= 0 and k + 1 < n {{ x[k + 1] }} else {{ 7 }}",
           k_runs((MOST, E), (MOST - 1, 7), (1, 3), (2, 7), (-1, 7))),
    "if-le": (f"{HEAD} = if k >= 0 and k + 1 <= n {{ x[k] }} else {{ 7 }}",
              k_runs((MOST, E), (2, 3), (3, 7))),
    "if-neg": (f"{HEAD} = if k <= 0 and -k < n {{ x[-k] }} else {{ 7 }}",
               k_runs((LEAST, E), (-2, 3), (-3, 7), (0, 1))),
    "if-same": (f"{HEAD} = if k + 1 >= 0 and k + 1 < n {{ x[k + 1] }} else {{ 7 }}",
                k_runs((MOST, 7), (LEAST, 7), (-1, 1), (1, 3), (2, 7))),
    "if-i32": ("export def main(x: u8[n], k: i32) -> u8 = "
               "if k >= 0 and k + 1 < 3 { x[k + 1] } else { 7 }",
               k_runs((2**31 - 1, E), (1, 3), (2, 7))),
    "u64": ("export def main(x: u8[n], k: u64) -> u8 = x[k]",
            k_runs((2**64 - 1, E), (2**63, E), (2, 3), (3, E))),
    "map": ("export def main(x: u8[n], k: int) -> u8[n] = "
            "for i in n { if k >= 0 and i + k < n { x[i + k] } else { 7 } }",
            k_runs((MOST, E), (1, "[2, 3, 7]"), (MOST - 2, "[7, 7, 7]"))),
    "map-var": ("export def main(x: u8[n], k: int) -> u8[n] where k >= 0 = "
                "for i in n { var j = i + k\n  if j < n { x[j] } else { 7 } }",
                k_runs((MOST, E), (2, "[3, 7, 7]"))),
    "while": ("export def main(x: u8[n], k: int) -> int {\n  var i = k\n  var t = 0\n"
              "  while i >= 0 and i + 2 < n and t < 9 {\n    t = t + 1 + int(x[i + 2])\n"
              "    i += 1\n  }\n  t\n}", k_runs((MOST, E), (MOST - 2, 0), (0, 4))),
    "scatter": ("export def main(x: u8[n], k: int) -> u8[n] where k >= 0 = "
                "scatter(x) for i in n { (if i + k < n { i + k } else { i }, 9) }",
                k_runs((MOST, E), (0, "[9, 9, 9]"))),
    "hist": ("export def main(x: int[n]) -> int[4] = hist((+), 0, 4) for i in n "
             "{ (if x[i] >= 0 { min(x[i] + 1, 3) } else { 0 }, 1) }",
             [(f"x=[{MOST}]", E), ("x=[0,5]", "[0, 1, 0, 1]")]),
    # `where` and `assert` are over the integers.
    "where-sum": ("export def main(x: u8[n], k: int, j: int) -> u8 "
                  "where k >= 0, j >= 0, k + j < n = x[k + j]",
                  [(f"{X} k={MOST} j={MOST}", E), (f"{X} k={2**62} j={2**62}", E),
                   (f"{X} k=1 j=1", 3), (f"{X} k=1 j=2", E)]),
    "where-le": (f"{HEAD} where k >= 0, k + 1 <= n = x[k]", k_runs((MOST, E), (2, 3), (3, E))),
    "where-mul": (f"{HEAD} where k >= 0, 4 * k < n = x[k]",
                  k_runs((2**62, E), (2**61, E), (MOST, E), (0, 1), (1, E))),
    "where-square": (f"{HEAD} where k >= 0, k * k < n = x[k]",
                     k_runs((2**32, E), (1, 2), (2, E), (MOST, E))),
    "where-sub": (f"{HEAD} where k - 1 >= 0, k - 1 < n = x[k - 1]",
                  k_runs((LEAST, E), (3, 3), (0, E))),
    "where-and": (f"{HEAD} where k - 1 >= 0 and k < n = x[k]",
                  k_runs((LEAST, E), (2, 3), (3, E))),
    "where-or": (f"{HEAD} where k == 7 or k + 1 < n = if k == 7 {{ 7 }} else {{ x[k] }}",
                 k_runs((MOST, E), (7, 7), (1, 2), (LEAST, E))),
    "where-neg": (f"{HEAD} where k <= 0, -k < n = x[-k]", k_runs((LEAST, E), (-2, 3))),
    "where-window": ("export def main(x: u8[m], k: int, n: int) -> u8[n] "
                     "where k >= 0, n >= 0, k + n <= m = for i in n { x[i + k] }",
                     [(f"{X} k={MOST} n=1", E), (f"{X} k=1 n=2", "[2, 3]"),
                      (f"{X} k=1 n={MOST}", E), (f"{X} k=3 n=0", "[]")]),
    "def-where": ("def at(x: u8[n], k: int) -> u8 where k >= 0, k + 2 < n = x[k + 2]\n"
                  f"{HEAD} = at(x, k)", k_runs((MOST, E), (MOST - 1, E), (0, 3), (1, E))),
    "def-in-for": ("def at(x: u8[n], k: int) -> u8 where k >= 0, k < n = x[k]\n"
                   "export def main(x: u8[n], l: int[m]) -> u8[m] = for i in m { at(x, l[i]) }",
                   [(f"{X} l=[0,2]", "[1, 3]"), (f"{X} l=[0,{2**40}]", E),
                    (f"{X} l=[{LEAST}]", E)]),
    "assert": ("export def main(x: u8[n], k: int) -> u8 {\n  assert k >= 0\n"
               "  assert k + 1 < n\n  x[k + 1]\n}", k_runs((MOST, E), (1, 3), (2, E))),
    "assert-in-for": ("export def main(x: u8[n], l: int[m]) -> u8[m] = for i in m {\n"
                      "  let k = l[i]\n  assert k >= 0\n  assert k + 1 < n\n  x[k + 1]\n}",
                      [(f"{X} l=[0,1]", "[2, 3]"), (f"{X} l=[0,{2**40}]", E),
                       (f"{X} l=[{MOST}]", E)]),
    "write": ("export def main(x: u8[n], k: int, j: int) -> u8[n] "
              "where k >= 0, j >= 0, k + j < n {\n  var t = x\n  t[k + j] = 9\n  t\n}",
              [(f"{X} k={MOST} j={MOST - 5807}", E), (f"{X} k={2**62} j={2**62}", E),
               (f"{X} k=1 j=0", "[1, 9, 3]")]),
    "write-window": ("export def main(x: u8[m], k: int, n: int) -> u8[m] "
                     "where k >= 0, n >= 0, k + n <= m {\n  var t = x\n"
                     "  loop i in n { t[i + k] = 9 }\n  t\n}",
                     [(f"{X} k={MOST} n=1", E), (f"{X} k=1 n=1", "[1, 9, 3]")]),
    # Slices.
    "slice": (f"{LO_HI} -> u8[?m] = x[lo:hi]",
              lo_hi(E) + [(f"{X} lo=1 hi=3", "[2, 3]"), (f"{X} lo=3 hi=3", "[]"),
                          (f"{X} lo=0 hi={MOST}", E), (f"{X} lo=-1 hi=1", E)]),
    "slice-sum": (f"{LO_HI} -> int = sum for v in x[lo:hi] {{ int(v) }}",
                  lo_hi(E) + [(f"{X} lo=0 hi=3", 6)]),
    "slice-step": (f"{LO_HI} -> u8[?m] = x[lo:hi:3]",
                   lo_hi(E) + [(f"{X} lo=1 hi=3", "[2]"), (f"{X} lo=0 hi=4", E)]),
    "slice-long-step": (f"{LO_HI} -> u8[?m] = x[lo:hi:{MOST}]",
                        lo_hi(E) + [(f"{X} lo=1 hi=3", "[2]"), (f"{X} lo=1 hi=1", "[]")]),
    "slice-write": (f"{LO_HI} -> u8[n] {{\n  var t = x\n  t[lo:hi] = 9\n  t\n}}",
                    lo_hi(E) + [(f"{X} lo=1 hi=2", "[1, 9, 3]")]),
    "slice-rows": ("export def main(x: u8[n, m], lo: int, hi: int) -> u8[?a, m] = x[lo:hi]",
                   [(f"x=[[1,2],[3,4]] lo={MOST} hi={LEAST}", E),
                    ("x=[[1,2],[3,4]] lo=1 hi=2", "[[3, 4]]")]),
    "slice-of-four": ("export def main(x: u8[n], lo: int) -> u8[4] = x[lo:lo + 4]",
                      [(f"x=[1,2,3,4,5] lo={lo}", out) for lo, out in [
                          (MOST, E), (MOST - 3, E), (LEAST, E), (1, "[2, 3, 4, 5]"), (2, E)]]),
    "slice-in-for": ("export def main(x: u8[n], lo: int, hi: int, m: int) -> int[m] = "
                     "for i in m { sum for v in x[lo:hi] { int(v) } }",
                     [(f"{X} lo=10000000000 hi=20000000000 m=2", E), (f"{X} lo=1 hi=3 m=2", "[5, 5]"),
                      (f"{X} lo={MOST} hi={LEAST} m=1", E)]),
    "slices-in-for": ("export def main(x: u8[n], lo: int[m], hi: int[m]) -> int[m] = "
                      "for i in m { sum for v in x[lo[i]:hi[i]:3] { int(v) } }",
                      [(f"{X} lo=[1,10000000000] hi=[1,20000000000]", E),
                       (f"{X} lo=[1,0] hi=[1,3]", "[0, 1]")]),
    "windows-in-for": ("export def main(x: u8[n], w: int, m: int) -> int[m] = "
                       "for i in m { sum for v in x[i:i + w] { int(v) } }",
                       [(f"{X} w=2 m=2", "[3, 5]"), (f"{X} w=10000000000 m=2", E),
                        (f"{X} w={MOST} m=2", E)]),
    # Ranges whose ends are far apart, and steps that leave the range.
    "range": (f"{LO_HI} -> u8[?k] where lo >= 0, hi <= n = for i in lo:hi {{ x[i] }}",
              lo_hi("[]") + [(f"{X} lo=1 hi=3", "[2, 3]")]),
    "range-sum": (f"{LO_HI} -> int where lo >= 0, hi <= n = sum for i in lo:hi {{ int(x[i]) }}",
                  lo_hi(0) + [(f"{X} lo=1 hi=3", 5)]),
    "range-loop": (f"{LO_HI} -> int where lo >= 0, hi <= n {{\n  var t = 0\n"
                   "  loop i in lo:hi { t += int(x[i]) }\n  t\n}",
                   lo_hi(0) + [(f"{X} lo=1 hi=3", 5)]),
    "range-down": (f"{LO_HI} -> int = sum for i in hi:lo:-2 {{ int(x[i]) }}",
                   lo_hi(0)[:4] + [(f"{X} lo=-1 hi=2", 4), (f"{X} lo={MOST} hi=0", 0)]),
    "range-far": ("export def main(lo: int, hi: int) -> int = "
                  f"sum for i in lo:hi:{2**62} {{ 1 }}",
                  [(f"lo={LEAST} hi={MOST}", 4), (f"lo={LEAST} hi=0", 2), (f"lo=0 hi={MOST}", 2),
                   (f"lo={MOST} hi={LEAST}", 0)]),
    "range-step": ("export def main(x: u8[n], s: int) -> int where s > 0 = "
                   "sum for i in 0:n:s { int(x[i]) }",
                   [(f"{X} s={MOST}", 1), (f"{X} s=2", 4), (f"{X} s={MOST - 1}", 1)]),
    "range-step-from": ("export def main(x: u8[n], lo: int, s: int) -> int where lo >= 0 = "
                        "sum for i in lo:n:s { int(x[i]) }",
                        [(f"{X} lo=1 s={MOST}", 2), (f"{X} lo={MOST} s=1", 0),
                         (f"{X} lo=1 s={LEAST}", 0), (f"{X} lo=0 s=0", E)]),
    "loop-step": ("export def main(x: u8[n], s: int) -> int where s > 0 {\n  var t = 0\n"
                  "  loop i in 0:n:s { t += int(x[i]) }\n  t\n}",
                  [(f"{X} s={MOST - 1}", 1), (f"{X} s=1", 6)]),
    "size-plus-one": ("export def main(n: int) -> u8 = "
                      "if n + 1 > 0 { (for i in n + 1 { u8(1) })[n] } else { 7 }",
                      [(f"n={MOST}", 7), ("n=3", 1), ("n=-2", 7)]),
    "last-of-range": (f"{HEAD} = max for i in k + 1 {{ if i == k {{ x[i] }} else {{ 0 }} }}",
                      k_runs((2, 3), (3, E))),
    # Sizes are integers.
    "concat": (f"{HEAD} where k >= 0, k < n + n = concat(x, x)[k]",
               k_runs((5, 3), (6, E), (MOST, E))),
    "reshape": ("export def main(x: u8[n], a: int, b: int) -> u8 = reshape(x, a, b)[1, 0]",
                [(f"x=[] a={2**32} b={2**32}", E), (f"x=[1,2] a=2 b={2**63 - 1}", E),
                 ("x=[1,2] a=2 b=1", 2), ("x=[1,2] a=-2 b=-1", E)]),
    "product": ("export def main(x: u8[k * j], k: int, j: int) -> u8[k, j] "
                "where k >= 1, j >= 1 = reshape(x, k, j)",
                [(f"x=[0,0] k={2**32} j={2**32}", E), ("x=[1,2] k=2 j=1", "[[1], [2]]"),
                 (f"x=[0,0] k={MOST} j={MOST - 1}", E)]),
    "product-first": ("export def main(x: u8[k * j], k: int, j: int) -> u8 "
                      "where k >= 1, j >= 1 = x[0]",
                      [(f"x=[] k={2**32} j={2**32}", E), ("x=[5] k=1 j=1", 5)]),
    "product-for": ("export def main(k: int, j: int, x: u8[k * j]) -> int where k >= 1, j >= 1 = "
                    "sum for r in 3, c in 3 { if r < k and c < j { int(x[r * j + c]) } else { 0 } }",
                    [(f"x=[] k={2**32} j={2**32}", E), ("x=[1,2] k=2 j=1", 3)]),
    "sum-of-sizes": ("export def main(x: u8[k + j], k: int, j: int) -> u8 "
                     "where k >= 1, j >= 1 = x[k]",
                     [(f"{X} k={2**62} j={3 - 2**62}", E), (f"{X} k=1 j=2", 2),
                      (f"{X} k={MOST} j={MOST}", E)]),
}
