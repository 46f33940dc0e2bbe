#!/usr/bin/env python3
"""Sums over axes, softmax, scans and copies in other orders on a card.

    table.py --arrc bin/arrc [--out FILE.md] [--groups folds,axes,rank4,types,softmax,
             scans,moves,five] [--seconds 0.15] [--peers libpeers.so] [--compile]

As device.py: roofs and peers in the same run, random data, every result compared with
float64, medians of at least 20 batches of calls back to back, results left on the card.
Peers are plain torch, hand-written CUDA and CUB (peers/peers.cu) and, with --compile,
torch.compile. Writes a table in Markdown: `rho` is the roof's time over ours, `best`
the best peer's time over ours.
"""

import argparse
import concurrent.futures
import ctypes
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import torch

import arrt
from device import DEVICE, GPU, Bench, Peers, in_batches, sync

HERE = os.path.dirname(os.path.realpath(__file__))
F32, F64 = torch.float32, torch.float64
NAMES = {F32: "f32", F64: "f64"}


class Work:
    """One export, its inputs, and what it is compared with."""

    def __init__(self, group, name, text, inputs, wide, torches, hands=(), tolerance=1e-5):
        self.group, self.name, self.text = group, name, text
        self.inputs, self.wide, self.torches, self.hands = inputs, wide, torches, hands
        self.tolerance = tolerance


def works(scale):
    """All workloads; sizes are divided by `scale` for a trial."""
    s = lambda *shape: tuple(max(n // scale, 1) if n > 64 else n for n in shape)
    n28 = s(1 << 28)
    one = "export def f(a: f32[n]) -> "
    yield Work("folds", "sum 2^28", one + "f32 = sum(a)\n", {"a": (n28, F32)},
               lambda a: a.sum(dtype=F64), [torch.sum],
               [("sum_hand", "aoN10"), ("sum_cub", "aoN")])
    yield Work("folds", "max 2^28", one + "f32 = max(a)\n", {"a": (n28, F32)},
               torch.max, [torch.max], [("max_hand", "aoN"), ("max_cub", "aoN")], 0)
    yield Work("folds", "dot 2^28", "export def f(a: f32[n], b: f32[n]) -> f32 = sum(a * b)\n",
               {"a": (n28, F32), "b": (n28, F32)}, lambda a, b: (a.double() * b).sum(),
               [torch.dot], [("dot_hand", "aboN")])
    yield Work("folds", "mean and variance 2^28",
               one + "(m: f32, v: f32) {\n"
               "  let (s, q) = sum for i in n { (a[i], a[i] * a[i]) }\n"
               "  let m = s / n\n  (m, q / n - m * m)\n}\n", {"a": (n28, F32)},
               lambda a: torch.stack([a.double().mean(), a.double().var(unbiased=False)]),
               [lambda a: torch.var_mean(a, correction=0)], [("meanvar_hand", "aoN")], 1e-4)

    shapes = [(1 << 14, 1 << 14), (1 << 20, 64), (1 << 23, 8), (1 << 26, 3), (64, 1 << 20),
              (8, 1 << 24)]
    for shape in shapes:
        for axis in (1, 0):
            kept = "n" if axis else "m"
            yield Work("axes", f"sum {shape} axis {axis}",
                       f"export def f(a: f32[n, m]) -> f32[{kept}] = sum(a, axis = {axis})\n",
                       {"a": (s(*shape), F32)}, lambda a, d=axis: a.sum(d, dtype=F64),
                       [lambda a, d=axis: a.sum(d)],
                       [("rowsum_hand" if axis else "colsum_hand", "aoRC")])
    rank4 = s(64, 128, 128, 64)
    for axes in [(0,), (1,), (2,), (3,), (1, 3), (0, 2)]:
        kept = ", ".join(d for k, d in enumerate("nmkl") if k not in axes)
        text = str(axes[0]) if len(axes) == 1 else str(axes)
        yield Work("rank4", f"sum (64,128,128,64) axis {text}",
                   f"export def f(a: f32[n, m, k, l]) -> f32[{kept}] = sum(a, axis = {text})\n",
                   {"a": (rank4, F32)}, lambda a, d=axes: a.sum(d, dtype=F64),
                   [lambda a, d=axes: a.sum(d)],
                   [({(1, 3): "sum13_hand", (0, 2): "sum02_hand"}[axes], "aoIJKL")]
                   if len(axes) == 2 else [])
    for op, type, shape, axis in itertools.product(("prod", "max", "sum"), (F32, F64),
                                                   shapes, (1, 0)):
        if (op == "sum") == (type == F32):
            continue
        kept, name = "n" if axis else "m", NAMES[type]
        fold = {"prod": torch.prod, "max": torch.amax, "sum": torch.sum}[op]
        yield Work("types", f"{op} {name} {shape} axis {axis}",
                   f"export def f(a: {name}[n, m]) -> {name}[{kept}] = {op}(a, axis = {axis})\n",
                   {"a": (s(*shape), type)}, lambda a, d=axis, f=fold: f(a.double(), d),
                   [lambda a, d=axis, f=fold: f(a, d)], [], 1e-4)
    softmax = ("export def f(a: f32[n, m]) -> f32[n, m] = for i in n {\n"
               "  let hi = max(a[i])\n  let e = for j in m { exp(a[i, j] - hi) }\n"
               "  let s = sum(e)\n  for j in m { e[j] / s }\n}\n")
    for shape in [(1 << 14, 1 << 14), (1 << 20, 64)]:
        yield Work("softmax", f"softmax {shape}", softmax, {"a": (s(*shape), F32)},
                   lambda a: torch.softmax(a.double(), 1), [lambda a: torch.softmax(a, 1)])
    square = s(1 << 14, 1 << 14)
    yield Work("scans", "scan 2^28", one + "f32[n] = scan((+), a)\n", {"a": (n28, F32)},
               lambda a: a.double().cumsum(0), [lambda a: a.cumsum(0)],
               [("scan_cub_f32", "aoN")], 1e-4)
    for axis, hand in ((1, "rowscan_hand"), (0, "colscan_hand")):
        yield Work("scans", f"scan of {'rows' if axis else 'columns'} (2^14,2^14)",
                   f"export def f(a: f32[n, m]) -> f32[n, m] = scan((+), a, axis = {axis})\n",
                   {"a": (square, F32)}, lambda a, d=axis: a.double().cumsum(d),
                   [lambda a, d=axis: a.cumsum(d)], [(hand, "aoRC")], 1e-4)
    yield Work("moves", "a[j,i] + b[i,j], 2^14 x 2^14",
               "export def f(a: f32[n, m], b: f32[m, n]) -> f32[m, n] = "
               "for i in m, j in n { a[j, i] + b[i, j] }\n",
               {"a": (square, F32), "b": (square, F32)}, lambda a, b: a.t() + b,
               [lambda a, b: a.t() + b], [], 0)
    for order in itertools.permutations(range(4)):
        if order == (0, 1, 2, 3):
            continue
        to = ", ".join("nmkl"[d] for d in order)
        yield Work("moves", f"permutation {order} of (64,128,128,64)",
                   f"export def f(a: f32[n, m, k, l]) -> f32[{to}] = "
                   f"transpose(a, {', '.join(map(str, order))})\n", {"a": (rank4, F32)},
                   lambda a, p=order: a.permute(p).contiguous(),
                   [lambda a, p=order: a.permute(p).contiguous()], [], 0)
    yield Work("moves", "map over (10^6,2,2,2)",
               "export def f(a: f32[n, 2, 2, 2]) -> f32[n, 2, 2, 2] = a * 2.0 + 1.0\n",
               {"a": (s(10**6, 2, 2, 2), F32)}, lambda a: a * 2 + 1,
               [lambda a: torch.add(1, a, alpha=2)], [], 1e-6)
    yield Work("moves", "reversal 2^28", one + "f32[n] = reverse(a)\n", {"a": (n28, F32)},
               lambda a: a.flip(0), [lambda a: a.flip(0)], [], 0)
    edge = 4096 if scale == 1 else 100
    yield Work("five", "matrix product f32 4096", "export def f(a: f32[n, k], b: f32[k, m]) "
               "-> f32[n, m] = a @ b\n", {"a": ((edge, edge), F32), "b": ((edge, edge), F32)},
               lambda a, b: a.double() @ b.double(), [lambda a, b: a @ b])
    side = 75 if scale == 1 else 20
    five = "".join(f", a{k}: f64[n, n, n, n]" for k in (1, 2))
    value = ", ".join(f"for i, j, k {{ sum for l in n, m in n {{ a{x}[j, k, l, m] * b[i, l, m] }} }}"
                      for x in range(3))
    yield Work("five", "five-axis product, three at once, f64, 75",
               f"export def f(a0: f64[n, n, n, n]{five}, b: f64[n, n, n]) -> "
               f"(x: f64[n, n, n], y: f64[n, n, n], z: f64[n, n, n]) = ({value})\n",
               {**{f"a{x}": ((side,) * 4, F64) for x in range(3)}, "b": ((side,) * 3, F64)},
               lambda *a: torch.stack([torch.einsum("jklm,ilm->ijk", t, a[3]) for t in a[:3]]),
               [lambda *a: torch.stack([torch.einsum("jklm,ilm->ijk", t, a[3])
                                        for t in a[:3]])])


def hand_call(peers, form, name, tensors, out):
    """A call of peers.cu: letters say what its arguments are."""
    shape, args = tensors[0].shape, []
    for letter in form:
        args.append({"a": lambda: tensors[0], "b": lambda: tensors[1], "o": lambda: out,
                     "N": lambda: tensors[0].numel(), "1": lambda: 1, "0": lambda: 0,
                     "R": lambda: shape[0], "C": lambda: shape[1], "I": lambda: shape[0],
                     "J": lambda: shape[1], "K": lambda: shape[2],
                     "L": lambda: shape[3]}[letter]())
    return peers(name, *args)


def measure(options, bench, work, path, peers, C, R):
    lib = arrt.Library(path)
    ctx = lib.context(options.target)
    held, tensors, bytes = {}, [], 0
    for name, (shape, type) in work.inputs.items():
        if GPU:
            held[name] = ctx.empty(shape, NAMES[type])
            tensor = torch.as_tensor(held[name], device=DEVICE)
            # Sums of one sign: their error is relative to what they are.
            tensor.uniform_(*((0.9, 1.1) if work.name.startswith("prod") else (0, 1)))
        else:
            tensor = torch.rand(shape).to(type)
            held[name] = ctx.array(tensor.numpy())
        tensors.append(tensor)
        bytes += tensor.numel() * tensor.element_size()
    sync()
    want = work.wide(*tensors)
    sync()
    taken, results = in_batches(ctx, "f", held, options.seconds)

    def values(got):
        parts = []
        for value in got.values():
            if isinstance(value, arrt.Array):
                parts.append(torch.as_tensor(value, device=DEVICE) if GPU
                             else torch.from_numpy(value.numpy()))
            else:
                parts.append(torch.tensor(float(value), device=DEVICE, dtype=F64))
        return parts[0] if len(parts) == 1 else torch.stack(parts)

    got = values(results)
    element = tensors[0].element_size()
    written = element * want.numel()
    bytes += written
    roof = bytes / (R + (C - R) * min(written / bytes / 0.5, 1))
    error = bench.error(got, want)
    good = error <= work.tolerance
    bench.bad += not good
    ours = statistics.median(taken)
    del got
    for value in results.values():
        if isinstance(value, arrt.Array):
            value.release()
    times, out = [], [None]

    def keep(function):
        def start():
            out[0] = function(*tensors)
        return start

    for k, function in enumerate(work.torches):
        plain = lambda: (torch.stack(list(out[0])).flip(0) if isinstance(out[0], tuple)
                         else out[0])
        times.append((bench.measure(work.name, "torch", keep(function), plain, want,
                                    max(work.tolerance, 1e-4)), "torch"))
        if options.compile and GPU:
            torch._dynamo.reset()
            times.append((bench.measure(work.name, "torch.compile", keep(torch.compile(
                function, dynamic=False)), plain, want, max(work.tolerance, 1e-4)),
                "torch.compile"))
    out[0] = None
    for name, form in work.hands:
        target = torch.empty(want.shape if want.dim() else (1,), device=DEVICE)
        if peers.dll:
            times.append((bench.measure(work.name, name, hand_call(peers, form, name, tensors,
                                                                   target),
                                        lambda: target, want, max(work.tolerance, 1e-4)), name))
    times = sorted((t for t in times if t[0]), key=lambda t: t[0])
    best, who = times[0] if times else (float("nan"), "")
    row = (work.group, work.name, ours, roof / ours, best, who, best / ours, len(taken), error,
           good)
    print(f"{work.name}: {ours * 1e3:.4f} ms, rho {roof / ours:.3f}, best {who} "
          f"{best * 1e3:.4f} ms, ratio {best / ours:.3f}, error {error:.1e}"
          + ("" if good else "  WRONG"), flush=True)
    for array in held.values():
        array.release()
    del tensors, want
    ctx.close()
    if GPU:
        torch.cuda.empty_cache()
    return row


def roofs(bench, peers, n, seconds):
    """Copy and read bandwidth."""
    x = torch.rand(n, device=DEVICE)
    z, one = torch.empty_like(x), torch.empty(1, device=DEVICE)
    copies = [bench.measure("copy", "torch", lambda: z.copy_(x), lambda: z, x, 0)]
    sum64 = x.sum(dtype=F64).reshape(1) if GPU else torch.tensor([float(x.double().sum())])
    out = [None]

    def fold():
        out[0] = torch.sum(x)
    reads = [bench.measure("read", "torch", fold, lambda: out[0].reshape(1), sum64, 1e-5)]
    if peers.dll:
        copies.append(bench.measure("copy", "copy_hand", peers("copy_hand", x, z, n, 1, 0),
                                    lambda: z, x, 0))
        for span in (0, 1):
            reads.append(bench.measure("read", "sum_hand", peers("sum_hand", x, one, n, span, 0),
                                       lambda: one, sum64, 1e-5))
    return (8 * n / min(t for t in copies if t), 4 * n / min(t for t in reads if t))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--out", help="a file for the table")
    parser.add_argument("--groups", default="folds,axes,rank4,softmax,scans,moves,five")
    parser.add_argument("--only", help="a part of a workload's name")
    parser.add_argument("--seconds", type=float, default=0.15, help="of timing a row")
    parser.add_argument("--peers", help="the library of peers/peers.cu, built before")
    parser.add_argument("--compile", action="store_true", help="torch.compile, too")
    parser.add_argument("--scale", type=int, default=1, help="divides the sizes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    groups = options.groups.split(",")
    selected = [w for w in works(options.scale) if w.group in groups
                and (not options.only or options.only in w.name)]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def build(k):
            path = os.path.join(folder, f"w{k}.arr")
            with open(path, "w") as f:
                f.write(selected[k].text)
            return arrt.build(options.arrc, path, options.target, folder,
                              ["--arch=native"] if options.target.startswith("cuda") else [])
        builds = [pool.submit(build, k) for k in range(len(selected))]
        bench = Bench(options)
        if GPU and not options.peers and shutil.which("nvcc"):
            options.peers = os.path.join(folder, "libpeers.so")
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-shared",
                            "-Xcompiler", "-fPIC", os.path.join(HERE, "peers", "peers.cu"),
                            "-o", options.peers], check=True)
        peers = Peers(folder, options.peers)
        if peers.dll:
            space = torch.empty(2 << 30, dtype=torch.uint8, device=DEVICE)
            if peers.dll.peers_init(ctypes.c_void_p(space.data_ptr()),
                                    ctypes.c_size_t(space.numel())):
                sys.exit("the peers cannot start")
        C, R = roofs(bench, peers, (1 << 28) // options.scale, options.seconds)
        rows = []
        for work, built in zip(selected, builds):
            try:
                rows.append(measure(options, bench, work, built.result(), peers, C, R))
            except Exception as e:  # the others are measured all the same
                print(f"{work.name}: {type(e).__name__}: {str(e)[:400]}", flush=True)
                bench.bad += 1
    lines = ["", f"Copy bandwidth {C / 1e9:.0f} GB/s, read bandwidth {R / 1e9:.0f} GB/s; "
             f"torch {torch.__version__}; {time.strftime('%Y-%m-%d')}; `bench/table.py`.", "",
             "| workload | arrc, ms | rho | best peer, ms | | ratio | error |",
             "|---|---|---|---|---|---|---|"]
    for _, name, ours, rho, best, who, ratio, _, error, good in rows:
        lines.append(f"| {name} | {ours * 1e3:.4f} | {rho:.3f} | {best * 1e3:.4f} | {who} | "
                     f"{ratio:.3f} | {error:.1e}{'' if good else ' WRONG'} |")
    text = "\n".join(lines) + "\n"
    if options.out:
        with open(options.out, "w") as f:
            f.write(text)
    print(f"table.py: {len(rows)} measured, {bench.bad} wrong or missing")
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
