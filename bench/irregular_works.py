"""Workloads of run.py whose time depends on the data: histograms, rows of different
lengths, gathers and filters.

An input is (shape, element type, draw): `draw(tensor, before)` fills the tensor, given
those that were drawn before it.
"""

import torch

from measure import F32, F64, I32
from workload import BEST, MOST, NAMES, U8, Work

#: Values that are divided among bins or rows.
VALUES = 1 << 26


def below(bins):
    """Keys of bins, all equally frequent."""
    return lambda keys, before: keys.random_(0, bins)


def constant(key):
    """One key."""
    return lambda keys, before: keys.fill_(key)


def zipf(bins, exponent):
    """Keys of which the k-th is drawn with a frequency of 1 / k^exponent."""
    def draw(keys, before):
        rank = torch.arange(1, bins + 1, device=keys.device, dtype=F64)
        upto = torch.cumsum(rank ** -exponent, 0)
        step = 1 << 24
        for k in range(0, keys.numel(), step):
            part = keys[k:k + step]
            at = torch.rand(part.shape, device=keys.device, dtype=F64) * upto[-1]
            part.copy_(torch.searchsorted(upto, at).clamp_(0, bins - 1))
    return draw


def ascending(bins):
    """Sorted keys of bins."""
    def draw(keys, before):
        keys.copy_(keys.random_(0, bins).sort().values)
    return draw


def skewed_rows(total):
    """Offsets of rows of which few hold most of `total` values, and many nothing."""
    def draw(offsets, before):
        weights = torch.rand(offsets.numel() - 1, device=offsets.device, dtype=F64) ** -1.2
        weights[::19] = 0
        ends = torch.cumsum(weights, 0)
        offsets[0] = 0
        offsets[1:] = (ends * (total / float(ends[-1]))).floor().clamp_(0, total)
        offsets[-1] = total
    return draw


def equal_rows(length):
    """Offsets of rows of one length."""
    return lambda offsets, before: offsets.copy_(
        torch.arange(offsets.numel(), device=offsets.device) * length)


def short_rows(total, longest):
    """Offsets of rows of 0 to `longest` values, of `total` together."""
    def draw(offsets, before):
        lengths = torch.randint(0, longest + 1, (offsets.numel() - 1,), device=offsets.device)
        offsets[0] = 0
        offsets[1:] = torch.cumsum(lengths, 0).clamp_(max=total)
        offsets[-1] = total
    return draw


def counted(keys, bins):
    return torch.bincount(keys.long(), minlength=bins).to(I32)


def summed(keys, values, bins):
    return torch.zeros(bins, dtype=F64, device=keys.device).index_add_(
        0, keys.long(), values.double())


def histograms(s):
    for name, shape, bins, draw in (("random", 1 << 28, 256, below(256)),
                                    ("one key", 1 << 28, 256, constant(77)),
                                    ("letters", 1 << 20, 26, below(26)),
                                    ("frequencies 1/k", 1 << 28, 256, zipf(256, 1.0))):
        n, = s(shape)
        yield Work("irregular", f"histogram u8 {n}, {bins} bins, {name}",
                   f"export def f(a: u8[n]) -> i32[{bins}] = "
                   f"hist((+), 0, {bins}) for i in n {{ (a[i], 1) }}\n", {"a": ((n,), U8, draw)},
                   lambda a, bins=bins: sum(counted(p, bins) for p in a.split(VALUES)),
                   [lambda a, bins=bins: torch.bincount(a, minlength=bins)],
                   [("hist_hand_u8", "aoBN"), ("hist_cub_u8", "aoBN")], tolerance=0,
                   goals={BEST: 0.95})
    for name, bins, draw in (("random", 65536, below(65536)), ("one key", 65536, constant(7)),
                             ("random", 1000, below(1000)), ("random", 10**7, below(10**7)),
                             ("frequencies 1/k", 65536, zipf(65536, 1.0))):
        n, = s(1 << 27)
        hands = [("hist_hand_global", "aoBN")]
        if bins == 65536:
            hands.append(("hist_hand_64k", "aoBN"))
        yield Work("irregular", f"histogram i32 {n}, {bins} bins, {name}",
                   f"export def f(a: i32[n]) -> i32[{bins}] = "
                   f"hist((+), 0, {bins}) for i in n {{ (a[i], 1) }}\n", {"a": ((n,), I32, draw)},
                   lambda a, bins=bins: sum(counted(p, bins) for p in a.split(VALUES)),
                   [lambda a, bins=bins: torch.bincount(a, minlength=bins)], hands,
                   tolerance=0, goals={BEST: 0.95})


def updates(s):
    n, = s(VALUES)
    for bins in (10**6, 1024, 7):
        for fast in ("", "@fast\n"):
            yield Work("irregular", f"sums of {n} f32 in {bins} bins{' @fast' if fast else ''}",
                       f"{fast}export def f(k: i32[n], v: f32[n]) -> f32[{bins}] = "
                       f"hist((+), 0.0, {bins}) for i in n {{ (k[i], v[i]) }}\n",
                       {"k": ((n,), I32, below(bins)), "v": ((n,), F32)},
                       lambda k, v, bins=bins: summed(k, v, bins),
                       [lambda k, v, bins=bins: torch.zeros(bins, device=v.device)
                        .index_add_(0, k, v)], tolerance=1e-4, goals={BEST: 0.95})
    for fast in ("", "@fast\n"):
        yield Work("irregular", f"sums and counts of {n} f32 in 1024 groups"
                   f"{' @fast' if fast else ''}",
                   f"{fast}export def f(k: i32[n], v: f32[n]) -> f32[1024] {{\n"
                   "  let (s, c) = hist(fn(x, y) => (x.0 + y.0, x.1 + y.1), (0.0, 0), 1024) "
                   "for i in n { (k[i], (v[i], 1)) }\n  for g in 1024 { s[g] / f32(c[g]) }\n}\n",
                   {"k": ((n,), I32, below(1024)), "v": ((n,), F32)},
                   lambda k, v: summed(k, v, 1024) / counted(k, 1024),
                   [lambda k, v: torch.zeros(1024, device=v.device).index_add_(0, k, v)
                    / torch.bincount(k, minlength=1024)], tolerance=1e-4,
                   goals={MOST: 0.35 if fast else 0.50})
    yield Work("irregular", f"minima of {n} f32 in 5000 bins",
               "export def f(k: i32[n], v: f32[n]) -> f32[5000] = "
               "hist(min, inf, 5000) for i in n { (k[i], v[i]) }\n",
               {"k": ((n,), I32, below(5000)), "v": ((n,), F32)},
               lambda k, v: torch.full((5000,), float("inf"), device=v.device)
               .scatter_reduce_(0, k.long(), v, "amin"),
               [lambda k, v: torch.full((5000,), float("inf"), device=v.device)
                .scatter_reduce_(0, k.long(), v, "amin")], tolerance=0, goals={BEST: 0.67})
    yield Work("irregular", f"sums of {n} f64 in 10^5 bins",
               "export def f(k: i32[n], v: f64[n]) -> f64[100000] = "
               "hist((+), 0.0, 100000) for i in n { (k[i], v[i]) }\n",
               {"k": ((n,), I32, below(100000)), "v": ((n,), F64)},
               lambda k, v: summed(k, v, 100000),
               [lambda k, v: torch.zeros(100000, device=v.device, dtype=F64)
                .index_add_(0, k, v)], tolerance=1e-11, goals={BEST: 0.67})


def segments(s):
    n, rows = s(VALUES, 1 << 20)
    text = ("export def f(off: i32[k], v: f32[n]) -> f32[k - 1] = "
            "for i in k - 1 { sum(v[off[i]:off[i+1]]) }\n")

    def wide(off, v):
        total = torch.cat([v.new_zeros(1, dtype=F64), torch.cumsum(v.double(), 0)])
        return total[off[1:].long()] - total[off[:-1].long()]
    for name, draw in (("skewed", skewed_rows(n)), ("equal", equal_rows(n // rows))):
        yield Work("irregular", f"sums of {n} f32 in {rows} {name} rows", text,
                   {"off": ((rows + 1,), I32, draw), "v": ((n,), F32)}, wide,
                   [lambda off, v: torch.segment_reduce(v, "sum", offsets=off.long())],
                   tolerance=1e-4, goals={MOST: 0.085 if name == "skewed" else 0.075})
    entries = rows * 63 // 2
    matrix = {"off": ((rows + 1,), I32, short_rows(entries, 63)),
              "col": ((entries,), I32, below(rows)), "val": ((entries,), F32)}

    def product(off, col, val, x):
        csr = torch.sparse_csr_tensor(off, col, val, (off.numel() - 1, x.shape[0]))
        return csr @ x
    yield Work("irregular", f"sparse matrix of {rows} rows by a vector",
               "export def f(off: i32[k], col: i32[z], val: f32[z], x: f32[m]) -> f32[k - 1] = "
               "for i in k - 1 { sum for e in off[i]:off[i+1] { val[e] * x[col[e]] } }\n",
               {**matrix, "x": ((rows,), F32)}, lambda o, c, v, x: product(o, c, v.double(),
                                                                       x.double()),
               [product], tolerance=1e-5, goals={MOST: 0.26})
    yield Work("irregular", f"sparse matrix of {rows} rows by 8 columns",
               "export def f(off: i32[k], col: i32[z], val: f32[z], x: f32[m, 8]) "
               "-> f32[k - 1, 8] = for i in k - 1, j in 8 "
               "{ sum for e in off[i]:off[i+1] { val[e] * x[col[e], j] } }\n",
               {**matrix, "x": ((rows, 8), F32)}, lambda o, c, v, x: product(o, c, v.double(),
                                                                            x.double()),
               [product], tolerance=1e-5, goals={MOST: 0.45})
    yield Work("irregular", f"means of {n} f32 by 10^4 sorted keys",
               "export def f(k: i32[n], v: f32[n]) -> f32[?] {\n"
               "  let first = for i in n if i == 0 or k[i] != k[i-1] { i }\n"
               "  let m = size(first)\n"
               "  for g in m { mean(v[first[g]:(if g + 1 < m { first[g+1] } else { n })]) }\n}\n",
               {"k": ((n,), I32, ascending(10**4)), "v": ((n,), F32)},
               lambda k, v: summed(k, v, 10**4) / counted(k, 10**4), tolerance=1e-4,
               torches=[], goals={MOST: 0.2})


def moved(s):
    n, = s(1 << 27)
    for width in (64, 63, 16, 1000):
        rows = s(VALUES)[0] // width
        yield Work("irregular", f"{rows} rows of {width} f32 gathered",
                   "export def f(a: f32[n, m], at: i32[k]) -> f32[k, m] = a[at]\n",
                   {"a": ((rows, width), F32), "at": ((rows,), I32, below(rows))},
                   lambda a, at: a[at.long()], [lambda a, at: a.index_select(0, at)],
                   tolerance=0, goals={BEST: 0.95})
    for name, least in (("half", 0.5), ("none", 2.0), ("all", -1.0)):
        yield Work("irregular", f"filter of {n} f32, {name} kept",
                   f"export def f(a: f32[n]) -> f32[?] = for x in a if x > {least} {{ x }}\n",
                   {"a": ((n,), F32)}, lambda a, least=least: a[a > least],
                   [lambda a, least=least: a[a > least]], tolerance=0,
                   goals={MOST: 0.30} if name == "half" else {})
    yield Work("irregular", f"sum of what is kept of {n} f32",
               "export def f(a: f32[n]) -> f32 = sum(for x in a if x > 0.5 { x })\n",
               {"a": ((n,), F32)}, lambda a: a.double()[a > 0.5].sum(),
               [lambda a: torch.where(a > 0.5, a, 0).sum()], goals={MOST: 0.13})
    n, = s(1 << 24)
    yield Work("irregular", f"distinct values of {n} i32",
               "export def f(a: i32[n]) -> i32[?] {\n  let s = sort(a)\n"
               "  for i in n if i == 0 or s[i] != s[i-1] { s[i] }\n}\n",
               {"a": ((n,), I32)}, lambda a: a.unique(), [lambda a: a.unique()], tolerance=0,
               goals={MOST: 0.5})


def irregular(s):
    yield from histograms(s)
    yield from updates(s)
    yield from segments(s)
    yield from moved(s)
