#!/usr/bin/env python3
"""The planner's judge beside a card: what it says schedules of random nests take, and
what they take.

    judge.py --arrc bin/arrc --seed 7406510a [--count 132] [--each 16] [--minutes 8] [--out STEM]

Nests are those of roof.py. `kernel-plan-schedules{prices-at=..}` prints every schedule
that is judged for the sizes of a nest; of these the best are written into the program,
and others drawn from all that are priced at most ten times as much. All are compiled,
called on arrays that take turns (256 MiB in all) and timed one by one. The table says,
for each nest, how much longer the judge's first choice takes than the fastest, and the
rank correlation of prices and times; the file holds every pair.
"""

import concurrent.futures
import json
import os
import random
import statistics
import tempfile
import time

import arrt
from crew import Crew, Failure
from prices import Priced
from roof import ROTATED, Run, add_choice, chosen_nests
from run import LAUNCHING, parser_of

#: Calls of a batch: thousands of schedules have less time than those that are reported.
BATCH = 8


def prepare(options, nest, folder):
    """(program, candidates, their prices) of a nest."""
    path = os.path.join(folder, f"nest{nest.number}.arr")
    with open(path, "w") as f:
        f.write(nest.text)
    mine = os.path.join(folder, str(nest.number))
    os.makedirs(mine, exist_ok=True)
    arch = ["--arch=" + options.arch]
    program = Priced(options.arrc, options.target, arch, path, "f",
                     {k: s for k, (s, _) in nest.inputs.items()}, mine)
    prices = program.prices(options.arrc, os.path.join(mine, "planned.mlir"))
    chosen = program.chosen(prices, options.each, random.Random(nest.number))
    candidates = [program.candidate(k, p[3]) for k, p in enumerate(chosen)]
    return program, candidates, chosen


def build(options, drawn, ready, folder):
    """What builder.build says of the candidates of each nest, by its number."""
    built = {}
    with Crew(min(options.jobs, LAUNCHING)) as crew:
        tasks = {n.number: ("builder", "build", options.arrc, options.target,
                            os.path.join(folder, str(n.number)), *ready[n.number][:2], n.inputs)
                 for n in drawn if n.number in ready and len(ready[n.number][1]) > 3}
        print(f"{len(tasks)} nests of {len(drawn)} are judged", flush=True)
        for number, answer in crew.run(tasks, 120):
            if isinstance(answer, Failure):
                print(f"nest {number}: {str(answer)[:200]}", flush=True)
            elif answer[0]:
                built[number] = answer
    return built


def measure(options, nest, chosen, library, quick, refused):
    """Prices and times of the schedules that were built."""
    for why in sorted(set(refused.values())):
        print(f"nest {nest.number}: {why[:120]}")
    ctx = arrt.Library(library).context(options.target)
    size = sum(Run.bytes_of(s, t) for s, t in nest.inputs.values())
    sets = [{name: ctx.empty(*value) for name, value in nest.inputs.items()}
            for _ in range(max(1, -(-ROTATED // size)))]
    pairs = [{"price": ns, "limit": limit, "features": features, "schedule": schedule,
              "seconds": time_of(ctx, f"c{k}", sets, options.seconds)}
             for k, (ns, limit, features, schedule) in enumerate(chosen) if k in quick]
    for held in sets:
        for array in held.values():
            array.release()
    ctx.close()
    return pairs


def time_of(ctx, entry, sets, slow):
    """Seconds of a call: the median of batches."""
    taken = []

    def around(start):
        once = ctx.time(start)
        count = 1 if once > slow else BATCH
        for _ in range(7):
            begin = time.perf_counter()
            for _ in range(count):
                start()
            ctx.synchronize()
            taken.append((time.perf_counter() - begin) / count)
    results = ctx.call(entry, sets, around)
    for value in results.values():
        if isinstance(value, arrt.Array):
            value.release()
    return statistics.median(taken)


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0] * len(values)
    for rank, k in enumerate(order):
        found[k] = rank
    return found


def summary(rows):
    """What the judge is worth: its first choice, its order, its times."""
    losses, correlations, ratios = [], [], []
    for row in rows:
        pairs = row["pairs"]
        if len(pairs) < 4:
            continue
        fastest = min(p["seconds"] for p in pairs)
        losses.append(pairs[0]["seconds"] / fastest)
        ratios.append(pairs[0]["price"] * 1e-9 / pairs[0]["seconds"])
        a, b = ranks([p["price"] for p in pairs]), ranks([p["seconds"] for p in pairs])
        if len(set(a)) > 1 and len(set(b)) > 1:
            correlations.append(statistics.correlation(a, b))
    if not losses:
        return "nothing was timed"
    share = lambda values, holds: sum(map(holds, values)) / len(values)
    return (f"{len(losses)} nests, {sum(len(r['pairs']) for r in rows)} pairs. The first choice "
            f"takes {statistics.median(losses):.2f} of the fastest in the median, at most 1.1 in "
            f"{share(losses, lambda x: x <= 1.1):.0%}, 1.5 in "
            f"{share(losses, lambda x: x <= 1.5):.0%}; rank correlation "
            f"{statistics.median(correlations):.2f} in the median; price over time within "
            f"0.75 and 1.33 in {share(ratios, lambda x: 0.75 <= x <= 1.33):.0%}")


def main():
    parser = parser_of(__doc__, 0.05, "a schedule")
    add_choice(parser, 132)
    parser.add_argument("--each", type=int, default=16, help="schedules of a nest")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    drawn = chosen_nests(options)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        ready = {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            futures = {n.number: pool.submit(prepare, options, n, folder) for n in drawn}
            for number, future in futures.items():
                try:
                    ready[number] = future.result()
                except Exception as e:
                    print(f"nest {number}: {str(e)[:200]}", flush=True)
        built = build(options, drawn, ready, folder)
        for nest in drawn:
            if nest.number not in built:
                continue
            if time.monotonic() > until:
                print(f"no time left: from nest {nest.number} on nothing was measured")
                break
            rows.append({"kind": nest.kind, "number": nest.number, "name": nest.name,
                         "text": nest.text,
                         "pairs": measure(options, nest, ready[nest.number][2],
                                          *built[nest.number])})
    print(summary(rows))
    if options.out:
        with open(options.out + ".json", "w") as f:
            json.dump({"seed": options.seed, "rows": rows}, f, indent=1)


if __name__ == "__main__":
    main()
