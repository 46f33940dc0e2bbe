#!/usr/bin/env python3
"""Generated loops against the limits of the memory and loops by hand, on this CPU.

    cpu.py --arrc bin/arrc [--out FILE.md] [--groups folds,axes,rank4,rows,scans,steps]
           [--only PART] [--runs 20] [--threads N] [--scale 1] [--lock COMMAND]

Limits (read; triad; the fastest of several ways each), the loops of
peers/cpu.cpp (g++ -O3 -march=native -fopenmp -ffast-math) and ours are run by turns on
the same arrays with as many threads, medians are compared; every result is held against
float64 and must have the same bits in all runs. `limit` is the fraction of the limit of
the same rounds, `g++` the peer's time over ours: 1 is as fast, more is faster.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import glob
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import arrt
from cpu_works import HERE, apart, reference, slabs, works

import numpy as np

F32 = np.float32
FLAGS = ["-O3", "-march=native", "-fopenmp", "-ffast-math", "-shared", "-fPIC"]


def view(array):
    """The memory of an array of a CPU context, without a copy."""
    kind = np.dtype(arrt.DTYPES[array.element])
    size = int(np.prod(array.shape)) * kind.itemsize
    memory = (ctypes.c_char * size).from_address(array.pointer)
    return np.frombuffer(memory, kind).reshape(array.shape)


clock = time.perf_counter
memcmp = ctypes.CDLL(None).memcmp
memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def equal_bits(pool, a, b):
    one, other = a.ctypes.data, b.ctypes.data
    return a.nbytes == b.nbytes and not any(pool.map(
        lambda part: memcmp(one + part[0], other + part[0], part[1] - part[0]),
        slabs(a.nbytes, -(-a.nbytes // (1 << 24)))))


def copy_of(pool, a):
    """Made by threads: first touches of memory are slow."""
    result = np.empty_like(a)
    list(pool.map(lambda part: np.copyto(result[slice(*part)], a[slice(*part)]),
                  slabs(len(a), -(-a.nbytes // (1 << 24)))))
    return result


def last_cache():
    """Bytes of the last caches of the processors we may use."""
    sizes = {}
    for folder in glob.glob("/sys/devices/system/cpu/cpu*/cache/index*"):
        with contextlib.suppress(OSError, ValueError):
            read = lambda name: open(os.path.join(folder, name)).read().strip()
            number = int(re.search(r"cpu(\d+)/", folder).group(1))
            if number in os.sched_getaffinity(0) and read("type") != "Instruction":
                size = int(read("size").rstrip("K")) << 10
                sizes[int(read("level")), read("shared_cpu_list")] = size
    last = max((level for level, _ in sizes), default=0)
    return sum(size for (level, _), size in sizes.items() if level == last)


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
        #: Threads for what is not timed.
        self.pool = concurrent.futures.ThreadPoolExecutor(options.threads)
        self.cache = last_cache()
        self.seeds = np.random.SeedSequence(7)

    def prepare(self, selected):
        """Compiles the peers and all workloads, side by side: libraries or errors."""
        path = os.path.join(self.folder, "peers.so")
        peers = self.pool.submit(
            subprocess.run, [self.options.cxx, *FLAGS, os.path.join(HERE, "peers", "cpu.cpp"),
                             "-o", path], check=True)
        libraries = [self.pool.submit(self.build, k, work) for k, work in enumerate(selected)]
        concurrent.futures.wait(libraries)
        peers.result()
        self.peers = ctypes.CDLL(path)
        # Written once: pages that are not would all be the same one.
        size = max(2 * self.cache, 1 << 24) if self.options.cold else 1 << 22
        self.scrub = np.ones(size // 4, F32)
        return libraries

    def evict(self):
        """Before each call: the peers' threads, which sleep while others are timed, have
        just been awake. With --cold, what comes next finds nothing in the caches."""
        sink = np.empty(2, F32)
        self.call("limit_read", [self.scrub.size // 64 * 64], [],
                  [self.scrub.ctypes.data, sink.ctypes.data])()

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
        return arrt.build(self.options.arrc, path, "cpu", self.folder)

    def fill(self, array, work):
        memory = view(array).reshape(-1)
        parts = slabs(memory.size, -(-memory.size // (1 << 22)))

        def piece(bounds, seed):
            part, rng = memory[slice(*bounds)], np.random.Generator(np.random.SFC64(seed))
            if array.element == "i32":
                part[:] = rng.integers(0, 256, part.size, np.uint8)
            elif array.element == "bool":
                part[:] = rng.random(part.size, F32) < .05
            else:
                rng.random(part.size, F32, out=part)
                if work.name.startswith("D2Q9"):
                    part += .5
        list(self.pool.map(piece, parts, self.seeds.spawn(len(parts))))

    def measure(self, work, library):
        lib = arrt.Library(library)
        ctx = lib.context("cpu", self.options.threads)
        entry = lib.entry("f")
        elements = {entry.params[k].name.decode(): arrt.NAMES[entry.params[k].element]
                    for k in range(entry.num_params)}
        inputs = {n: ctx.empty(shape, elements[n]) for n, shape in work.inputs.items()}
        for array in inputs.values():
            self.fill(array, work)
        loop = Loop(ctx, {**inputs, **work.scalars})
        steps = {work.repeat[0]: work.repeat[2]} if work.repeat else {}
        loop(**steps)
        good, error = self.check(work, inputs, loop, steps)
        first = [copy_of(self.pool, v) for v in loop.values()]

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
            self.evict()
            return timed(lambda: start(*n))

        def ours(**more):
            self.evict()
            loop(**more)
            return loop.seconds
        with self.quiet():
            for turn in range(self.options.runs + 1):
                times = {name: each(start) * factor
                         for name, (start, factor) in limits.items()}
                if not work.repeat:
                    if peer:
                        times["g++"] = each(peer)
                    times["arrc"] = ours()
                else:  # what is done once, before and after, does not count
                    what, few, many = work.repeat
                    if peer:
                        times["g++"] = -each(peer, few)
                        times["g++"] = (times["g++"] + each(peer, many)) / (many - few)
                    times["arrc"] = -ours(**{what: few})
                    times["arrc"] = (times["arrc"] + ours(**{what: many})) / (many - few)
                same &= all(equal_bits(self.pool, a, b)
                            for a, b in zip(loop.values(), first))
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
        row = dict(work=work, bytes=read + written, ms=middle["arrc"] * 1e3, limit=limit,
                   rate=(read + written) / middle["arrc"] / 1e9,
                   peer=ratio("g++") if peer else None, error=error, good=good, same=same,
                   fair=fair, spread=(quarters[2] - quarters[0]) / middle["arrc"])
        reached = row["peer"] if work.goal == "peer" else limit
        goal = 1 if work.goal == "peer" else work.goal
        row["verdict"] = "" if goal is None else "yes" if reached >= goal else "no"
        print(f"{work.name}: {row['bytes'] / 2**20:.0f} MiB, {row['ms']:.2f} ms, "
              f"{row['rate']:.1f} GB/s, limit {limit:.2f}, g++ "
              + (f"{row['peer']:.2f}" if peer else "-")
              + f", error {error:.1e}, spread {row['spread']:.2f}"
              + ("" if good else "  WRONG") + ("" if same else "  BITS DIFFER")
              + ("" if fair else "  PEER WRONG") + f"  {row['verdict']}", flush=True)
        return row

    def check(self, work, inputs, loop, steps):
        """Against float64."""
        want = reference(self.pool, work, [view(a) for a in inputs.values()], steps)
        values = loop.values()
        got = (np.concatenate([v.reshape(-1) for v in values]) if work.outputs > 1
               else values[0])
        error = apart(self.pool, got, np.asarray(want).reshape(got.shape))
        return error <= work.tolerance, error

    def check_peer(self, work, first, result):
        """The peer must have computed the same thing. Its sums of 2^27 numbers one after
        the other lose digits, which ours do not."""
        if not work.peer:
            return True
        got, want = view(result), first[0]
        number = work.outputs > 1 or want.size == 1
        if number:
            want = np.concatenate([v.reshape(-1) for v in first])
            got = got.reshape(-1)[:want.size]
        if work.name.startswith("D2Q9"):
            got = np.moveaxis(got.reshape(9, *want.shape[:2]), 0, 2)
        return apart(self.pool, got.reshape(want.shape), want) <= (.1 if number else 2e-3)

    def limits(self, ctx, work, read, written, inputs, result):
        """The ways to move as many bytes: name -> (start, factor of the time)."""
        each = list(inputs.values())
        if work.limit == "read":
            sink = ctx.empty((2,), "f32").pointer
            reads = {name: [self.call(name, [view(x).nbytes // 4 // 64 * 64], [],
                                      [x.pointer, sink]) for x in each]
                     for name in ("limit_read", "limit_read_dealt")}
            return {name: (lambda all=starts: [start() for start in all],
                           (read + written) / read) for name, starts in reads.items()}
        # The rate of a triad, for as many bytes as the work moves.
        if len(each) > 1 and view(each[1]).nbytes >= written:
            n = written // 4 // 64 * 64
            pointers = [each[0].pointer, each[1].pointer, result.pointer]
        else:
            n = written // 8 // 64 * 64
            pointers = [each[0].pointer, each[0].pointer + 4 * n, result.pointer]
        return {name: (self.call(name, [n], [], pointers), (read + written) / (12 * n))
                for name in ("limit_triad", "limit_triad_past", "limit_triad_dealt")}


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
    parser.add_argument("--cold", action="store_true", help="read twice the last cache before "
                        "each call, so that nothing is in it")
    parser.add_argument("--lock", help="a command that holds a lock from its first line of "
                        "output to the end of its input")
    options = parser.parse_args()
    if options.busy:
        global clock
        clock = time.process_time
    groups = re.split("[,+]", options.groups)
    selected = [w for w in works(options.scale) if w.group in groups
                and (not options.only or options.only in w.name)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for work, library in zip(selected, bench.prepare(selected)):
            try:
                rows.append(bench.measure(work, library.result()))
            except arrt.Error as e:  # the others are measured all the same
                print(f"{work.name}: {str(e)[:400]}", flush=True)
                bench.bad += 1
    lines = [f"{machine()}, {options.threads} threads; `bench/cpu.py`, medians of {options.runs} "
             f"rounds, {time.strftime('%Y-%m-%d')}. Last cache {bench.cache / 2**20:.0f} MiB, "
             + ("read out before each call." if options.cold else "left as it is: limits and "
                "loops may find there what is in parentheses."), "",
             "| workload | MiB | ms | GB/s | of the limit | | goal | reached | g++ | error "
             "| spread |", "|---" * 11 + "|"]
    for row in rows:
        work = row["work"]
        goal = {"peer": "g++ 1", None: ""}.get(work.goal, work.goal)
        peer = f"{row['peer']:.2f}" if row["peer"] else ""
        flaws = "".join(text for text, ok in ((" WRONG", row["good"]), (" BITS", row["same"]),
                                              (" PEER", row["fair"])) if not ok)
        size = f"{row['bytes'] / 2**20:.0f}"
        if row["bytes"] < 2 * bench.cache and not options.cold:
            size = f"({size})"
        lines.append(f"| {work.name} | {size} | {row['ms']:.2f} | {row['rate']:.1f} | {row['limit']:.2f} | "
                     f"{work.limit} | {goal} | {row['verdict']} | {peer} | {row['error']:.1e}"
                     f"{flaws} | {row['spread']:.2f} |")
    if options.out:
        with open(options.out, "w") as f:
            f.write("\n".join(lines) + "\n")
    print(f"cpu.py: {len(rows)} measured, {bench.bad} wrong or missing")
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
