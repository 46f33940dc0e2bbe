#!/usr/bin/env python3
"""Random loop nests on a card: how near the limits of the machine they run.

    roof.py --arrc bin/arrc --seed 7406510a [--count 204] [--out STEM] [--compile]
            [--kinds rows,columns] [--numbers 3,17] [--minutes 8]

nests.py draws programs of twelve classes; each is compiled with sizes as symbols, called
on fresh random data, compared with float64 (integers exactly), and timed beside torch,
with --compile beside torch.compile, too. Sets of inputs of 256 MiB in all take turns, so
that no call finds its arrays in a cache.

The floor of a nest is the largest of its compulsory bytes (each input read once, each
result written once) at the rates of reading, writing and copying, and its arithmetic at
the rates of multiply-adds and special functions, all measured in the same run; of products
also the library's time; plus 2.5 us for a launch. rho is the floor over the time.
"""

import concurrent.futures
import json
import os
import statistics
import sys
import tempfile
import time

import torch

import arrt
import nests
from crew import Crew, Failure
from measure import DEVICE, F32, Peers, Roofs, batches, error_of, sync
from run import LAUNCHING, machine, parser_of

#: Bytes of all sets of inputs; seconds of a launch; a call so long is timed once.
ROTATED, LAUNCH, SLOW = 256 << 20, 2.5e-6, 0.05
#: The largest difference over the largest value (of sums: over the largest sum of
#: magnitudes) that rounding explains.
TOLERANCE = {"f16": 2e-3, "f32": 1e-5, "f64": 1e-13}
#: Terms may cancel: larger errors are held against torch's own, in the types of the
#: arrays, which they may be this many times.
BESIDE_TORCH = 4


def random_tensor(shape, type, holder):
    """Fresh numbers in an array of ours: floats in -1 .. 1, integers in 0 .. 4."""
    tensor = torch.as_tensor(holder, device=DEVICE)
    if tensor.dtype.is_floating_point:
        tensor.uniform_(-1, 1)
    else:
        tensor.random_(0, 5)
    return tensor


def wide(tensors):
    return {name: t.double() if t.dtype.is_floating_point else t.to(torch.int64)
            for name, t in tensors.items()}


def reference(nest, tensors):
    """The results in float64 (integers in 64 bits), and what errors refer to."""
    given = wide(tensors)
    # Bytes are computed with as floats.
    given = {name: t.double() if tensors[name].dtype == torch.uint8 else t
             for name, t in given.items()}
    want = nest.torch(given)
    scale = nest.scale(given) if nest.scale else want
    return want, [float(s.abs().max()) for s in scale]


def error_against(nest, got, want, scale):
    """0 or infinity for integers, else the largest difference over the scale."""
    worst = 0.0
    for g, w, s in zip(got, want, scale):
        if g.shape != w.shape:
            return float("inf")
        if nest.integer:
            same = torch.equal(g, w.to(g.dtype))
            worst = max(worst, 0.0 if same else float("inf"))
            continue
        largest = float(w.abs().max()) or 1.0
        worst = max(worst, error_of(g, w) * (largest / max(s, largest) if s else 1.0))
    return worst


def as_tensor(value):
    return (torch.as_tensor(value, device=DEVICE) if isinstance(value, arrt.Array)
            else torch.tensor(value, device=DEVICE))


def timed(start, wait, seconds):
    """Seconds of a call: the median of batches; one call where it is long."""
    start()
    wait()
    begin = time.perf_counter()
    start()
    wait()
    once = time.perf_counter() - begin
    return once if once > SLOW else statistics.median(batches(start, wait, seconds))


class Run:
    """One nest with its arrays on the card."""

    def __init__(self, nest, library, target):
        self.nest = nest
        self.ctx = arrt.Library(library).context(target)
        size = sum(self.bytes_of(s, t) for s, t in nest.inputs.values())
        self.sets, self.tensors = [], []
        for _ in range(max(1, -(-ROTATED // size))):
            held = {name: self.ctx.empty(shape, type)
                    for name, (shape, type) in nest.inputs.items()}
            self.sets.append(held)
            self.tensors.append({name: random_tensor(*nest.inputs[name], held[name])
                                 for name in held})
        self.read = size
        sync()

    @staticmethod
    def bytes_of(shape, type):
        size = nests.BYTES[type]
        for n in shape:
            size *= n
        return size

    def most_error(self, got, error, want, scale):
        """What the error may be."""
        if self.nest.integer:
            return 0.0
        most = TOLERANCE[str(got.dtype).replace("torch.float", "f")
                         if got.dtype.is_floating_point else "f32"]
        if error <= most:
            return most
        own = self.nest.torch(self.tensors[0])
        return max(most, BESIDE_TORCH * error_against(self.nest, own, want, scale))

    def measure(self, roofs, options):
        """A row of the table."""
        nest = self.nest
        want, scale = reference(nest, self.tensors[0])
        results = self.ctx.call("f", self.sets[0])
        got = [as_tensor(v) for v in results.values()]
        error = error_against(nest, got, want, scale)
        written = sum(g.numel() * g.element_size() for g in got)
        most = self.most_error(got[0], error, want, scale)
        type = got[0].dtype if got[0].dtype.is_floating_point else F32
        del want, got
        self.give_back(results)
        taken = []

        def around(start):
            taken.append(timed(start, self.ctx.synchronize, options.seconds))
        self.give_back(self.ctx.call("f", self.sets, around))
        library = self.library_time(options) if nest.kind == "product" else 0
        rate = F32 if type == torch.float16 else type
        floor = LAUNCH + max(roofs.seconds(self.read + written, written, nest.flops / 2
                                           if nest.kind != "product" else nest.flops,
                                           rate, nest.special), library or 0)
        row = {"kind": nest.kind, "number": nest.number, "name": nest.name,
               "text": nest.text, "seconds": taken[0], "floor": floor,
               "rho": floor / taken[0], "error": error, "good": error <= most}
        row["torch"] = self.peer(nest.torch, options)
        if options.compile:
            torch._dynamo.reset()
            compiled = torch.compile(lambda t: nest.torch(t), dynamic=False)
            row["torch.compile"] = self.peer(compiled, options)
        return row

    def library_time(self, options):
        """Seconds of the library's product of operands of these shapes."""
        a, b = self.nest.inputs.values()
        extents = dict(zip(self.nest.product[0], a[0])) | dict(zip(self.nest.product[1], b[0]))
        batch = [extents["l"]] if "l" in extents else []
        type = torch.float64 if a[1] == "f64" else torch.float32
        x = torch.rand(batch + [extents["i"], extents["k"]], dtype=type, device=DEVICE)
        y = torch.rand(batch + [extents["k"], extents["j"]], dtype=type, device=DEVICE)
        return timed(lambda: torch.matmul(x, y), sync, options.seconds / 2)

    def peer(self, function, options):
        """Seconds of a function of torch; nothing where it fails."""
        state = {"turn": 0}

        def start():
            state["out"] = function(self.tensors[state["turn"] % len(self.tensors)])
            state["turn"] += 1
        try:
            return timed(start, sync, options.seconds / 2)
        except Exception as e:
            print(f"{self.nest.name}: torch: {str(e)[:160]}", flush=True)
            return None

    def give_back(self, values):
        for value in values.values():
            if isinstance(value, arrt.Array):
                value.release()

    def close(self):
        self.tensors = []
        for held in self.sets:
            self.give_back(held)
        self.ctx.close()
        torch.cuda.empty_cache()


def build_all(options, drawn, folder):
    """Libraries by the number of their nest; seconds that each took to compile."""
    native = ["--arch=native"] if options.target.startswith("cuda") else []

    def build(nest):
        path = os.path.join(folder, f"nest{nest.number}.arr")
        with open(path, "w") as f:
            f.write(nest.text)
        begin = time.monotonic()
        library = arrt.build(options.arrc, path, options.target, folder, native)
        return library, time.monotonic() - begin
    built, failed = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for nest, future in [(n, pool.submit(build, n)) for n in drawn]:
            try:
                built[nest.number] = future.result()
            except Exception as e:
                failed.append(nest)
                print(f"{nest.name}: {str(e)[:300]}", flush=True)
    # The driver compiles one kernel at a time in a process; the cache then has them.
    with Crew(min(options.jobs, LAUNCHING)) as crew:
        tasks = {n.number: ("builder", "launched", built[n.number][0], options.target,
                            ["f"], n.inputs) for n in drawn if n.number in built}
        for number, answer in crew.run(tasks, 60):
            if isinstance(answer, Failure):
                print(f"nest {number}: {str(answer)[:200]}", flush=True)
    return built, failed


def summary(rows):
    """Lines a class: how many, median, least, and the shares above some rho."""
    lines = ["| class | nests | median rho | least | 0.85 | 0.6 | 0.3 | slower than torch x 1.25 |",
             "|---|---|---|---|---|---|---|---|"]
    for kind in [*nests.CLASSES, "all"]:
        mine = [r for r in rows if kind in (r["kind"], "all")]
        if not mine:
            continue
        rho = sorted(r["rho"] for r in mine)
        behind = sum(bool(r.get(p)) and r["seconds"] > 1.25 * r[p]
                     for r in mine for p in ("torch", "torch.compile"))
        share = lambda bound: sum(x >= bound for x in rho)
        lines.append(f"| {kind} | {len(mine)} | {statistics.median(rho):.2f} | {rho[0]:.3f} | "
                     f"{share(0.85)} | {share(0.6)} | {share(0.3)} | {behind} |")
    return "\n".join(lines)


def table(found):
    rows = found["rows"]
    lines = [f"{found['machine']}; `bench/roof.py --seed {found['seed']}`. Copy "
             f"{found['copy'] / 1e9:.0f} GB/s, read {found['read'] / 1e9:.0f} GB/s.", "",
             summary(rows), "",
             "| nest | ms | floor, ms | rho | torch, ms | torch.compile, ms | error |",
             "|---|---|---|---|---|---|---|"]
    cell = lambda r, p: f"{r[p] * 1e3:.4f}" if r.get(p) else ""
    for r in sorted(rows, key=lambda r: r["rho"]):
        lines.append(f"| {r['name']} | {r['seconds'] * 1e3:.4f} | {r['floor'] * 1e3:.4f} | "
                     f"{r['rho']:.3f} | {cell(r, 'torch')} | {cell(r, 'torch.compile')} | "
                     f"{r['error']:.1e}{'' if r['good'] else ' WRONG'} |")
    return "\n".join(lines) + "\n"


def add_choice(parser, count):
    """The options that say which nests are drawn, `count` if nothing is said."""
    parser.add_argument("--seed", default="0")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--kinds", default=",".join(nests.CLASSES))
    parser.add_argument("--numbers", help="only these nests of the seed")


def chosen_nests(options):
    """The nests that these options ask for."""
    wanted = options.numbers and {int(n) for n in options.numbers.split(",")}
    return [n for n in nests.draw(options.seed, options.count)
            if n.kind in options.kinds.split(",") and (not wanted or n.number in wanted)]


def main():
    parser = parser_of(__doc__, 0.06, "a nest")
    add_choice(parser, 204)
    parser.add_argument("--compile", action="store_true", help="torch.compile, too")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    torch.manual_seed(time.time_ns() & 0x7FFFFFFF)
    torch.backends.cuda.matmul.allow_tf32 = False
    drawn = chosen_nests(options)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        built, failed = build_all(options, drawn, folder)
        roofs = Roofs(Peers(folder, options.peers), 1 << 28, options.seconds)
        rows, missing = [], len(failed)
        for nest in drawn:
            if nest.number not in built:
                continue
            if time.monotonic() > until:
                print(f"no time left: from nest {nest.number} on nothing was measured")
                break
            run = None
            try:
                run = Run(nest, built[nest.number][0], options.target)
                rows.append(run.measure(roofs, options) |
                            {"compile": built[nest.number][1]})
            except Exception as e:
                missing += 1
                print(f"{nest.name}: {type(e).__name__}: {str(e)[:300]}", flush=True)
            finally:
                if run:
                    run.close()
    found = {"machine": machine(), "seed": options.seed, "copy": roofs.copy,
             "read": roofs.read, "rows": rows}
    text = table(found)
    print(text if len(text) < 9000 else text[:9000])
    if options.out:
        with open(options.out + ".json", "w") as f:
            json.dump(found, f, indent=1)
        with open(options.out + ".md", "w") as f:
            f.write(text)
    wrong = sum(not r["good"] for r in rows)
    print(f"roof.py: {len(rows)} measured, {wrong} wrong, {missing} missing")
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
