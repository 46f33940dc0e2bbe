"""The workloads of cpu.py: programs, inputs, limits, peers, and references in float64.

A reference is computed in pieces by threads: `cut` says along which axis the inputs are
cut and how the results of the pieces become one. All of NumPy's loops here let go of the
interpreter's lock.
"""

import os

# The pieces are the threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
#: Elements of a piece.
PIECE = 1 << 21


def joined(parts):
    return np.concatenate(parts)


def side_by_side(parts):
    return np.concatenate(parts, 1)


def added(parts):
    return np.sum(parts, 0)


def largest(parts):
    return np.max(parts, 0)


def carried(parts):
    """Scans of the pieces of one row."""
    before = 0
    for part in parts:
        part += before
        before = part[-1]
    return np.concatenate(parts)


def moments(parts):
    """Mean and variance of sums, of values and of squares, and counts."""
    total, squares, count = np.sum(parts, 0)
    return np.array([total / count, squares / count - (total / count) ** 2])


def slabs(size, pieces):
    """[begin, end) of up to `pieces` parts of `size`."""
    step = max(-(-size // max(pieces, 1)), 1)
    return [(k, min(k + step, size)) for k in range(0, size, step)]


def reference(pool, work, inputs, steps):
    """What `work` should give, in float64. `inputs` are arrays, `steps` what it is given
    besides; `pool` maps a function."""
    axis, join = work.cut[:2]
    wrap = work.cut[2] if len(work.cut) > 2 else None
    size, halo = inputs[0].shape[axis], sum(steps.values()) if wrap else 0

    def piece(bounds):
        begin, end = bounds
        low, high = begin - halo, end + halo
        if wrap == "clamp":
            low, high = max(low, 0), min(high, size)
        cut = [x.take(range(low, high), axis, mode="wrap") if wrap == "wrap"
               else x[(slice(None),) * axis + (slice(low, high),)] for x in inputs]
        found = work.wide(*(x.astype(np.float64) if x.dtype == np.float32 else x
                            for x in cut), **steps)
        # What the cut has made wrong lies in the halo.
        return np.asarray(found[begin - low:end - low] if wrap else found)
    return join(list(pool.map(piece, slabs(size, -(-inputs[0].size // PIECE)))))


def apart(pool, got, want):
    """The largest difference over the largest value."""
    def piece(bounds):
        g, w = (np.asarray(x[slice(*bounds)], np.float64) for x in (got, want))
        return np.abs(g - w).max(), np.abs(w).max()
    if not got.size:
        return 0.0
    parts = list(pool.map(piece, slabs(len(got), -(-got.size // PIECE))))
    worst, size = (float(np.max(each)) for each in zip(*parts))
    return worst / max(size, 1e-30)


class Work:
    """One export `f`, its inputs, its limit, and the loops that it is compared with.

    `limit` is read or triad; `goal` the fraction of it that is wanted, or of
    the peer's time. `peer` is a function of peers/cpu.cpp and its scalar arguments; `cut`
    is (axis, how results join), for steps with what lies outside: `clamp` or `wrap`.
    """

    def __init__(self, group, name, text, inputs, wide, limit, goal, peer, scalars=None,
                 tolerance=1e-5, repeat=None, scratch=False, outputs=1, cut=(0, joined)):
        self.group, self.name, self.text, self.inputs = group, name, text, inputs
        self.wide, self.limit, self.goal, self.peer = wide, limit, goal, peer
        self.scalars, self.tolerance, self.repeat = scalars or {}, tolerance, repeat
        self.scratch, self.outputs, self.cut = scratch, outputs, cut


def works(scale):
    """All workloads; sizes are divided by `scale` for a trial."""
    s = lambda *shape: tuple(max(n // scale, 1) if n > 64 else n for n in shape)
    one = "export def f(a: f32[n]) -> "
    n26, n28 = s(1 << 26), s(1 << 28)
    yield Work("folds", "saxpy 2^26", "export def f(x: f32[n], y: f32[n]) -> f32[n] = "
               "1.5 * x + y\n", {"x": n26, "y": n26}, lambda x, y: 1.5 * x + y,
               "triad", .85, ("limit_triad", n26))
    yield Work("folds", "sum 2^28", one + "f32 = sum(a)\n", {"a": n28}, np.sum, "read", .85,
               ("sum_all", n28), cut=(0, added))
    yield Work("folds", "max 2^28", one + "f32 = max(a)\n", {"a": n28}, np.max, "read", .85,
               ("max_all", n28), tolerance=0, cut=(0, largest))
    n27 = s(1 << 27)
    yield Work("folds", "dot 2^27", "export def f(a: f32[n], b: f32[n]) -> f32 = sum(a * b)\n",
               {"a": n27, "b": n27}, np.dot, "read", .85, ("dot", n27), cut=(0, added))
    yield Work("folds", "mean and variance 2^28", one + "(m: f32, v: f32) {\n"
               "  let (s, q) = sum for i in n { (a[i], a[i] * a[i]) }\n"
               "  let m = s / n\n  (m, q / n - m * m)\n}\n", {"a": n28},
               lambda a: np.array([a.sum(), np.dot(a, a), a.size]), "read", .85,
               ("mean_variance", n28), tolerance=1e-4, outputs=2, cut=(0, moments))
    yield Work("folds", "histogram 2^27, 256 bins", "export def f(a: i32[n]) -> i32[256] = "
               "hist((+), 0, 256, oob = drop) for i in n { (a[i], 1) }\n", {"a": n27},
               lambda a: np.bincount(a.ravel(), minlength=256), "read", None,
               ("histogram", n27), tolerance=0, cut=(0, added))

    for shape in [(1 << 14, 1 << 14), (1 << 20, 64), (1 << 23, 8), (1 << 26, 3), (64, 1 << 20),
                  (8, 1 << 24)]:
        short = shape[0] <= 64
        for axis in (1, 0):
            yield Work("axes", f"sum {shape} axis {axis}", "export def f(a: f32[n, m]) -> "
                       f"f32[{'n' if axis else 'm'}] = sum(a, axis = {axis})\n",
                       {"a": s(*shape)}, lambda a, d=axis: a.sum(d), "read", .85,
                       ("sum_rows" if axis else "sum_columns", s(*shape)),
                       cut=(int(short), added if axis == int(short) else joined))
    rank4 = s(64, 128, 128, 64)
    for axes in [(0,), (1,), (2,), (3,), (1, 3), (0, 2)]:
        kept = ", ".join(d for k, d in enumerate("nmkl") if k not in axes)
        text = str(axes[0]) if len(axes) == 1 else str(axes)
        peer = None
        if len(axes) == 1:
            before, after = (int(np.prod(x)) for x in (rank4[:axes[0]], rank4[axes[0] + 1:]))
            peer = {0: ("sum_columns", (rank4[0], after)),
                    3: ("sum_rows", (before, rank4[3]))}.get(
                        axes[0], ("sum_middle", (before, rank4[axes[0]], after)))
        yield Work("rank4", f"sum (64,128,128,64) axis {text}", "export def f(a: f32[n, m, k, l])"
                   f" -> f32[{kept}] = sum(a, axis = {text})\n", {"a": rank4},
                   lambda a, d=axes: a.sum(d), "read", .85, peer,
                   cut=(0, added if 0 in axes else joined))
    softmax = ("export def f(a: f32[n, m]) -> f32[n, m] = for i in n {\n"
               "  let hi = max(a[i])\n  let e = for j in m { exp(a[i, j] - hi) }\n"
               "  let s = sum(e)\n  for j in m { e[j] / s }\n}\n")

    def wide_softmax(a):
        e = np.exp(a - a.max(1, keepdims=True))
        e /= e.sum(1, keepdims=True)
        return e
    for shape, fast in [((1 << 14, 1 << 13), ""), ((1 << 20, 64), ""),
                        ((1 << 20, 64), "@fast\n")]:
        yield Work("rows", f"softmax {shape}" + (", `@fast`" if fast else ""), fast + softmax,
                   {"a": s(*shape)}, wide_softmax, "triad", .6, ("softmax", s(*shape)))
    yield Work("scans", "scan 2^27", one + "f32[n] = scan((+), a)\n", {"a": n27}, np.cumsum,
               "triad", .55, ("scan_all", n27), tolerance=1e-4, cut=(0, carried))
    square = s(1 << 14, 1 << 13)
    for axis, peer in ((1, "scan_rows"), (0, "scan_columns")):
        yield Work("scans", f"scan of {'rows' if axis else 'columns'} {square}",
                   f"export def f(a: f32[n, m]) -> f32[n, m] = scan((+), a, axis = {axis})\n",
                   {"a": square}, lambda a, d=axis: a.cumsum(d), "triad", .55, (peer, square),
                   tolerance=1e-4, cut=(0, joined) if axis else (1, side_by_side))

    def wide_jacobi(a, steps=0, weight=.2, centre=True):
        for _ in range(steps):
            u = np.pad(a, 1, "edge")
            t = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            a = weight * (t + a if centre else t)
        return a
    grid = s(1 << 13, 1 << 13)
    yield Work("steps", f"Jacobi, 5 points, {grid}",
               "export def f(a: f32[n, m], steps: int) -> f32[n, m] {\n  var t = a\n"
               "  loop _ in steps {\n    let u = extend(t, clamp)\n"
               "    t = stencil i in n, j in m {\n      0.2 * (u[i, j] + u[i-1, j] + u[i+1, j] + "
               "u[i, j-1] + u[i, j+1])\n    }\n  }\n  t\n}\n", {"a": grid}, wide_jacobi, "triad",
               "peer", ("jacobi", grid), repeat=("steps", 2, 6), scratch=True,
               cut=(0, joined, "clamp"))
    heat = open(os.path.join(HERE, "..", "examples", "heat.arr")).read()
    yield Work("steps", f"heat with its largest change, {grid}",
               heat.replace("def heat", "def f").replace("t0", "a"), {"a": grid},
               lambda a, max_iter=0: wide_jacobi(a, max_iter, .25, False), "triad", "peer",
               ("heat", grid), {"tol": 1e-9}, repeat=("max_iter", 2, 6), scratch=True,
               cut=(0, joined, "clamp"))
    lattice = open(os.path.join(HERE, "..", "examples", "lbm.arr")).read()
    nodes = s(1 << 11, 1 << 11)
    # The peer has fast arithmetic: one division a node instead of eleven.
    for name, fast in (("D2Q9", ""), ("D2Q9, `@fast`", "@fast\n")):
        yield Work("steps", f"{name}, {nodes}",
                   lattice.replace("def step", fast + "def step")
                   .replace("def equilibrium", fast + "def equilibrium")
                   .replace("def lbm", "def f").replace("f0", "a"),
                   {"a": (*nodes, 9), "wall": nodes}, wide_lattice, "triad", "peer",
                   ("lbm", nodes), {"tau": 0.8}, repeat=("steps", 2, 8), scratch=True,
                   tolerance=1e-4, cut=(0, joined, "wrap"))


def wide_lattice(a, wall, steps=0, tau=.8):
    """Steps of examples/lbm.arr in float64."""
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    cx, cy = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6]
    f = np.moveaxis(a, 2, 0)
    for _ in range(steps):
        p = np.stack([np.roll(f[q], (cx[q], cy[q]), (0, 1)) for q in range(9)])
        rho = p.sum(0)
        ux, uy = (np.tensordot(c, p, 1) / rho for c in (cx, cy))
        f = np.empty_like(p)
        for q in range(9):
            cu = 3 * (cx[q] * ux + cy[q] * uy)
            to = w[q] * rho * (1 + cu + .5 * cu * cu - 1.5 * (ux * ux + uy * uy))
            f[q] = np.where(wall, p[opposite[q]], p[q] - (p[q] - to) / tau)
    return np.moveaxis(f, 0, 2)
