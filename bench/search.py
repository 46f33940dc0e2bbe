#!/usr/bin/env python3
"""Whether another schedule would be faster than the one that was chosen.

    search.py --arrc bin/arrc [--out STEM] [--only TEXT] [--most 150] [--minutes 6]

For each workload the launches are planned as always; then, one launch at a time, every
version's schedule is written into the text and varied: threads, blocks, unrolling,
vectors, lengths of runs, one to three numbers at a time, up to `--most` in all
(schedules.py). First all are compiled, side by side; what is legal is then called on the
workload's arrays, checked against float64 like any result, and timed, the best three
once more by turns with the chosen one. With `--minutes` half of that time and a bit is for
compiling, by turns, and the workloads share what is left. The table says how many there
are, were compiled, and were timed.

What takes too long (seconds for a call, a minute to compile) is ended; a strategy three
schedules of which are twenty times slower than the chosen one is given up: its other
schedules are as far away.
"""

import concurrent.futures
import math
import os
import random
import statistics
import sys
import tempfile
import time

import arrt
import workloads
from crew import Crew, Failure
from measure import Peers, Roofs, batches, error_of, sync
from run import Case, attempt, machine, parser_of, release, report, values_of
from schedules import Program

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

#: Candidates in one library.
TOGETHER = 4
#: Seconds that a library, a workload's arrays and a call may take.
BUILDING, PREPARING, CALLING = 40, 120, 5
#: A schedule this many times slower than the chosen one says what its strategy is worth,
#: as does one that would take so many seconds by what a part of the arrays takes.
HOPELESS, LONG = 20, 0.25


# What runs in the process that times: a kernel that hangs ends with it.

class Timing:
    """A workload's arrays, and the library that is open."""
    case = ctx = path = held = None


def prepare(options, name, library, roofs):
    """The chosen schedule: (a call's seconds, those of batches, error, the roof's)."""
    if Timing.case:
        close()
        Timing.case.release()
        Timing.case.ctx.close()
    work = workloads.select(workloads.GROUPS, name, options.scale)
    work = next(w for w in work if w.name == name)
    ctx = arrt.Library(library).context(options.target)
    Timing.case = Case(work, ctx)
    once, seconds, error = measure(options, library, work.entry, float("inf"), 20)
    return once, seconds, error, Timing.case.roof(roofs)


def close():
    release(Timing.held or {})
    if Timing.ctx:
        Timing.ctx.close()
    Timing.ctx = Timing.path = Timing.held = None


def open_library(options, path):
    """The arrays of the workload, in a context of a library."""
    close()
    Timing.path = path
    Timing.ctx = arrt.Library(path).context(options.target)
    Timing.held = Timing.case.held_in(Timing.ctx)


def measure(options, path, entry, slow, least):
    """Seconds of one call and of calls in batches, and the error of the result. There are
    no batches where one call takes longer than `slow`."""
    if path != Timing.path:
        open_library(options, path)
    ctx, case, taken = Timing.ctx, Timing.case, []
    case.poison(ctx)

    def around(start):
        once = ctx.time(start, 100 * slow)
        taken[:] = [once] + (batches(start, ctx.synchronize, options.seconds, least)
                             if once < slow else [once])
    try:
        results = ctx.call(entry, Timing.held, around)
        error = error_of(values_of(results, case.want), case.want)
    except Exception:
        try:
            sync()
            ctx.synchronize()
        except Exception:
            os._exit(1)  # the card is lost for this process
        raise
    release(results)
    return taken[0], statistics.median(taken[1:]), error


# What runs in the process that leads.

class Search:
    """One workload: its schedules, what became of them, and their times."""

    def __init__(self, options, work, folder):
        self.options, self.work, self.folder = options, work, folder
        os.makedirs(folder)
        path = os.path.join(folder, "chosen.arr")
        with open(path, "w") as f:
            f.write(work.text)
        arch = ["--arch=native"] if options.target.startswith("cuda") else []
        shapes = {name: value[0] for name, value in work.inputs.items()
                  if isinstance(value, tuple)}
        self.program = Program(options.arrc, options.target, arch, path, work.entry, shapes,
                               folder)
        self.found = self.program.candidates(options.most, random.Random(work.name))
        self.chosen = arrt.build(options.arrc, path, options.target, folder, arch)
        #: (library, candidates in it); {number: about how long a call takes}; {why not: how
        #: many}; how many were tried.
        self.libraries, self.about, self.refused, self.tried = [], {}, {}, 0

    def parts(self):
        """The candidates, as they are compiled."""
        return [self.found[k:k + TOGETHER] for k in range(0, len(self.found), TOGETHER)]

    def reduced(self, shape):
        """A shape large enough for the kernels of the interior, small enough for any
        schedule. Sizes that are equal stay so."""
        most = next(2**k for k in range(22, 0, -1) if all(
            math.prod(min(n, 2**k) for n in value[0]) <= 1 << 22
            for value in self.work.inputs.values() if isinstance(value, tuple)))
        return [min(n, most) for n in shape]

    def task(self, part):
        small = {name: (self.reduced(value[0]), workloads.NAMES[value[1]])
                 if isinstance(value, tuple) else value
                 for name, value in self.work.inputs.items()}
        return ("builder", "build", self.options.arrc, self.options.target, self.folder,
                self.program, part, small)

    def built(self, part, value):
        """Keeps what came of a part; returns what is to be tried again, by itself."""
        if isinstance(value, Failure) and len(part) > 1:
            return [[candidate] for candidate in part]
        self.tried += len(part)
        if isinstance(value, Failure):
            self.refuse(value.text)
            return []
        library, seconds, refused = value
        if seconds:
            self.libraries.append((library, [c for c in part if c.number in seconds]))
        shape = next(v[0] for v in self.work.inputs.values() if isinstance(v, tuple))
        share = math.prod(shape) / math.prod(self.reduced(shape))
        self.about.update({k: share * each for k, each in seconds.items()})
        for message in refused.values():
            self.refuse(message)
        return []

    def refuse(self, why):
        self.refused[why] = self.refused.get(why, 0) + 1

    def run(self, timer, roofs, until):
        """Times what was compiled: a row of the table."""
        options, work, begin = self.options, self.work, time.monotonic()
        first = ("search", "prepare", options, work.name, self.chosen, roofs)
        once, chosen, error, roof = checked(timer.call(first, PREPARING))
        row = {"workload": work.name, "space": self.program.space, "tried": self.tried,
               "legal": sum(len(part) for _, part in self.libraries), "timed": 0,
               "given up": 0, "wrong": 0, "failed": 0, "roof": roof, "error": error,
               "good": error <= work.tolerance, "refused": self.refused}
        times, hopeless, lost = [], {}, False

        def time_of(library, entry, slow, least):
            nonlocal lost
            if lost:
                checked(timer.call(first, PREPARING))
            value = timer.call(("search", "measure", options, library, entry, slow, least),
                               CALLING)
            lost = isinstance(value, Failure) and value.ended
            return value
        # The versions have been numbered by turns.
        for library, part in sorted(self.libraries, key=lambda each: each[1][0].number):
            for candidate in part:
                bad = hopeless.get(candidate.version, 0)
                if bad >= 3 or self.about[candidate.number] > max(LONG, 20 * chosen):
                    row["given up"] += 1
                    hopeless[candidate.version] = bad + 1
                    continue
                if time.monotonic() > until:
                    break
                value = time_of(library, candidate.entry, 1.3 * once, 3)
                if isinstance(value, Failure):
                    row["failed"] += 1
                    hopeless[candidate.version] = bad + 2 * value.ended
                    continue
                row["timed"] += 1
                if value[1] > HOPELESS * chosen:
                    hopeless[candidate.version] = bad + 1
                if value[2] <= work.tolerance:
                    times.append((value[1], library, candidate))
                else:
                    row["wrong"] += 1
        times.sort(key=lambda each: each[0])
        # Of many, the luckiest looks fastest: once more, by turns.
        again = {None: [chosen], **{c.number: [] for _, _, c in times[:3]}}
        for _ in range(2):
            for library, entry, key in ([(self.chosen, work.entry, None)]
                                        + [(l, c.entry, c.number) for _, l, c in times[:3]]):
                value = time_of(library, entry, float("inf"), 20)
                if not isinstance(value, Failure):
                    again[key].append(value[1])
        row["chosen"] = min(again[None])
        row["others"] = sorted((min(again[c.number] or [seconds]), c.schedule)
                               for seconds, _, c in times[:3])
        fastest = row["others"][0] if times else (float("nan"), "")
        print(f"{work.name}: {row['chosen'] * 1e3:.4f} ms, of {len(times)} others the fastest "
              f"{fastest[0] * 1e3:.4f} ms ({row['chosen'] / fastest[0]:.3f}): {fastest[1]} "
              f"[{row['wrong']} wrong, {row['failed']} failed, {row['given up']} given up; "
              f"{time.monotonic() - begin:.1f} s]", flush=True)
        return row


def checked(value):
    if isinstance(value, Failure):
        raise RuntimeError(value.text)
    return value


def compile_all(options, searches, until):
    """Everything by turns, so that each workload has its share where time ends."""
    parts = {(k, s.work.name): (s, part) for s in searches for k, part in enumerate(s.parts())}
    # Products compile longest: what begins last should not be theirs.
    order = sorted(parts, key=lambda key: (key[0], -KERNELS.index(key[1])))
    parts = {key: parts[key] for key in order}
    with Crew(options.jobs) as crew:
        while parts:
            more = {}
            tasks = {key: search.task(part) for key, (search, part) in parts.items()}
            for key, value in crew.run(tasks, BUILDING, until):
                search, part = parts[key]
                for alone in search.built(part, value):
                    more[key[0], key[1], alone[0].number] = search, alone
            parts = more


def table(rows):
    lines = [f"{machine()}; `bench/search.py`: legal schedules beside the chosen one.", "",
             "| workload | chosen, ms | rho | schedules | compiled | legal | timed | fastest, ms "
             "| chosen / fastest | its schedule |", "|---" * 10 + "|"]
    for row in rows:
        flaws = ", ".join(f"{row[what]} {what}" for what in ("given up", "failed", "wrong")
                          if row[what])
        found = "| |"
        if row["others"]:
            fastest, schedule = row["others"][0]
            found = f"{fastest * 1e3:.4f} | {row['chosen'] / fastest:.3f} | `{schedule}`"
        lines.append(f"| {row['workload']} | {row['chosen'] * 1e3:.4f} | "
                     f"{row['roof'] / row['chosen']:.3f} | {row['space']} | {row['tried']} | "
                     f"{row['legal']} | {row['timed']}{f' ({flaws})' if flaws else ''} | "
                     f"{found} |")
    return "\n".join(lines) + "\n"


def main():
    parser = parser_of(__doc__, 0.01, "a schedule")
    parser.add_argument("--most", type=int, default=150, help="schedules of a workload")
    options = parser.parse_args()
    options.arrc = os.path.realpath(options.arrc)
    begin = time.monotonic()
    known = {w.name: w for w in workloads.select(workloads.GROUPS, options.only, options.scale)}
    rows, limit = [], 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARRC_CACHE"] = os.path.join(folder, "cache")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            searches = list(filter(None, pool.map(
                lambda each: attempt(each[1], lambda: Search(
                    options, known[each[1]], os.path.join(folder, str(each[0])))),
                enumerate(name for name in KERNELS if name in known))))
        planned = time.monotonic()
        compile_all(options, searches, begin + 0.55 * limit)
        print(f"{sum(s.tried for s in searches)} schedules compiled, {planned - begin:.1f} s "
              f"planning, {time.monotonic() - planned:.1f} s compiling", flush=True)
        roofs = Roofs(Peers(folder, options.peers), (1 << 28) // options.scale, 0.1)
        with Crew(1) as timer:
            for k, search in enumerate(searches):
                now = time.monotonic()
                row = attempt(search.work.name, lambda: search.run(
                    timer, roofs, now + (begin + limit - now) / (len(searches) - k)))
                rows += [row] if row else []
    report(options.out, rows, table(rows))
    print(f"search.py: {len(rows)} workloads, {sum(r['timed'] for r in rows)} schedules timed, "
          f"{time.monotonic() - begin:.0f} s")
    sys.exit(0 if rows and all(r["good"] for r in rows) else 1)


if __name__ == "__main__":
    main()
