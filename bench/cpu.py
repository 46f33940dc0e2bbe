#!/usr/bin/env python3
"""Generated loops against the limits of the memory and loops by hand, on this CPU.

    cpu.py --arrc bin/arrc [--out FILE.md] [--groups folds,axes,rank4,rows,scans,steps]
           [--only PART] [--runs 20] [--threads N] [--scale 1] [--lock COMMAND]

Limits (read; triad, the better of ordinary and streaming stores), the loops of
peers/cpu.cpp (g++ -O3 -march=native -fopenmp -ffast-math) and ours are run by turns on
the same arrays with as many threads, medians are compared; every result is held against
float64 and must have the same bits in all runs. `limit` is the fraction of the limit of
the same rounds, `g++` the peer's time over ours: 1 is as fast, more is faster.
"""

import argparse
import contextlib
import ctypes
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import arrt

HERE = os.path.dirname(os.path.realpath(__file__))
F32 = np.float32
FLAGS = ["-O3", "-march=native", "-fopenmp", "-ffast-math", "-shared", "-fPIC"]


class Work:
    """One export `f`, its inputs, its limit, and the loops that it is compared with.

    `limit` is read or triad; `goal` the fraction of it that is wanted, or of
    the peer's time. `peer` is a function of peers/cpu.cpp and its scalar arguments.
    """

    def __init__(self, group, name, text, inputs, wide, limit, goal, peer, scalars=None,
                 tolerance=1e-5, repeat=None, scratch=False, outputs=1):
        self.group, self.name, self.text, self.inputs = group, name, text, inputs
        self.wide, self.limit, self.goal, self.peer = wide, limit, goal, peer
        self.scalars, self.tolerance, self.repeat = scalars or {}, tolerance, repeat
        self.scratch, self.outputs = scratch, outputs


def works(scale):
    """All workloads; sizes are divided by `scale` for a trial."""
    s = lambda *shape: tuple(max(n // scale, 1) if n > 64 else n for n in shape)
    one = "export def f(a: f32[n]) -> "
    n26, n28 = s(1 << 26), s(1 << 28)
    yield Work("folds", "saxpy 2^26", "export def f(x: f32[n], y: f32[n]) -> f32[n] = "
               "1.5 * x + y\n", {"x": n26, "y": n26}, lambda x, y: 1.5 * x + y,
               "triad", .85, ("limit_triad", n26))
    yield Work("folds", "sum 2^28", one + "f32 = sum(a)\n", {"a": n28}, np.sum, "read", .85,
               ("sum_all", n28))
    yield Work("folds", "max 2^28", one + "f32 = max(a)\n", {"a": n28}, np.max, "read", .85,
               ("max_all", n28), tolerance=0)
    n27 = s(1 << 27)
    yield Work("folds", "dot 2^27", "export def f(a: f32[n], b: f32[n]) -> f32 = sum(a * b)\n",
               {"a": n27, "b": n27}, np.dot, "read", .85, ("dot", n27))
    yield Work("folds", "mean and variance 2^28", one + "(m: f32, v: f32) {\n"
               "  let (s, q) = sum for i in n { (a[i], a[i] * a[i]) }\n"
               "  let m = s / n\n  (m, q / n - m * m)\n}\n", {"a": n28},
               lambda a: np.array([a.mean(), a.var()]), "read", .85, ("mean_variance", n28),
               tolerance=1e-4, outputs=2)
    yield Work("folds", "histogram 2^27, 256 bins", "export def f(a: i32[n]) -> i32[256] = "
               "hist((+), 0, 256, oob = drop) for i in n { (a[i], 1) }\n", {"a": n27},
               lambda a: np.bincount(a.ravel(), minlength=256), "read", None,
               ("histogram", n27), tolerance=0)

    for shape in [(1 << 14, 1 << 14), (1 << 20, 64), (1 << 23, 8), (1 << 26, 3), (64, 1 << 20),
                  (8, 1 << 24)]:
        for axis in (1, 0):
            yield Work("axes", f"sum {shape} axis {axis}", "export def f(a: f32[n, m]) -> "
                       f"f32[{'n' if axis else 'm'}] = sum(a, axis = {axis})\n",
                       {"a": s(*shape)}, lambda a, d=axis: a.sum(d), "read", .85,
                       ("sum_rows" if axis else "sum_columns", s(*shape)))
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
                   lambda a, d=axes: a.sum(d), "read", .85, peer)
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
               "triad", .55, ("scan_all", n27), tolerance=1e-4)
    square = s(1 << 14, 1 << 13)
    for axis, peer in ((1, "scan_rows"), (0, "scan_columns")):
        yield Work("scans", f"scan of {'rows' if axis else 'columns'} {square}",
                   f"export def f(a: f32[n, m]) -> f32[n, m] = scan((+), a, axis = {axis})\n",
                   {"a": square}, lambda a, d=axis: a.cumsum(d), "triad", .55, (peer, square),
                   tolerance=1e-4)

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
               "peer", ("jacobi", grid), repeat=("steps", 2, 6), scratch=True)
    heat = open(os.path.join(HERE, "..", "examples", "heat.arr")).read()
    yield Work("steps", f"heat with its largest change, {grid}",
               heat.replace("def heat", "def f").replace("t0", "a"), {"a": grid},
               lambda a, max_iter=0: wide_jacobi(a, max_iter, .25, False), "triad", "peer",
               ("heat", grid), {"tol": 1e-9}, repeat=("max_iter", 2, 6), scratch=True)
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
                   tolerance=1e-4)


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


def view(array):
    """The memory of an array of a CPU context, without a copy."""
    kind = np.dtype(arrt.DTYPES[array.element])
    size = int(np.prod(array.shape)) * kind.itemsize
    memory = (ctypes.c_char * size).from_address(array.pointer)
    return np.frombuffer(memory, kind).reshape(array.shape)


clock = time.perf_counter
memcmp = ctypes.CDLL(None).memcmp
memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def equal_bits(a, b):
    return a.nbytes == b.nbytes and not memcmp(a.ctypes.data, b.ctypes.data, a.nbytes)


def timed(start):
    begin = clock()
    start()
    return clock() - begin


class Loop:
    """An export with its inputs, ready to be started; keeps its last results."""

    def __init__(self, ctx, arguments):
        self.ctx, self.arguments, self.results = ctx, arguments, {}
        self.seconds = 0

    def __call__(self, **more):
        self.release()
        self.results = self.ctx.call("f", {**self.arguments, **more}, self.around)

    def around(self, start):
        self.seconds = timed(start)

    def values(self):
        return [view(r) if isinstance(r, arrt.Array) else np.array([r])
                for r in self.results.values()]

    def release(self):
        for result in self.results.values():
            if isinstance(result, arrt.Array):
                result.release()
        self.results = {}


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.bad = options, folder, 0
        os.environ["OMP_WAIT_POLICY"] = "passive"  # threads that spin take the other's cores
        os.environ["OMP_NUM_THREADS"] = str(options.threads)
        path = os.path.join(folder, "peers.so")
        subprocess.run([options.cxx, *FLAGS, os.path.join(HERE, "peers", "cpu.cpp"), "-o", path],
                       check=True)
        self.peers = ctypes.CDLL(path)
        self.rng = np.random.default_rng(7)

    def call(self, name, sizes, floats, pointers):
        function = getattr(self.peers, name)
        arguments = ([ctypes.c_int64(n) for n in sizes] + [ctypes.c_float(x) for x in floats]
                     + [ctypes.c_void_p(p) for p in pointers])
        return lambda: function(*arguments)

    @contextlib.contextmanager
    def quiet(self):
        """Holds the lock that others respect while a row is timed."""
        if not self.options.lock:
            yield
            return
        held = subprocess.Popen(shlex.split(self.options.lock), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        held.stdout.readline()
        try:
            yield
        finally:
            held.stdin.close()
            held.wait()

    def build(self, k, work):
        path = os.path.join(self.folder, f"w{k}.arr")
        with open(path, "w") as f:
            f.write(work.text)
        return arrt.Library(arrt.build(self.options.arrc, path, "cpu", self.folder))

    def fill(self, array, work, name):
        memory = view(array).reshape(-1)
        step = 1 << 22
        for k in range(0, memory.size, step):
            part = memory[k:k + step]
            if array.element == "i32":
                part[:] = self.rng.integers(0, 256, part.size)
            elif array.element == "bool":
                part[:] = self.rng.random(part.size) < .05
            else:
                self.rng.random(part.size, F32, out=part)
                if work.name.startswith("D2Q9"):
                    part += .5

    def measure(self, k, work):
        lib = self.build(k, work)
        ctx = lib.context("cpu", self.options.threads)
        entry = lib.entry("f")
        elements = {entry.params[k].name.decode(): arrt.NAMES[entry.params[k].element]
                    for k in range(entry.num_params)}
        inputs = {n: ctx.empty(shape, elements[n]) for n, shape in work.inputs.items()}
        for name, array in inputs.items():
            self.fill(array, work, name)
        loop = Loop(ctx, {**inputs, **work.scalars})
        steps = {work.repeat[0]: work.repeat[2]} if work.repeat else {}
        loop(**steps)
        good, error = self.check(work, inputs, loop, steps)
        first = [np.array(v) for v in loop.values()]

        # The same bytes through the limit, on the same arrays where they fit.
        read = sum(a.size * a.itemsize for a in map(view, inputs.values()))
        written = sum(v.nbytes for v in first)
        is_scalar = first[0].nbytes <= 8
        result = ctx.empty(*(((2,), "f32") if is_scalar
                             else (first[0].shape, str_element(first[0].dtype))))
        spare = [ctx.empty(first[0].shape, "f32")] if work.scratch else []
        limits = self.limits(ctx, work, read, written, inputs, result)
        runs = {name: [] for name in limits}
        peer = None
        if work.peer:
            name, sizes = work.peer
            floats = [work.scalars[k] for k in ("tau", "tol") if k in work.scalars]
            arrays = [*inputs.values(), result, *spare]
            if work.name.startswith("D2Q9"):  # the peer's order of dimensions
                arrays[0] = ctx.empty((9, *sizes), "f32")
                view(arrays[0])[:] = np.moveaxis(view(inputs["a"]), 2, 0)
            pointers = [a.pointer for a in arrays]
            peer = lambda *n, by=name: self.call(by, [*sizes, *n], floats, pointers)()
            runs["g++"] = []
        runs["arrc"] = []
        same = True

        def each(start, *n):
            return timed(lambda: start(*n))
        with self.quiet():
            for turn in range(self.options.runs + 1):
                times = {name: each(start) * factor
                         for name, (start, factor) in limits.items()}
                if not work.repeat:
                    if peer:
                        times["g++"] = each(peer)
                    loop()
                    times["arrc"] = loop.seconds
                else:  # what is done once, before and after, does not count
                    what, few, many = work.repeat
                    if peer:
                        times["g++"] = -each(peer, few)
                        times["g++"] = (times["g++"] + each(peer, many)) / (many - few)
                    loop(**{what: few})
                    times["arrc"] = -loop.seconds
                    loop(**{what: many})
                    times["arrc"] = (times["arrc"] + loop.seconds) / (many - few)
                same &= all(equal_bits(a, b) for a, b in zip(loop.values(), first))
                if turn:  # the first one warms up
                    for name, seconds in times.items():
                        runs[name].append(seconds)
        fair = self.check_peer(work, first, result)
        loop.release()
        for array in [*inputs.values(), result, *spare]:
            array.release()
        ctx.close()
        self.bad += not (good and same and fair)
        middle = {name: statistics.median(each) for name, each in runs.items()}
        ratio = lambda name: statistics.median(
            a / b for a, b in zip(runs[name], runs["arrc"]))
        # The best way of each round.
        limit = statistics.median(min(each[:-1]) / each[-1] for each in
                                  zip(*(runs[name] for name in limits), runs["arrc"]))
        quarters = statistics.quantiles(runs["arrc"], n=4)
        row = dict(work=work, ms=middle["arrc"] * 1e3, limit=limit,
                   rate=(read + written) / middle["arrc"] / 1e9,
                   peer=ratio("g++") if peer else None, error=error, good=good, same=same,
                   fair=fair, spread=(quarters[2] - quarters[0]) / middle["arrc"])
        reached = row["peer"] if work.goal == "peer" else limit
        goal = 1 if work.goal == "peer" else work.goal
        row["verdict"] = "" if goal is None else "yes" if reached >= goal else "no"
        print(f"{work.name}: {row['ms']:.2f} ms, {row['rate']:.1f} GB/s, limit {limit:.2f}, g++ "
              + (f"{row['peer']:.2f}" if peer else "-")
              + f", error {error:.1e}, spread {row['spread']:.2f}"
              + ("" if good else "  WRONG") + ("" if same else "  BITS DIFFER")
              + ("" if fair else "  PEER WRONG") + f"  {row['verdict']}", flush=True)
        return row

    def check(self, work, inputs, loop, steps):
        """Against float64."""
        wide = [view(a).astype(np.float64) if a.element == "f32" else view(a)
                for a in inputs.values()]
        want = np.asarray(work.wide(*wide, **steps))
        values = loop.values()
        got = (np.concatenate([v.reshape(-1) for v in values]) if work.outputs > 1
               else values[0])
        want = want.reshape(got.shape)
        scale = max(float(np.abs(want).max()), 1e-30)
        worst = float(np.abs(got - want).max()) / scale
        return worst <= work.tolerance, worst

    def check_peer(self, work, first, result):
        """The peer must have computed the same thing."""
        if not work.peer:
            return True
        got, want = view(result).astype(np.float64), first[0].astype(np.float64)
        if work.outputs > 1 or want.size == 1:
            want = np.concatenate([v.reshape(-1) for v in first]).astype(np.float64)
            got = got.reshape(-1)[:want.size]
        if work.name.startswith("D2Q9"):
            got = np.moveaxis(got.reshape(9, *want.shape[:2]), 0, 2)
        return float(np.abs(got.reshape(want.shape) - want).max()) <= 2e-3 * max(
            float(np.abs(want).max()), 1e-30)

    def limits(self, ctx, work, read, written, inputs, result):
        """The ways to move as many bytes: name -> (start, factor of the time)."""
        each = list(inputs.values())
        if work.limit == "read":
            sink = ctx.empty((2,), "f32").pointer
            starts = [self.call("limit_read", [view(x).nbytes // 4 // 64 * 64], [],
                                [x.pointer, sink]) for x in each]
            return {"read": (lambda: [start() for start in starts], 1)}
        # The rate of a triad, for as many bytes as the work moves.
        if len(each) > 1 and view(each[1]).nbytes >= written:
            n = written // 4 // 64 * 64
            pointers = [each[0].pointer, each[1].pointer, result.pointer]
        else:
            n = written // 8 // 64 * 64
            pointers = [each[0].pointer, each[0].pointer + 4 * n, result.pointer]
        return {name: (self.call(name, [n], [], pointers), (read + written) / (12 * n))
                for name in ("limit_triad", "limit_triad_past")}


def str_element(dtype):
    return next(k for k, name in arrt.DTYPES.items() if name == str(dtype))


def machine():
    model = "unknown processor"
    with contextlib.suppress(OSError):
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--out", help="a file for the table")
    parser.add_argument("--groups", default="folds,axes,rank4,rows,scans,steps")
    parser.add_argument("--only", help="a part of a workload's name")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--scale", type=int, default=1, help="divides the sizes")
    parser.add_argument("--busy", action="store_true", help="count the seconds of the threads: "
                        "what a machine tells that others use, too")
    parser.add_argument("--lock", help="a command that holds a lock from its first line of "
                        "output to the end of its input")
    options = parser.parse_args()
    if options.busy:
        global clock
        clock = time.process_time
    groups = options.groups.split(",")
    selected = [w for w in works(options.scale) if w.group in groups
                and (not options.only or options.only in w.name)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for k, work in enumerate(selected):
            try:
                rows.append(bench.measure(k, work))
            except arrt.Error as e:  # the others are measured all the same
                print(f"{work.name}: {str(e)[:400]}", flush=True)
                bench.bad += 1
    lines = [f"{machine()}, {options.threads} threads; `bench/cpu.py`, medians of {options.runs} "
             f"rounds, {time.strftime('%Y-%m-%d')}.", "",
             "| workload | ms | GB/s | of the limit | | goal | reached | g++ | error | spread |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        work = row["work"]
        goal = {"peer": "g++ 1", None: ""}.get(work.goal, work.goal)
        peer = f"{row['peer']:.2f}" if row["peer"] else ""
        flaws = "".join(text for text, ok in ((" WRONG", row["good"]), (" BITS", row["same"]),
                                              (" PEER", row["fair"])) if not ok)
        lines.append(f"| {work.name} | {row['ms']:.2f} | {row['rate']:.1f} | {row['limit']:.2f} | "
                     f"{work.limit} | {goal} | {row['verdict']} | {peer} | {row['error']:.1e}"
                     f"{flaws} | {row['spread']:.2f} |")
    if options.out:
        with open(options.out, "w") as f:
            f.write("\n".join(lines) + "\n")
    print(f"cpu.py: {len(rows)} measured, {bench.bad} wrong or missing")
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
