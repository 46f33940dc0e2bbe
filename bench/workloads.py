"""The workloads of run.py: programs, their inputs, references and peers (`workload.py`
says what a workload is; those whose time depends on the data are in
`irregular_works.py`, time loops in `step_works.py`).
"""

import itertools
import math

import torch

from irregular_works import irregular
from step_works import steps
from measure import F32, F64, I32, I64
from workload import BEST, MOST, NAMES, RHO, Work

def erf(x):
    """torch's, or jax's."""
    if isinstance(x, torch.Tensor):
        return torch.erf(x)
    import jax
    return jax.scipy.special.erf(x)


def by(np):
    """minimum and maximum with numbers, in torch or jax."""
    if np is not torch:
        return np.minimum, np.maximum

    def least(a, b):
        return torch.minimum(a, b) if isinstance(b, torch.Tensor) else torch.clamp(a, max=b)

    def most(a, b):
        return torch.maximum(a, b) if isinstance(b, torch.Tensor) else torch.clamp(a, min=b)
    return least, most


def chain(np, x, y):
    least, most = by(np)
    a = most(least((x + y) * 0.9, 0.8), -0.7)
    b = most(least((a + x) * 1.1, 0.7), -0.6)
    c = most(least((b + y) * 0.8, y), -0.5)
    d = most(least((c + x) * 1.2, 0.6), x)
    return most(least((d + y) * 0.7, 0.5), -0.4)


def chain_with(function):
    def whole(np, x, y):
        least, most = by(np)
        a = most(least((x + y) * 0.9, 0.8), -0.7)
        b = most(least((a + x) * 1.1, 0.7), -0.6)
        f = erf if function == "erf" else getattr(np, function)
        d = most(least((f(b * b + 0.5) + y) * 0.8, y), -0.5)
        e = most(least((d + x) * 1.2, 0.6), x)
        return most(least((e + y) * 0.7, 0.5), -0.4)
    return whole


def chain_all(np, x, y):
    least, most = by(np)
    a = most(least((x + y) * 0.9, 0.8), -0.7)
    b = most(least((np.exp(a) + x) * 1.1, 0.7), -0.6)
    c = most(least((np.log(b * b + 0.5) + y) * 0.8, y), -0.5)
    d = most(least((np.sqrt(c * c + 0.5) + x) * 1.2, 0.6), x)
    return most(least((erf(d) + y) * 0.7, 0.5), -0.4)


def options(np, s, k, t, r=0.05, v=0.2):
    """Black-Scholes: calls and puts."""
    w = v * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / w
    d2 = d1 - w
    n1, n2 = 0.5 * (1 + erf(d1 * 0.70710678)), 0.5 * (1 + erf(d2 * 0.70710678))
    e = k * np.exp(-r * t)
    return np.stack([s * n1 - e * n2, e * (1 - n2) - s * (1 - n1)])


def in_pieces(function):
    """The float64 reference of a map, a piece at a time, kept in f32 pieces' order."""
    def whole(*tensors):
        parts = [function(torch, *(p.double() for p in pieces))
                 for pieces in zip(*(t.split(1 << 25) for t in tensors))]
        return torch.cat(parts, -1)
    return whole


def streams(s):
    """Maps that read two arrays and write one."""
    for power in (28, 26):
        n = s(1 << power)
        two = {"x": (n, F32), "y": (n, F32)}
        saxpy = lambda np, x, y: 2.5 * x + y
        yield Work("stream", f"saxpy 2^{power}", "stream.arr", {"a": 2.5, **two},
                   in_pieces(saxpy), [lambda x, y: torch.add(y, x, alpha=2.5)],
                   [("saxpy_hand", "xaboN")], 1e-6, "saxpy", [saxpy],
                   goals={RHO: 0.93}, between=(-1, 1))
        yield Work("stream", f"chain of 20, 2^{power}", "stream.arr", two, in_pieces(chain),
                   [lambda x, y: chain(torch, x, y)], [("chain_hand", "aboN")], 1e-6, "chain",
                   [chain], goals={RHO: 0.93}, between=(-1, 1))
    for function in ("exp", "log", "sqrt", "erf"):
        whole = chain_with(function)
        yield Work("stream", f"chain with {function}, 2^26", "stream.arr", two,
                   in_pieces(whole), [lambda x, y, w=whole: w(torch, x, y)], (), 1e-6,
                   f"chain_{function}", [whole], special=n[0], goals={RHO: 0.93},
                   between=(-1, 1))
    yield Work("stream", "chain with all four, 2^26", "stream.arr", two, in_pieces(chain_all),
               [lambda x, y: chain_all(torch, x, y)], (), 1e-6, "chain_all", [chain_all],
               special=4 * n[0], goals={RHO: 0.60}, between=(-1, 1))
    three = {k: (n, F32) for k in ("s", "k", "t")}
    yield Work("stream", "Black-Scholes @fast, 2^26", "stream.arr", {**three, "r": 0.05, "v": 0.2},
               in_pieces(options), [lambda *x: options(torch, *x)],
               [("bs_hand", "abcopxxN1")], 1e-4, "options", [options], special=7 * n[0],
               goals={BEST: 1 / 1.03}, between=(0.5, 1.5))


def folds(s):
    """Everything of an array to a number or two, which stay on the card, as the peers'."""
    n = s(1 << 28)
    one = "export def f(a: f32[n]) -> "
    goals = {RHO: 0.95, BEST: 1 / 1.02}
    yield Work("folds", "sum 2^28", one + "f32[1] = for i in 1 { sum(a) }\n", {"a": (n, F32)},
               lambda a: a.sum(dtype=F64).reshape(1), [torch.sum],
               [("sum_hand", "aoN10"), ("sum_cub", "aoN")], jaxes=[lambda np, a: np.sum(a)],
               goals=goals)
    yield Work("folds", "max 2^28", one + "f32[1] = for i in 1 { max(a) }\n", {"a": (n, F32)},
               lambda a: a.max().reshape(1), [torch.max],
               [("max_hand", "aoN"), ("max_cub", "aoN")], 0,
               jaxes=[lambda np, a: np.max(a)], goals=goals)
    yield Work("folds", "dot 2^28",
               "export def f(a: f32[n], b: f32[n]) -> f32[1] = for i in 1 { sum(a * b) }\n",
               {"a": (n, F32), "b": (n, F32)},
               lambda a, b: sum((p.double() * q).sum()
                                for p, q in zip(a.split(1 << 25), b.split(1 << 25))).reshape(1),
               [torch.dot], [("dot_hand", "aboN"), ("dot_cub", "aboN")],
               jaxes=[lambda np, a, b: np.dot(a, b)], goals=goals)
    yield Work("folds", "mean and variance 2^28",
               one + "(m: f32[1], v: f32[1]) {\n"
               "  let (s, q) = sum for i in n { (a[i], a[i] * a[i]) }\n  let m = s / n\n"
               "  (for i in 1 { m }, for i in 1 { q / n - m * m })\n}\n", {"a": (n, F32)},
               lambda a: torch.stack([a.double().mean(), a.double().var(unbiased=False)])
               .reshape(2, 1),
               [lambda a: torch.stack(torch.var_mean(a, correction=0)).flip(0)],
               [("meanvar_hand", "aoN")], 1e-4,
               jaxes=[lambda np, a: np.stack([np.mean(a), np.var(a)])], goals=goals)
    yield Work("folds", "sum 2^20", one + "f32[1] = for i in 1 { sum(a) }\n",
               {"a": (s(1 << 20), F32)}, lambda a: a.sum(dtype=F64).reshape(1), [torch.sum],
               [("sum_hand", "aoN10"), ("sum_cub", "aoN")], goals={MOST: 0.010})
    # A number that the program returns is waited for, call by call.
    yield Work("folds", "sum 2^20, read by the host", one + "f32 = sum(a)\n",
               {"a": (s(1 << 20), F32)}, lambda a: a.sum(dtype=F64),
               [lambda a: a.new_tensor(a.sum().item())])


SHAPES = [(1 << 14, 1 << 14), (1 << 20, 64), (1 << 23, 8), (1 << 26, 3), (64, 1 << 20),
          (8, 1 << 24)]


def axes(s):
    """Sums of one or two axes."""
    goals = {BEST: 1 / 1.15}
    for shape in SHAPES:
        for axis in (1, 0):
            kept = "n" if axis else "m"
            yield Work("axes", f"sum {shape} axis {axis}",
                       f"export def f(a: f32[n, m]) -> f32[{kept}] = sum(a, axis = {axis})\n",
                       {"a": (s(*shape), F32)}, lambda a, d=axis: a.sum(d, dtype=F64),
                       [lambda a, d=axis: a.sum(d)],
                       [("rowsum_hand" if axis else "colsum_hand", "aoRC")],
                       jaxes=[lambda np, a, d=axis: np.sum(a, d)], goals=goals)
    rank4 = s(64, 128, 128, 64)
    for axes in [(0,), (1,), (2,), (3,), (1, 3), (0, 2)]:
        kept = ", ".join(d for k, d in enumerate("nmkl") if k not in axes)
        text = str(axes[0]) if len(axes) == 1 else str(axes)
        hand = {(1, 3): [("sum13_hand", "aoIJKL")], (0, 2): [("sum02_hand", "aoIJKL")]}
        yield Work("axes", f"sum (64,128,128,64) axis {text}",
                   f"export def f(a: f32[n, m, k, l]) -> f32[{kept}] = sum(a, axis = {text})\n",
                   {"a": (rank4, F32)}, lambda a, d=axes: a.sum(d, dtype=F64),
                   [lambda a, d=axes: a.sum(d)], hand.get(axes, []),
                   jaxes=[lambda np, a, d=axes: np.sum(a, d)], goals=goals)


def types(s):
    """The same with other operators and types."""
    folds = {"prod": torch.prod, "max": torch.amax, "sum": torch.sum}
    for op, type, shape, axis in itertools.product(folds, (F32, F64), SHAPES, (1, 0)):
        if (op == "sum") and (type == F32):
            continue
        kept, name, fold = "n" if axis else "m", NAMES[type], folds[op]
        yield Work("types", f"{op} {name} {shape} axis {axis}",
                   f"export def f(a: {name}[n, m]) -> {name}[{kept}] = {op}(a, axis = {axis})\n",
                   {"a": (s(*shape), type)}, lambda a, d=axis, f=fold: f(a.double(), d),
                   [lambda a, d=axis, f=fold: f(a, d)], [], 1e-4, goals={RHO: 0.75},
                   between=(0.9, 1.1) if op == "prod" else (0, 1))


def softmaxes(s):
    text = ("export def f(a: f32[n, m]) -> f32[n, m] = for i in n {\n"
            "  let hi = max(a[i])\n  let e = for j in m { exp(a[i, j] - hi) }\n"
            "  let s = sum(e)\n  for j in m { e[j] / s }\n}\n")

    def in_jax(np, a):
        e = np.exp(a - np.max(a, 1, keepdims=True))
        return e / np.sum(e, 1, keepdims=True)
    for shape in [(1 << 14, 1 << 14), (1 << 20, 64)]:
        yield Work("softmax", f"softmax {shape}", text, {"a": (s(*shape), F32)},
                   lambda a: torch.softmax(a.double(), 1), [lambda a: torch.softmax(a, 1)],
                   jaxes=[in_jax], special=math.prod(s(*shape)), goals={RHO: 0.85})


def scans(s):
    n, square = s(1 << 28), s(1 << 14, 1 << 14)
    yield Work("scans", "scan 2^28", "export def f(a: f32[n]) -> f32[n] = scan((+), a)\n",
               {"a": (n, F32)}, lambda a: a.double().cumsum(0), [lambda a: a.cumsum(0)],
               [("scan_cub_f32", "aoN")], 1e-4, goals={RHO: 0.72})
    for axis, hand, goal in ((1, "rowscan_hand", 0.90), (0, "colscan_hand", 0.70)):
        yield Work("scans", f"scan of {'rows' if axis else 'columns'} (2^14,2^14)",
                   f"export def f(a: f32[n, m]) -> f32[n, m] = scan((+), a, axis = {axis})\n",
                   {"a": (square, F32)}, lambda a, d=axis: a.double().cumsum(d),
                   [lambda a, d=axis: a.cumsum(d)], [(hand, "aoRC")], 1e-4,
                   goals={RHO: goal})


def sorts(s):
    """Sorts of any numbers: keys alone, positions, pairs, rows."""
    n = s(1 << 26)
    for type in (I32, F32, I64):
        yield Work("sort", f"sort {NAMES[type]} 2^26",
                   "export def f(a: {0}[n]) -> {0}[n] = sort(a)\n".format(NAMES[type]),
                   {"a": (n, type)}, lambda a: a.sort().values, [lambda a: a.sort().values],
                   tolerance=0)
    yield Work("sort", "argsort f32 2^26", "export def f(a: f32[n]) -> int[n] = argsort(a)\n",
               {"a": (n, F32)}, lambda a: a.sort(stable=True).indices,
               [lambda a: a.sort(stable=True).indices], tolerance=0)
    yield Work("sort", "i32 by f32 2^26",
               "export def f(a: f32[n], b: i32[n]) -> i32[n] {\n"
               "  let s = sort(for i { (a[i], b[i]) }, by = fn(p) => p.0)\n"
               "  for i { s[i].1 }\n}\n",
               {"a": (n, F32), "b": (n, I32)}, lambda a, b: b[a.sort(stable=True).indices],
               [lambda a, b: b[a.sort(stable=True).indices]], tolerance=0)
    for shape in ((1 << 20, 512), (1 << 15, 2048), (1 << 22, 16), (1 << 8, 1 << 17)):
        yield Work("sort", f"rows of i32 {shape}",
                   "export def f(a: i32[n, m]) -> i32[n, m] = sort(a, axis = 1)\n",
                   {"a": (s(*shape), I32)}, lambda a: a.sort(1).values,
                   [lambda a: a.sort(1).values], tolerance=0)


def moves(s):
    """Copies in other orders, and maps over shapes that are none of ours to choose."""
    square, rank4 = s(1 << 14, 1 << 14), s(64, 128, 128, 64)
    yield Work("moves", "a[j,i] + b[i,j], 2^14 x 2^14",
               "export def f(a: f32[n, m], b: f32[m, n]) -> f32[m, n] = "
               "for i in m, j in n { a[j, i] + b[i, j] }\n",
               {"a": (square, F32), "b": (square, F32)}, lambda a, b: a.t() + b,
               [lambda a, b: a.t() + b], [], 0, jaxes=[lambda np, a, b: a.T + b],
               goals={RHO: 0.85})
    for order in itertools.permutations(range(4)):
        if order == (0, 1, 2, 3):
            continue
        to = ", ".join("nmkl"[d] for d in order)
        yield Work("moves", f"permutation {order} of (64,128,128,64)",
                   f"export def f(a: f32[n, m, k, l]) -> f32[{to}] = "
                   f"transpose(a, {', '.join(map(str, order))})\n", {"a": (rank4, F32)},
                   lambda a, p=order: a.permute(p).contiguous(),
                   [lambda a, p=order: a.permute(p).contiguous()], [], 0, goals={RHO: 0.80})
    yield Work("moves", "map over (10^6,2,2,2)",
               "export def f(a: f32[n, 2, 2, 2]) -> f32[n, 2, 2, 2] = a * 2.0 + 1.0\n",
               {"a": (s(10**6) + (2, 2, 2), F32)}, lambda a: a * 2 + 1,
               [lambda a: torch.add(1, a, alpha=2)], [], 1e-6, goals={RHO: 0.90})
    yield Work("moves", "reversal 2^28", "export def f(a: f32[n]) -> f32[n] = reverse(a)\n",
               {"a": (s(1 << 28), F32)}, lambda a: a.flip(0), [lambda a: a.flip(0)], [], 0,
               goals={RHO: 0.90})


def products(s):
    edge, = s(4096)
    yield Work("products", "matrix product f32 4096",
               "export def f(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = a @ b\n",
               {"a": ((edge, edge), F32), "b": ((edge, edge), F32)},
               lambda a, b: a.double() @ b.double(), [lambda a, b: a @ b],
               flops=2 * edge**3)
    side, = s(75)
    five = "".join(f", a{k}: f64[n, n, n, n]" for k in (1, 2))
    value = ", ".join(f"for i, j, k {{ sum for l in n, m in n {{ a{x}[j, k, l, m] * b[i, l, m] }} }}"
                      for x in range(3))
    product = lambda *a: torch.stack([torch.einsum("jklm,ilm->ijk", t, a[3]) for t in a[:3]])
    yield Work("products", "five-axis product, three at once, f64, 75",
               f"export def f(a0: f64[n, n, n, n]{five}, b: f64[n, n, n]) -> "
               f"(x: f64[n, n, n], y: f64[n, n, n], z: f64[n, n, n]) = ({value})\n",
               {**{f"a{x}": ((side,) * 4, F64) for x in range(3)}, "b": ((side,) * 3, F64)},
               product, [product], flops=2 * 3 * side**5, goals={MOST: 1.2})


def odd(s):
    """Shapes that nobody chose for the machine: narrow, unaligned, few long rows."""
    fold = "export def f(a: f32[n, m]) -> f32[{}] = sum(a, axis = {})\n"
    for shape in [(1 << 25, 5), (1 << 25, 6), (1 << 24, 10), (1 << 23, 23), (1 << 22, 50),
                  (1 << 20, 257), (100, 2000001), (10007, 10009)]:
        for axis in (1, 0):
            yield Work("odd", f"sum {shape} axis {axis}", fold.format("mn"[axis], axis),
                       {"a": (s(*shape), F32)}, lambda a, d=axis: a.double().sum(d),
                       [lambda a, d=axis: a.sum(d)])
    yield Work("odd", "sum (100, 10000, 60) axis 1",
               "export def f(a: f32[n, m, k]) -> f32[n, k] = sum(a, axis = 1)\n",
               {"a": (s(100, 10000, 60), F32)}, lambda a: a.double().sum(1),
               [lambda a: a.sum(1)])
    rows = ("export def f(a: f32[n, m]) -> f32[n, m] = for i in n {\n"
            "  let hi = max(a[i])\n  let e = for j in m { exp(a[i, j] - hi) }\n"
            "  let s = sum(e)\n  for j in m { e[j] / s }\n}\n")
    scan = "export def f(a: f32[n, m]) -> f32[n, m] = scan((+), a, axis = {})\n"
    for shape in [(1 << 22, 50), (1 << 20, 257), (1 << 18, 1000), (1 << 14, 10007),
                  (1000, 100001), (100, 2000001), (10, 20000003)]:
        yield Work("odd", f"softmax {shape}", rows, {"a": (s(*shape), F32)},
                   lambda a: torch.softmax(a.double(), 1), [lambda a: torch.softmax(a, 1)],
                   special=math.prod(s(*shape)))
    for shape in [(1 << 22, 50), (1 << 20, 257), (1 << 18, 1000), (1 << 14, 10007),
                  (100, 2000001)]:
        yield Work("odd", f"scan {shape} axis 1", scan.format(1), {"a": (s(*shape), F32)},
                   lambda a: a.double().cumsum(1), [lambda a: a.cumsum(1)], tolerance=1e-4)
    # torch walks down a column with one thread: up to a second.
    for shape in [(1 << 22, 7), (1 << 20, 64), (1 << 20, 100), (1 << 18, 600), (1 << 17, 2048)]:
        yield Work("odd", f"scan {shape} axis 0", scan.format(0), {"a": (s(*shape), F32)},
                   lambda a: a.double().cumsum(0), [], tolerance=1e-4)
    for shape in [(1 << 25, 3), (3, 1 << 25), (1 << 22, 21), (257, 500001), (10007, 10009)]:
        yield Work("odd", f"transposed {shape}",
                   "export def f(a: f32[n, m]) -> f32[m, n] = transpose(a)\n",
                   {"a": (s(*shape), F32)}, lambda a: a.t(), [lambda a: a.t().contiguous()], [],
                   0)
        yield Work("odd", f"a * c + b {shape}",
                   "export def f(a: f32[n, m], b: f32[m], c: f32[n]) -> f32[n, m] = "
                   "for i, j { a[i, j] * c[i] + b[j] }\n",
                   {"a": (s(*shape), F32), "b": (s(*shape)[1:], F32), "c": (s(*shape)[:1], F32)},
                   lambda a, b, c: a.double() * c[:, None] + b,
                   [lambda a, b, c: torch.addcmul(b, a, c[:, None])])
    edge, = s(4096)
    for name, a, b, wide in (("aT @ b", "a[l, i]", "b[l, j]", lambda a, b: a.t() @ b),
                             ("a @ bT", "a[i, l]", "b[j, l]", lambda a, b: a @ b.t())):
        yield Work("odd", f"{name} f32 4096",
                   "export def f(a: f32[n, n], b: f32[n, n]) -> f32[n, n] = "
                   f"for i, j {{ sum for l in n {{ {a} * {b} }} }}\n",
                   {"a": ((edge, edge), F32), "b": ((edge, edge), F32)},
                   lambda a, b, w=wide: w(a.double(), b.double()), [wide], flops=2 * edge**3)
    yield Work("odd", "matrix product f64 4096",
               "export def f(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = a @ b\n",
               {"a": ((edge, edge), F64), "b": ((edge, edge), F64)},
               lambda a, b: a @ b, [lambda a, b: a @ b], flops=2 * edge**3)
    yield Work("odd", "squared distances, 4096 x 4096 points of 512",
               "export def f(a: f32[n, k], b: f32[m, k]) -> f32[n, m] = "
               "for i, j { sum for l { sqr(a[i, l] - b[j, l]) } }\n"
               "def sqr(x: f32) -> f32 = x * x\n",
               {"a": ((edge, 512), F32), "b": ((edge, 512), F32)},
               lambda a, b: torch.cdist(a.double(), b.double()).square(),
               [lambda a, b: torch.cdist(
                   a, b, compute_mode="donot_use_mm_for_euclid_dist").square()],
               tolerance=1e-4, flops=3 * edge * edge * 512)
    product = ("export def f(a: f32[n, {0}], b: f32[{0}, {1}]) -> f32[n, {1}] = "
               "for i, j {{ sum for l {{ a[i, l] * b[l, j] }} }}\n")
    nearest = ("export def f(a: f32[n, {0}], b: f32[{1}, {0}]) -> f32[n] = for i in n {{\n"
               "  min for j in {1} {{ sum for l in {0} {{ sqr(a[i, l] - b[j, l]) }} }}\n}}\n"
               "def sqr(x: f32) -> f32 = x * x\n")
    for m, k in [(4, 4), (16, 16), (64, 16), (64, 32)]:
        rows, = s((1 << 26) // m)
        for known, names in (("", ("m", "k")), (", sizes in the program", (m, k))):
            yield Work("odd", f"product of {rows} x {m} and {m} x {k}{known}",
                       product.format(*names), {"a": ((rows, m), F32), "b": ((m, k), F32)},
                       lambda a, b: a.double() @ b.double(), [lambda a, b: a @ b],
                       flops=2 * rows * m * k)
            yield Work("odd", f"nearest of {k} points to {rows} of {m}{known}",
                       nearest.format(*names), {"a": ((rows, m), F32), "b": ((k, m), F32)},
                       lambda a, b: torch.cat(
                           [(x.double()[:, None] - b.double()).square().sum(2).amin(1)
                            for x in a.split(1 << 17)]),
                       [lambda a, b: torch.cdist(a, b).square().amin(1)],
                       tolerance=1e-4, flops=3 * rows * m * k)
    for m in (16, 64):
        rows, = s((1 << 26) // m)
        yield Work("odd", f"aT @ a of {rows} x {m}",
                   "export def f(a: f32[n, m]) -> f32[m, m] = "
                   "for i in m, j in m { sum for l in n { a[l, i] * a[l, j] } }\n",
                   {"a": ((rows, m), F32)}, lambda a: a.double().t() @ a.double(),
                   [lambda a: a.t() @ a], tolerance=1e-4, flops=2 * rows * m * m)


GROUPS = {"stream": streams, "folds": folds, "axes": axes, "types": types,
          "softmax": softmaxes, "scans": scans, "sort": sorts, "moves": moves,
          "products": products, "odd": odd, "irregular": irregular, "steps": steps}


def select(groups, only="", scale=1):
    """The workloads of some groups whose name holds `only`, or one of `a|b|c`; large sizes
    are divided by `scale` for a trial."""
    s = lambda *shape: tuple(max(n // scale, 1) if n > 64 else n for n in shape)
    return [work for group in groups for work in GROUPS[group](s)
            if any(part in work.name for part in only.split("|"))]
