#!/usr/bin/env python3
"""Whether another schedule would be faster than the one that was chosen.

    search.py --arrc bin/arrc [--out STEM] [--only TEXT] [--most 150] [--seconds 0.02]

For each workload the launches are planned as always; then, one launch at a time, every
version's schedule is written into the text and varied: threads, blocks, unrolling,
vectors, lengths of runs, one and two numbers at a time, up to `--most` in all. What is
legal is compiled, checked against float64 like any result, and timed. The table holds
the chosen time, the fastest other one and its schedule.
"""

import concurrent.futures
import itertools
import multiprocessing
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import torch

import arrt
import workloads
from measure import DEVICE, GPU, Peers, Roofs, batches, error_of, sync
from run import Case, attempt, machine, parser_of, report, values_of

#: Workloads of every kind.
KERNELS = ["saxpy 2^28", "chain of 20, 2^26", "Black-Scholes @fast, 2^26", "sum 2^28",
           "dot 2^28", "mean and variance 2^28", "sum (16384, 16384) axis 1",
           "sum (16384, 16384) axis 0", "sum (1048576, 64) axis 1", "sum (8388608, 8) axis 0",
           "sum (67108864, 3) axis 0", "sum (64, 1048576) axis 0",
           "sum (64,128,128,64) axis (1, 3)", "softmax (16384, 16384)",
           "softmax (1048576, 64)", "scan 2^28", "scan of rows (2^14,2^14)",
           "scan of columns (2^14,2^14)", "map over (10^6,2,2,2)",
           "a[j,i] + b[i,j], 2^14 x 2^14", "matrix product f32 4096",
           "five-axis product, three at once, f64, 75"]

DIGIT = re.compile(r"(thread\.[xyz]|block\.\d+|unroll|vector|seq) (\d+)")


def bodies(text):
    """The schedules inside `schedule <..>` or `versions [<..>, ..]`."""
    found, depth, begin = [], 0, 0
    for k, letter in enumerate(text):
        if letter == "<":
            depth += 1
            begin = k + 1 if depth == 1 else begin
        elif letter == ">" and text[k - 1] != "-":
            depth -= 1
            if depth == 0:
                found.append(re.sub(r"^when = #\w+, ", "", text[begin:k]))
    return found


def other_numbers(kind, number):
    if kind.startswith("thread"):
        return [n for n in (number // 4, number // 2, number * 2, number * 4) if 1 <= n <= 1024]
    if kind == "vector":
        return [n for n in (1, 2, 4, 8) if n != number]
    if kind == "unroll":
        return [n for n in (1, 2, 4, 8, 16) if n != number]
    return [n for n in (number // 4, number // 2, number * 2, number * 4) if n >= 1]


def variants(schedule, rng):
    """The schedule itself, then with one number changed, then with two."""
    digits = list(DIGIT.finditer(schedule))
    changes = [(m, n) for m in digits for n in other_numbers(m.group(1), int(m.group(2)))]

    def change(pairs):
        text = schedule
        for match, number in sorted(pairs, key=lambda p: -p[0].start(2)):
            text = text[:match.start(2)] + str(number) + text[match.end(2):]
        return text
    yield schedule
    for one in changes:
        yield change([one])
    pairs = [p for p in itertools.combinations(changes, 2) if p[0][0] is not p[1][0]]
    rng.shuffle(pairs)
    for pair in pairs:
        yield change(pair)


PLACE = re.compile(r" (schedule #kernel\.schedule<|versions \[)")


def places(text):
    """Where launches have their schedules: (start, end, [schedule..])."""
    found = []
    for match in PLACE.finditer(text):
        closing, opening, depth = {"<": ">", "[": "]"}, match.group(0)[-1], 0
        k = match.end() - 1
        while True:
            if text[k] in "<[":
                depth += 1
            elif text[k] == "]" or (text[k] == ">" and text[k - 1] != "-"):
                depth -= 1
                if not depth:
                    break
            k += 1
        assert text[k] == closing[opening]
        end = k + 1
        sizes = re.match(r" of \([^)]*\)", text[end:])
        found.append((match.start(), end + (sizes.end() if sizes else 0),
                      bodies(text[match.end() - 1 if opening == "<" else match.end():
                                  end if opening == "<" else k])))
    return found


def candidates(options, work, folder):
    """Texts of the program with other schedules: (schedule, text)."""
    rng = random.Random(work.name)
    source = os.path.join(folder, "program.arr")
    with open(source, "w") as f:
        f.write(work.text)
    arch = ["--arch=native"] if options.target.startswith("cuda") and GPU else []
    buffers = source + ".mlir"
    subprocess.run([options.arrc, "build", f"--target={options.target}", *arch, source,
                    "--emit=buffers", "-o", buffers], check=True, capture_output=True)
    tool = os.path.join(os.path.dirname(options.arrc), "arr-opt")
    text = subprocess.run(
        [tool, "--mlir-print-debuginfo", buffers, "--pass-pipeline=builtin.module(func.func("
         "kernel-form-copies,kernel-merge-dims,kernel-privatize-updates,kernel-plan-schedules))"],
        check=True, capture_output=True, text=True).stdout
    # Other exports of the file are left as they are.
    begin = text.index(f"func.func @{work.entry}(")
    end = text.find("func.func @", begin + 1)
    lists = []
    for start, stop, schedules in places(text):
        if start < begin or 0 <= end < start:
            continue
        for schedule in schedules:
            lists.append([(s, f"{text[:start]} schedule #kernel.schedule<{s}>{text[stop:]}")
                          for s in itertools.islice(variants(schedule, rng), options.most)])
    # By turns: every strategy gets its share.
    merged = [c for group in itertools.zip_longest(*lists) for c in group if c]
    return list(dict(merged).items())[:options.most]


def make(arrc, target, folder, number, text, entry, held):
    """The library of a text, and its kernels in the runtime's cache, by a call with small
    arrays: `held` has numbers and, for arrays, (shape, type). None if the schedule is
    refused or fails. Runs in a process of its own: the driver compiles one at a time."""
    path = os.path.join(folder, f"s{number}.mlir")
    with open(path, "w") as f:
        f.write(text)
    try:
        library = arrt.build(arrc, path, target, folder)
        ctx = arrt.Library(library).context(target)
        values = {name: ctx.empty(*value) if isinstance(value, tuple) else value
                  for name, value in held.items()}
        ctx.call(entry, values)
        ctx.close()
        return library
    except arrt.Error:
        return None


def time_of(options, case, ctx, least, slow=float("inf")):
    """Seconds of a call in a context and the error of its result; closes it. A call that
    takes `slow` seconds is not repeated."""
    held = {}
    for name, value in case.held.items():
        held[name] = value
        if isinstance(value, arrt.Array):
            held[name] = ctx.empty(value.shape, value.element)
            if GPU:
                torch.as_tensor(held[name], device=DEVICE).copy_(
                    torch.as_tensor(value, device=DEVICE))
            else:
                held[name].release()
                held[name] = ctx.array(value.numpy())
    sync()
    taken = []

    def around(start):
        for _ in range(2):
            begin = time.perf_counter()
            start()
            ctx.synchronize()
        taken.append(time.perf_counter() - begin)
        if taken[0] < slow:
            taken[:] = batches(start, ctx.synchronize, options.seconds, least)
    results = ctx.call(case.work.entry, held, around)
    error = error_of(values_of(results, case.want), case.want)
    for value in (*held.values(), *results.values()):
        if isinstance(value, arrt.Array):
            value.release()
    ctx.close()
    return statistics.median(taken), error


class Search:
    """One workload: its schedules are compiled side by side, then timed one by one."""

    def __init__(self, options, work, folder, pool):
        self.options, self.work = options, work
        os.makedirs(folder)
        path = os.path.join(folder, "chosen.arr")
        with open(path, "w") as f:
            f.write(work.text)
        arch = ["--arch=native"] if options.target.startswith("cuda") else []
        self.library = arrt.build(options.arrc, path, options.target, folder, arch)
        self.found = candidates(options, work, folder)
        small = {name: ([min(n, 96) for n in value[0]], workloads.NAMES[value[1]])
                 if isinstance(value, tuple) else value for name, value in work.inputs.items()}
        self.pending = [pool.submit(make, options.arrc, options.target, folder, k, text,
                                    work.entry, small)
                        for k, (_, text) in enumerate(self.found)]

    def run(self, roofs):
        """The chosen time and the fastest others."""
        options, work = self.options, self.work
        # All are compiled before one is timed: their small calls disturb it.
        begin = time.perf_counter()
        libraries = [attempt(work.name, future.result) for future in self.pending]
        waited = time.perf_counter() - begin
        ctx = arrt.Library(self.library).context(options.target)
        case = Case(work, ctx)
        chosen, error = time_of(
            options, case, arrt.Library(self.library).context(options.target), 20)
        legal, others = 0, []
        for (schedule, _), library in zip(self.found, libraries):
            measured = library and attempt(
                f"{work.name}, {schedule}", lambda: time_of(
                    options, case, arrt.Library(library).context(options.target), 3,
                    3 * chosen + 1e-4))
            # A version may be wrong where its condition does not hold.
            if measured and measured[1] <= work.tolerance:
                legal += 1
                others.append((measured[0], schedule))
        row = {"workload": work.name, "chosen": chosen, "error": error,
               "good": error <= work.tolerance, "tried": len(self.found), "legal": legal,
               "roof": case.roof(roofs), "others": sorted(others)[:5]}
        case.release()
        ctx.close()
        for library in filter(None, libraries):
            os.remove(library)
        fastest = row["others"][0] if row["others"] else (float("nan"), "")
        print(f"{work.name}: {chosen * 1e3:.4f} ms, of {legal} others the fastest "
              f"{fastest[0] * 1e3:.4f} ms ({chosen / fastest[0]:.3f}): {fastest[1]} "
              f"[{waited:.1f} s compiling, {time.perf_counter() - begin - waited:.1f} s timing]",
              flush=True)
        return row


def table(rows):
    lines = [f"{machine()}; `bench/search.py`: legal schedules beside the chosen one.", "",
             "| workload | chosen, ms | rho | tried | legal | fastest, ms | chosen / fastest "
             "| its schedule |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        fastest, schedule = row["others"][0] if row["others"] else (row["chosen"], "")
        lines.append(f"| {row['workload']} | {row['chosen'] * 1e3:.4f} | "
                     f"{row['roof'] / row['chosen']:.3f} | {row['tried']} | {row['legal']} | "
                     f"{fastest * 1e3:.4f} | {row['chosen'] / fastest:.3f} | `{schedule}` |")
    return "\n".join(lines) + "\n"


def main():
    parser = parser_of(__doc__, 0.02, "a schedule")
    parser.add_argument("--most", type=int, default=150, help="schedules of a workload")
    options = parser.parse_args()
    known = {w.name: w for w in workloads.select(workloads.GROUPS, options.only, options.scale)}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        roofs = Roofs(Peers(folder, options.peers), (1 << 28) // options.scale, 0.1)
        with concurrent.futures.ProcessPoolExecutor(
                options.jobs, multiprocessing.get_context("spawn")) as pool:
            for k, name in enumerate(name for name in KERNELS if name in known):
                row = attempt(name, lambda: Search(
                    options, known[name], os.path.join(folder, str(k)), pool).run(roofs))
                rows += [row] if row else []
    report(options.out, rows, table(rows))
    sys.exit(0 if rows and all(r["good"] for r in rows) else 1)


if __name__ == "__main__":
    main()
