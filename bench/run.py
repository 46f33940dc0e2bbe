#!/usr/bin/env python3
"""Programs on a card beside what one would use instead, in one run.

    run.py --arrc bin/arrc [--out STEM] [--groups stream,folds,axes,..] [--only TEXT]
           [--seconds 0.15] [--minutes 5] [--peers libpeers.so] [--compile] [--jax]
           [--ablate]

Inputs are fresh random numbers, outputs are poisoned, every result is compared with
float64. Peers are torch, hand-written CUDA and CUB (peers/peers.cu), and on request
torch.compile and JAX. Writes STEM.json, STEM.md (a table) and, where there is
matplotlib, STEM.svg (plot.py makes it from STEM.json elsewhere).

`rho` is the roof's time over ours, `ratio` the best peer's time over ours; a roof is
the larger of bytes over bandwidth and operations over rate (measure.py). With --ablate
each optimization is left out in turn instead: the table holds the time without it over
the time with it.
"""

import argparse
import concurrent.futures
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import torch

import arrt
import plot
import workload
import workloads
from crew import Crew, Failure
from measure import DEVICE, F64, GPU, Peers, Roofs, batches, error_of, in_batches, sync

#: What the columns of `--without` are called; others have the names of their passes.
WITHOUT = {"arr-hoist-invariants": "invariant code motion",
           "arr-flatten-branches": "branches to selects",
           "arr-fuse-producers": "producers fused", "arr-fuse-slices": "slices fused",
           "arr-split-scans": "scans split", "arr-transpose-reductions": "reductions turned",
           "arr-choose-layouts": "layouts", "kernel-fuse-launches": "launches fused",
           "kernel-merge-loops": "loops merged", "kernel-contract-locals": "locals contracted",
           "kernel-permute-results": "results permuted",
           "kernel-plan-destinations": "destinations",
           "kernel-merge-dims": "dimensions merged", "kernel-stage-operands": "tiles staged",
           "kernel-split-boundary": "interior apart", "kernel-pack-fields": "fields packed",
           "gpu-overlap-launches": "launches overlapped",
           "cpu-prefetch-streams": "lines ahead (CPU)"}
#: Devices that have less.
FACTS = {"wide accesses": ["--fact=vector_bytes=1"], "shared memory": ["--fact=shared_bytes=0"],
         "shuffles": ["--fact=subgroup=0"], "last block": ["--fact=ordered_blocks=0"]}


#: Processes that launch at the same time: each has the arrays of a workload.
LAUNCHING = 8


def release(values):
    """Gives back the arrays among the values of a dictionary."""
    for value in values.values():
        if isinstance(value, arrt.Array):
            value.release()


class Case:
    """A workload with its arrays on the card."""

    def __init__(self, work, ctx):
        self.work, self.ctx, self.held, self.tensors, self.numbers = work, ctx, {}, [], []
        for name, value in work.inputs.items():
            if not isinstance(value, tuple):
                self.held[name] = value
                self.numbers.append(value)
                continue
            shape, type, *draw = value
            if GPU:
                self.held[name] = ctx.empty(shape, workload.NAMES[type])
                tensor = torch.as_tensor(self.held[name], device=DEVICE)
            else:
                tensor = torch.empty(shape, dtype=type)
            if draw:
                draw[0](tensor, self.tensors)
            elif type.is_floating_point:
                tensor.uniform_(*work.between)
            else:
                tensor.random_(torch.iinfo(type).min, torch.iinfo(type).max)
            if not GPU:
                self.held[name] = ctx.array(tensor.numpy())
            self.tensors.append(tensor)
        sync()
        self.want = work.wide(*self.tensors)
        sync()
        # A reference in float64 stands for the type of the inputs.
        self.type = next((t.dtype for t in self.tensors if t.is_floating_point()),
                         self.want.dtype) if self.want.is_floating_point() else self.want.dtype
        self.written = self.want.numel() * self.type.itemsize
        self.bytes = self.written + sum(t.numel() * t.element_size() for t in self.tensors)
        if work.moved:
            self.bytes, self.written = sum(work.moved), work.moved[1]

    def roof(self, roofs):
        return roofs.seconds(self.bytes, self.written, self.work.flops, self.type,
                             self.work.special)

    def hand(self, peers, letters, name, out):
        """A call of peers.cu."""
        if callable(letters):
            return letters(peers, self, out)
        shape, numbers = self.tensors[0].shape, iter(self.numbers)
        pick = {"a": lambda: self.tensors[0], "b": lambda: self.tensors[1],
                "c": lambda: self.tensors[2], "o": lambda: out[0] if "p" in letters else out,
                "p": lambda: out[1], "x": lambda: next(numbers), "1": lambda: 1,
                "0": lambda: 0, "N": lambda: self.tensors[0].numel(),
                "R": lambda: shape[0], "C": lambda: shape[1], "I": lambda: shape[0],
                "J": lambda: shape[1], "K": lambda: shape[2], "L": lambda: shape[3],
                "B": lambda: self.want.numel()}
        return peers(name, *[pick[letter]() for letter in letters])

    def held_in(self, ctx):
        """What an export is given, in another context: copies."""
        found = {}
        for name, value in self.held.items():
            found[name] = value
            if isinstance(value, arrt.Array) and GPU:
                found[name] = ctx.empty(value.shape, value.element)
                torch.as_tensor(found[name], device=DEVICE).copy_(
                    torch.as_tensor(value, device=DEVICE))
            elif isinstance(value, arrt.Array):
                found[name] = ctx.array(value.numpy())
        sync()
        return found

    def poison(self, ctx):
        """What a result is not written to will be NaN, or 85: the pool of a context hands out
        the block that was given back last."""
        if not self.want.dim():
            return
        bad = float("nan") if self.type.is_floating_point else 85
        if GPU:
            block = ctx.empty(tuple(self.want.shape), workload.NAMES[self.type])
            torch.as_tensor(block, device=DEVICE).fill_(bad)
            sync()
        else:
            block = ctx.array(torch.full(self.want.shape, bad, dtype=self.type).numpy())
        block.release()

    def release(self):
        release(self.held)
        self.tensors, self.want = [], None
        if GPU:
            torch.cuda.empty_cache()


def row_of(work, peer, times, error, tolerance, roof):
    times = [t / work.steps for t in times]
    median = statistics.median(times)
    row = {"group": work.group, "workload": work.name, "by": peer, "seconds": median,
           "least": min(times), "most": max(times), "batches": len(times), "error": error,
           "good": error <= tolerance, "roof": roof, "goals": work.goals}
    print(f"{work.name}, {peer}: {median * 1e3:.4f} ms{' a step' if work.steps > 1 else ''}, rho {roof / median:.3f}, error "
          f"{error:.1e}" + ("" if row["good"] else "  WRONG"), flush=True)
    return row


def values_of(results, like):
    """The results of an export as one tensor."""
    parts = []
    for value in results.values():
        if isinstance(value, arrt.Array):
            parts.append(torch.as_tensor(value, device=DEVICE) if GPU
                         else torch.from_numpy(value.numpy()))
        else:
            parts.append(torch.tensor(float(value), device=like.device, dtype=F64))
    return parts[0] if len(parts) == 1 else torch.stack(parts)


def measure_ours(options, case, ctx, held, by, roof):
    """Times an export; the arrays of its results are given back."""
    work = case.work
    case.poison(ctx)
    taken, results = in_batches(ctx, work.entry, held, options.seconds)
    error = error_of(values_of(results, case.want), case.want)
    release(results)
    return row_of(work, by, taken, error, work.tolerance, roof)


def measure_peers(options, case, peers, roof):
    """Rows of all peers of a workload; what fails says so and is left out."""
    work, rows, out = case.work, [], [None]
    loose = max(work.tolerance, 1e-4)

    def measure(by, start, result, wait=sync):
        try:
            start()
            wait()
            error = error_of(result(), case.want)
            times = batches(start, wait, options.seconds)
            rows.append(row_of(work, by, times, max(error, error_of(result(), case.want)),
                               loose, roof))
        except Exception as e:
            print(f"{work.name}, {by}: {type(e).__name__}: {str(e)[:300]}", flush=True)
        out[0] = None

    def keep(function, *args):
        def start():
            out[0] = function(*args)
        return start

    for function in work.torches:
        measure("torch", keep(function, *case.tensors), lambda: out[0])
        if options.compile:
            torch._dynamo.reset()
            measure("torch.compile", keep(torch.compile(function, dynamic=False),
                                          *case.tensors), lambda: out[0])
    if options.jax:
        import jax
        import jax.numpy as jnp
        for function in work.jaxes:
            args = [jax.dlpack.from_dlpack(t) for t in case.tensors]
            compiled = jax.jit(lambda *a, f=function: f(jnp, *a))
            measure("jax.jit", keep(compiled, *args), lambda: torch.from_dlpack(out[0]),
                    lambda: jax.block_until_ready(out[0]))
            del args
    for name, letters in work.hands:
        if peers.dll:
            bad = float("nan") if case.type.is_floating_point else 85
            target = torch.full(case.want.shape if case.want.dim() else (1,), bad,
                                dtype=case.type, device=DEVICE)
            measure(name, case.hand(peers, letters, name, target), lambda: target)
    return rows


def builds(options, selected, folder, pool, flags=(), link=True):
    """Futures of the libraries, or objects, of the workloads, compiled side by side;
    programs that are the same are compiled once."""
    known = {}
    outputs = os.path.join(folder, "".join(flags).replace("=", "-") or "whole")
    os.makedirs(outputs)

    def build(k, text):
        # One file for all sets of flags: its name is part of the code.
        path = os.path.join(folder, f"w{k}.arr")
        if not os.path.exists(path):
            with open(path, "w") as f:
                f.write(text)
        native = ["--arch=native"] if options.target.startswith("cuda") else []
        return (arrt.build if link else arrt.compile)(
            options.arrc, path, options.target, outputs, [*native, *flags])
    for work in selected:
        if work.text not in known:
            known[work.text] = pool.submit(build, len(known), work.text)
    return [known[work.text] for work in selected]


def launch_all(options, wanted):
    """Launches libraries once, side by side: (work, library). The driver compiles one
    kernel at a time in a process; afterwards the runtime's cache has them."""
    with Crew(min(options.jobs, LAUNCHING)) as crew:
        tasks = {}
        for work, library in wanted:
            inputs = {name: (value[0], workload.NAMES[value[1]]) if isinstance(value, tuple)
                      else value for name, value in work.inputs.items()}
            tasks[work.name, library] = ("builder", "launched", library, options.target,
                                          [work.entry], inputs)
        for (name, _), value in crew.run(tasks, 60):
            if isinstance(value, Failure):  # who measures it will say the same
                print(f"{name}: {str(value)[:200]}", flush=True)


def attempt(what, function):
    """The value of `function`; None, with a word about it, where it fails."""
    try:
        return function()
    except Exception as e:  # the others are measured all the same
        print(f"{what}: {type(e).__name__}: {str(e)[:400]}", flush=True)
        return None


def run(options, selected, folder, pool):
    """Rows of all workloads, ours and the peers', and what failed."""
    pending = builds(options, selected, folder, pool)
    # A host that is busy starts calls late.
    concurrent.futures.wait(pending)
    # Where inputs are drawn, others may be outside of what a program accepts.
    launch_all(options, [(w, f.result()) for w, f in zip(selected, pending)
                         if not f.exception() and not w.drawn])
    peers = Peers(folder, options.peers)
    roofs = Roofs(peers, (1 << 28) // options.scale, options.seconds)
    rows, failed = [], 0
    for work, built in zip(selected, pending):
        if time.monotonic() > options.until:
            break

        def one():
            ctx = arrt.Library(built.result()).context(options.target)
            case = Case(work, ctx)
            roof = case.roof(roofs)
            rows.append(measure_ours(options, case, ctx, case.held, "arrc", roof))
            rows.extend(measure_peers(options, case, peers, roof))
            case.release()
            ctx.close()
            return True
        failed += attempt(work.name, one) is None
    return {"roofs": {"copy": roofs.copy, "read": roofs.read,
                      "f32": roofs.fma[torch.float32], "f64": roofs.fma[F64]},
            "machine": machine(), "rows": rows}, failed


def ablations(options, folder):
    """What is left out, by the flags that do it: all that arrc knows."""
    path = os.path.join(folder, "empty.arr")
    with open(path, "w") as f:
        f.write("export def f() -> int = 1\n")
    said = subprocess.run([options.arrc, "build", "--without=?", "--emit=array", path],
                          capture_output=True, text=True).stderr
    passes = re.search(r"these are: (.*)", said).group(1).split(", ")
    return {**{WITHOUT.get(name, name): [f"--without={name}"] for name in passes}, **FACTS}


def ablate(options, selected, folder, pool):
    """Times without each optimization, as `by` of the rows, where the code differs. What
    is the same code is linked and timed once."""
    sets = {"arrc": (), **ablations(options, folder)}
    pending = {"arrc": builds(options, selected, folder, pool, link=False)}
    concurrent.futures.wait(pending["arrc"])  # the files of the programs are there
    for name, flags in sets.items():
        if flags:
            pending[name] = builds(options, selected, folder, pool, flags, link=False)
    codes, failed = [], 0
    for k, work in enumerate(selected):
        same = {}
        for name in sets:
            path = attempt(f"{work.name} without {name}", pending[name][k].result)
            failed += not path
            if path:
                with open(path, "rb") as f:
                    same.setdefault(f.read(), []).append((name, path))
        codes.append(list(same.values()))
    links = {}
    for work, different in zip(selected, codes):
        for (_, path), *_ in different:
            if path not in links:
                links[path] = pool.submit(arrt.link, options.arrc, path)
    concurrent.futures.wait(links.values())
    launch_all(options, [(work, links[each[0][1]].result())
                         for work, different in zip(selected, codes) for each in different])
    roofs = Roofs(Peers(folder, options.peers), (1 << 28) // options.scale, options.seconds)
    rows = []
    for work, different in zip(selected, codes):
        if time.monotonic() > options.until:
            break
        case = None
        for (first, path), *others in different:
            def one():
                nonlocal case
                ctx = arrt.Library(links[path].result()).context(options.target)
                case = case or Case(work, ctx)
                held = case.held if case.ctx is ctx else case.held_in(ctx)
                row = measure_ours(options, case, ctx, held, first, case.roof(roofs))
                # What has the code of the whole says nothing.
                rows.extend([row] if first == "arrc" else
                            [{**row, "by": name} for name, _ in [(first, path), *others]])
                if case.ctx is not ctx:
                    release(held)
                    ctx.close()
                return True
            failed += attempt(f"{work.name} without {first}", one) is None
        if case:
            case.release()
            case.ctx.close()
    return {"machine": machine(), "sets": list(sets)[1:], "rows": rows}, failed


def machine():
    name = torch.cuda.get_device_name(0) if GPU else "no card"
    return f"{name}; torch {torch.__version__}; {time.strftime('%Y-%m-%d')}"


def table(found):
    """A line a workload: ours, the roof, the best peer, the goals."""
    roofs = found["roofs"]
    lines = [f"{found['machine']}; `bench/run.py`. Copy {roofs['copy'] / 1e9:.0f} GB/s, read "
             f"{roofs['read'] / 1e9:.0f} GB/s.", "",
             "| workload | arrc, ms | rho | best peer, ms | | ratio | goal | error |",
             "|---|---|---|---|---|---|---|---|"]
    for ours in (r for r in found["rows"] if r["by"] == "arrc"):
        others = [r for r in found["rows"] if r["workload"] == ours["workload"]
                  and r["by"] != "arrc" and r["good"]]
        best = min(others, key=lambda r: r["seconds"], default=None)
        rho = ours["roof"] / ours["seconds"]
        ratio = best["seconds"] / ours["seconds"] if best else None
        goals = ", ".join(f"{name} {bound:.4g}" for name, bound in ours["goals"].items())
        reached = {workload.RHO: lambda least: rho >= least,
                   workload.BEST: lambda least: (ratio or 1) >= least,
                   workload.MOST: lambda most: ours["seconds"] * 1e3 <= most}
        missed = not all(reached[name](bound) for name, bound in ours["goals"].items())
        lines.append(
            f"| {ours['workload']} | {ours['seconds'] * 1e3:.4f} | {rho:.3f} | "
            + (f"{best['seconds'] * 1e3:.4f} | {best['by']} | {ratio:.3f} | " if best
               else "| | | ")
            + (f"{goals}{': missed' if missed else ''} | ")
            + f"{ours['error']:.1e}{'' if ours['good'] else ' WRONG'} |")
    return "\n".join(lines) + "\n"


def ablation_table(found):
    """Time without an optimization over the time with all, by workload."""
    with_all = {r["workload"]: r["seconds"] for r in found["rows"] if r["by"] == "arrc"}
    names = found["sets"]
    lines = [f"{found['machine']}; `bench/run.py --ablate`: the time without an "
             "optimization over the time with all; nothing where the code is the same.", "",
             "| workload | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    most = dict.fromkeys(names, 0.0)
    for title, base in with_all.items():
        cells = []
        for name in names:
            row = next((r for r in found["rows"]
                        if r["workload"] == title and r["by"] == name), None)
            if not row:
                cells.append("")
                continue
            ratio = row["seconds"] / base
            most[name] = max(most[name], ratio)
            cells.append(f"{ratio:.2f}" + ("" if row["good"] else " WRONG"))
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    lines.append("| most | " + " | ".join(f"{most[n]:.2f}" if most[n] else "" for n in names) + " |")
    return "\n".join(lines) + "\n"


def parser_of(doc, seconds, timed):
    """The options that run.py and search.py share."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--out", help="the files' name without its ending")
    parser.add_argument("--only", default="", help="a part of a workload's name, or several: a|b")
    parser.add_argument("--seconds", type=float, default=seconds, help=f"of timing {timed}")
    parser.add_argument("--peers", help="the library of peers/peers.cu, built before")
    parser.add_argument("--scale", type=int, default=1, help="divides the sizes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=float("inf"),
                        help="for everything: what was not measured then is left out")
    return parser


def report(out, found, text):
    """Prints the table; both as files if they have a name."""
    print(text)
    if out:
        with open(out + ".json", "w") as f:
            json.dump(found, f, indent=1)
        with open(out + ".md", "w") as f:
            f.write(text)


def main():
    parser = parser_of(__doc__, 0.15, "a row")
    parser.add_argument("--groups", default=",".join(g for g in workloads.GROUPS
                                                     if g not in ("types", "odd", "irregular", "steps")))
    parser.add_argument("--compile", action="store_true", help="torch.compile, too")
    parser.add_argument("--jax", action="store_true", help="JAX, too")
    parser.add_argument("--ablate", action="store_true")
    options = parser.parse_args()
    options.until = time.monotonic() + 60 * options.minutes
    if options.jax and not importlib.util.find_spec("jax"):
        print("no JAX here: without it")
        options.jax = False
    torch.manual_seed(time.time_ns() & 0x7FFFFFFF)
    selected = workloads.select(options.groups.split(","), options.only, options.scale)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        found, failed = (ablate if options.ablate else run)(options, selected, folder, pool)
    report(options.out, found, (ablation_table if options.ablate else table)(found))
    if options.out and not options.ablate:
        plot.draw(found, options.out + ".svg")
    wrong = sum(not r["good"] for r in found["rows"])
    print(f"run.py: {len(found['rows'])} measured, {wrong} wrong, {failed} missing")
    sys.exit(1 if wrong or failed else 0)


if __name__ == "__main__":
    main()
