#!/usr/bin/env python3
"""Memory-bound programs on a card, beside what one would use instead.

    device.py --arrc bin/arrc [--out FILE.md] [--sizes 28,26] [--seconds 0.5]

In one run on one card: the roofs (copy bandwidth C, read bandwidth R), saxpy, a
fused chain of 20 operations and a full sum, by arrc and by hand-written CUDA,
torch, torch.compile and JAX. Inputs are fresh random numbers, outputs are poisoned,
every result is compared with float64 before it is timed and afterwards. A time is
the median of at least 20 batches of calls back to back, results left on the card;
`rho` is the roof's time over that, as docs/development.md says. Needs torch; nvcc
and JAX where they are there. Writes a table in Markdown.
"""

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import torch

import arrt

HERE = os.path.dirname(os.path.realpath(__file__))
GPU = torch.cuda.is_available()
DEVICE = "cuda" if GPU else "cpu"


def sync():
    if GPU:
        torch.cuda.synchronize()


def batches(start, wait, seconds, least=20):
    """Seconds a call, one number a batch, after a warm-up; a batch is at least 5 ms."""
    for _ in range(3):
        start()
    wait()
    begin = time.perf_counter()
    start()
    wait()
    once = time.perf_counter() - begin
    count = max(1, min(1000, int(5e-3 / max(once, 1e-6)) + 1))
    taken, deadline = [], time.perf_counter() + seconds
    while len(taken) < least or time.perf_counter() < deadline:
        begin = time.perf_counter()
        for _ in range(count):
            start()
        wait()
        taken.append((time.perf_counter() - begin) / count)
    return taken


class Peers:
    """Hand-written CUDA, compiled here."""

    def __init__(self, folder, given):
        self.dll = None
        path = given or os.path.join(folder, "stream.so")
        if not GPU or not (given or shutil.which("nvcc")):
            return
        if not given:
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-shared",
                            "-Xcompiler", "-fPIC", os.path.join(HERE, "peers", "stream.cu"),
                            "-o", path], check=True)
        self.dll = ctypes.CDLL(path)

    def __call__(self, name, *args):
        """A function that launches it, or None."""
        if not self.dll:
            return None
        stream = torch.cuda.current_stream().cuda_stream
        converted = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor)
                     else ctypes.c_float(a) if isinstance(a, float)
                     else ctypes.c_longlong(a) for a in args] + [ctypes.c_void_p(stream)]
        function = getattr(self.dll, name)

        def start():
            if function(*converted):
                raise RuntimeError(f"{name} failed")
        return start


def chain(x, y, least, most):
    a = most(least((x + y) * 0.9, 0.8), -0.7)
    b = most(least((a + x) * 1.1, 0.7), -0.6)
    c = most(least((b + y) * 0.8, y), -0.5)
    d = most(least((c + x) * 1.2, 0.6), x)
    return most(least((d + y) * 0.7, 0.5), -0.4)


def torch_chain(x, y):
    def least(a, b):
        return torch.minimum(a, b) if isinstance(b, torch.Tensor) else torch.clamp(a, max=b)

    def most(a, b):
        return torch.maximum(a, b) if isinstance(b, torch.Tensor) else torch.clamp(a, min=b)
    return chain(x, y, least, most)


class Bench:
    def __init__(self, options):
        self.options, self.rows, self.bad = options, [], 0

    def measure(self, case, peer, start, result, reference, tolerance, wait=sync):
        """Checks, times, checks again. `result()` gives the values last computed."""
        if start is None:
            return None
        try:
            start()
            wait()
            error = self.error(result(), reference)
            times = batches(start, wait, self.options.seconds)
            error = max(error, self.error(result(), reference))
        except Exception as e:  # one peer's failure is its own
            print(f"{case}, {peer}: {type(e).__name__}: {str(e)[:300]}", flush=True)
            self.bad += peer.startswith("arrc")
            return None
        good = error <= tolerance
        self.bad += not good
        median = statistics.median(times)
        self.rows.append((case, peer, median, min(times), max(times), len(times), error, good))
        print(f"{case}, {peer}: {median * 1e3:.4f} ms, error {error:.1e}"
              + ("" if good else "  WRONG"), flush=True)
        return median

    @staticmethod
    def error(got, want):
        got, want = got.reshape(-1), want.reshape(-1)
        worst = size = 0.0
        for k in range(0, want.numel(), 1 << 26):  # in pieces: float64 is large
            g, w = got[k:k + (1 << 26)].double(), want[k:k + (1 << 26)].double()
            difference = float((g - w).abs().max())
            if difference != difference:
                return float("inf")
            worst, size = max(worst, difference), max(size, float(w.abs().max()))
        return worst / size if size else worst


def in_batches(ctx, entry, arguments, seconds):
    """Batches of calls of an export: times and the last results."""
    taken = []

    def around(start):
        taken.extend(batches(start, ctx.synchronize, seconds))
    return taken, ctx.call(entry, arguments, around)


def run(options, folder):
    bench = Bench(options)
    peers = Peers(folder, options.peers)
    lib = arrt.Library(arrt.build(
        options.arrc, os.path.join(HERE, "programs", "stream.arr"), options.target, folder,
        ["--arch=native"] if options.target.startswith("cuda") else []))
    ctx = lib.context(options.target)
    jax = None
    if GPU and not options.no_jax:
        try:
            import jax
            import jax.numpy as jnp
        except ImportError:
            pass

    rooms = []
    for power in map(int, options.sizes.split(",")):
        n = 1 << power
        torch.manual_seed(time.time_ns() & 0x7FFFFFFF)
        view = lambda array: (torch.as_tensor(array, device=DEVICE) if GPU
                              else torch.from_numpy(array.numpy()))
        X, Y = ctx.empty((n,), "f32"), ctx.empty((n,), "f32")
        if GPU:
            x, y = view(X), view(Y)
            x.uniform_(-1, 1), y.uniform_(-1, 1)
        else:
            x, y = torch.rand(n) * 2 - 1, torch.rand(n) * 2 - 1
            X, Y = ctx.array(x.numpy()), ctx.array(y.numpy())
        z, one = torch.empty_like(x), torch.empty(1, device=DEVICE)
        sync()

        # The roofs, with the same arrays.
        name = f"2^{power}"
        copies = [bench.measure(f"copy {name}", f"cuda {how}", peers(how, x, z, n),
                                lambda: z, x, 0) for how in ("copy_hand", "copy_memcpy")]
        copies.append(bench.measure(f"copy {name}", "torch", lambda: z.copy_(x),
                                    lambda: z, x, 0))
        whole = sum(float(part.double().sum()) for part in x.split(1 << 26))
        size = sum(float(part.double().abs().sum()) for part in x.split(1 << 26))
        total = torch.tensor([whole / size])
        reads = [bench.measure(f"read {name}", f"cuda sum_hand {span}",
                               peers("sum_hand", x, one, n, span),
                               lambda: one.cpu() / size, total, 1e-6) for span in (0, 1)]
        out = [None]

        def keep(function, *args):
            def start():
                out[0] = function(*args)
            return start
        reads.append(bench.measure(f"read {name}", "torch", keep(torch.sum, x),
                                   lambda: out[0].reshape(1).cpu() / size, total, 1e-6))
        C = 8 * n / min(c for c in copies if c)
        R = 4 * n / min(r for r in reads if r)
        rooms.append((name, C, R))

        cases = [
            (f"saxpy {name}", "saxpy", {"a": 2.5, "x": X, "y": Y}, 12 * n, 4 * n,
             peers("saxpy_hand", 2.5, x, y, z, n),
             [("torch add(alpha)", lambda x, y: torch.add(y, x, alpha=2.5), False),
              ("torch.compile", lambda x, y: 2.5 * x + y, True)],
             lambda x, y: 2.5 * x + y, lambda x, y: 2.5 * x.double() + y.double()),
            (f"chain of 20 {name}", "chain", {"x": X, "y": Y}, 12 * n, 4 * n,
             peers("chain_hand", x, y, z, n),
             [("torch", torch_chain, False), ("torch.compile", torch_chain, True)],
             (lambda x, y: chain(x, y, jnp.minimum, jnp.maximum)) if jax else None,
             lambda x, y: torch_chain(x.double(), y.double())),
        ]
        for case, entry, arguments, total_bytes, written, hand, frameworks, jitted, wide in cases:
            want = torch.cat([wide(a, b).float() for a, b in zip(x.split(1 << 26),
                                                                 y.split(1 << 26))])
            share = written / total_bytes
            roof = total_bytes / (R + (C - R) * share / 0.5)
            bench.rows.append((case, "roof", roof, roof, roof, 0, None, True))
            # The pool hands out the block that was given back last.
            poison = ctx.empty((n,), "f32")
            if GPU:
                view(poison).fill_(float("nan"))
                sync()
            poison.release()
            taken, results = in_batches(ctx, entry, arguments, options.seconds)
            error = bench.error(view(results["out"]), want)
            good = error <= 1e-6
            bench.bad += not good
            median = statistics.median(taken)
            bench.rows.append((case, "arrc", median, min(taken), max(taken), len(taken),
                               error, good))
            print(f"{case}, arrc: {median * 1e3:.4f} ms, rho {roof / median:.3f}, error "
                  f"{error:.1e}" + ("" if good else "  WRONG"), flush=True)
            results["out"].release()
            z.fill_(float("nan"))
            bench.measure(case, "cuda by hand", hand, lambda: z, want, 1e-6)
            for peer, function, compiled in frameworks:
                if compiled and not GPU:
                    continue
                if compiled:
                    torch._dynamo.reset()
                    function = torch.compile(function, dynamic=False, fullgraph=True)
                bench.measure(case, peer, keep(function, x, y), lambda: out[0], want, 1e-6)
                out[0] = None
            if jax and jitted:
                args = [jax.dlpack.from_dlpack(t) for t in (x, y)]
                function = jax.jit(jitted)
                bench.measure(case, "jax.jit", keep(function, *args),
                              lambda: torch.from_dlpack(out[0]), want, 1e-6,
                              lambda: jax.block_until_ready(out[0]))
                out[0] = None
                del args
            del want

        # The full sum, and the same with its value read by the host.
        case = f"sum {name}"
        roof = 4 * n / R
        bench.rows.append((case, "roof", roof, roof, roof, 0, None, True))
        ctx.call("total", {"x": X})
        taken = []
        for _ in range(max(20, int(options.seconds / roof / 10))):
            begin = time.perf_counter()
            got = ctx.call("total", {"x": X})["out"]
            taken.append(time.perf_counter() - begin)
        error = abs(got - whole) / size
        bench.bad += not error <= 1e-6
        bench.rows.append((case, "arrc, value read", statistics.median(taken), min(taken),
                           max(taken), len(taken), error, error <= 1e-6))
        X.release()
        Y.release()
        del x, y, z
        if GPU:
            torch.cuda.empty_cache()
    return bench, rooms


def table(bench, rooms):
    def shell(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError:
            return ""
    lines = ["# Memory-bound programs on a card", ""]
    card = shell("nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.mem",
                 "--format=csv,noheader").splitlines()
    lines += [f"{card[0] if card else 'no card'}; torch {torch.__version__}; f32, random "
              "numbers, medians, results left on the card; measured by `bench/device.py`.", "",
              "| size | copy C, GB/s | read R, GB/s |", "|---|---|---|"]
    lines += [f"| {name} | {C / 1e9:.0f} | {R / 1e9:.0f} |" for name, C, R in rooms]
    lines += ["", "| program | by | ms | rho | least, most ms | batches | error |",
              "|---|---|---|---|---|---|---|"]
    roofs = {case: median for case, peer, median, *_ in bench.rows if peer == "roof"}
    for case, peer, median, least, most, count, error, good in bench.rows:
        if case not in roofs:
            continue
        if peer == "roof":
            lines.append(f"| {case} | roof | {median * 1e3:.4f} | | | | |")
        else:
            lines.append(f"| | {peer} | {median * 1e3:.4f} | {roofs[case] / median:.3f} | "
                         f"{least * 1e3:.4f}, {most * 1e3:.4f} | {count} | {error:.1e}"
                         + ("" if good else " WRONG") + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--out", help="a file for the table")
    parser.add_argument("--sizes", default="28,26", help="powers of 2")
    parser.add_argument("--seconds", type=float, default=0.4, help="of timing a row")
    parser.add_argument("--peers", help="the library of peers/stream.cu, built before")
    parser.add_argument("--no-jax", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench, rooms = run(options, folder)
    text = table(bench, rooms)
    print(text)
    if options.out:
        with open(options.out, "w") as f:
            f.write(text)
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
