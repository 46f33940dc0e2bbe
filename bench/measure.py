"""Timing, roofs and peers: what every measurement on a card shares.

A time is the median of at least 20 batches of calls back to back after a warm-up,
results left on the card. The roofs (copy bandwidth C, read bandwidth R, multiply-adds,
special functions) are measured or read off in the same run on the same card.
"""

import ctypes
import os
import shutil
import statistics
import subprocess
import time

import torch

HERE = os.path.dirname(os.path.realpath(__file__))
GPU = torch.cuda.is_available()
DEVICE = "cuda" if GPU else "cpu"
F32, F64 = torch.float32, torch.float64
I32, I64 = torch.int32, torch.int64
#: Elements that are compared at a time: float64 is large.
PIECE = 1 << 26


def sync():
    """Waits for the card."""
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


def in_batches(ctx, entry, arguments, seconds):
    """Batches of calls of an export of ours: times and the last results."""
    taken = []

    def around(start):
        taken.extend(batches(start, ctx.synchronize, seconds))
    return taken, ctx.call(entry, arguments, around)


def error_of(got, want):
    """The largest difference over the largest value; infinity where there is a NaN."""
    got, want = got.reshape(-1), want.reshape(-1)
    worst = size = 0.0
    for k in range(0, want.numel(), PIECE):
        g, w = got[k:k + PIECE].double(), want[k:k + PIECE].double().to(got.device)
        difference = float((g - w).abs().max())
        if difference != difference:
            return float("inf")
        worst, size = max(worst, difference), max(size, float(w.abs().max()))
    return worst / size if size else worst


class Peers:
    """Hand-written CUDA and CUB of peers/peers.cu, compiled here or before."""

    def __init__(self, folder, given=None):
        self.dll = None
        if not GPU or not (given or shutil.which("nvcc")):
            return
        path = given or os.path.join(folder, "libpeers.so")
        if not given:
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-shared",
                            "-Xcompiler", "-fPIC", os.path.join(HERE, "peers", "peers.cu"),
                            "-o", path], check=True)
        self.dll = ctypes.CDLL(path)
        self.space = torch.empty(2 << 30, dtype=torch.uint8, device=DEVICE)
        if self.dll.peers_init(ctypes.c_void_p(self.space.data_ptr()),
                               ctypes.c_size_t(self.space.numel())):
            raise RuntimeError("the peers cannot start")

    def __call__(self, name, *args):
        """A function that launches it; None where there are no peers."""
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


class Roofs:
    """What the card can do at best; seconds that a piece of work takes then."""

    def __init__(self, peers, n, seconds):
        """`n` elements are copied and read."""
        x = torch.rand(n, device=DEVICE)
        z, one = torch.empty_like(x), torch.empty(1, device=DEVICE)
        # A card that was idle is slow for a while.
        deadline = time.perf_counter() + 0.5
        while time.perf_counter() < deadline:
            z.copy_(x)
            sync()
        best = lambda starts: min(statistics.median(batches(s, sync, seconds))
                                  for s in starts if s)
        copies = [lambda: z.copy_(x), peers("copy_hand", x, z, n, 1, 0)]
        reads = [lambda: torch.sum(x), peers("sum_hand", x, one, n, 0, 0),
                 peers("sum_hand", x, one, n, 1, 0)]
        #: Bytes a second, copied (read and written) and only read.
        self.copy, self.read = 8 * n / best(copies), 4 * n / best(reads)
        #: Multiply-adds count two; special functions 16 a clock and multiprocessor.
        self.fma = {F32: float("inf"), F64: float("inf")}
        self.special = float("inf")
        if peers.dll:
            facts = torch.cuda.get_device_properties(0)
            self.special = 16 * facts.multi_processor_count * facts.clock_rate * 1e3
            blocks, rounds = facts.multi_processor_count * 8, 64
            for type, name in ((F32, "fma_f32"), (F64, "fma_f64")):
                out = torch.empty(1, dtype=type, device=DEVICE)
                # 16 chains of 64 multiply-adds a round and thread.
                flops = 2 * 16 * 64 * rounds * 256 * blocks
                self.fma[type] = flops / best([peers(name, out, blocks, rounds)])

    def seconds(self, bytes, written, flops=0, type=F32, special=0):
        """The larger of the time for the memory and that for the arithmetic."""
        share = min(written / bytes / 0.5, 1)
        rate = self.read + (self.copy - self.read) * share
        return max(bytes / rate, flops / self.fma.get(type, float("inf")),
                   special / self.special)
