#!/usr/bin/env python3
"""Random programs and loop nests for some minutes on all cores, against the evaluator.

    utils/campaign.py --arrc build/dev/bin/arrc [--emulator build/dev/lib/libarrt_emulated_cuda.so]
                      [--target cuda] [--seed S] [--jobs N] [--minutes M] [--programs N]
                      [--emulated N] [--device N] [--nests N] [--timeout SECONDS] [--logs FOLDER]

Runs, mixed so that a run which is cut short has a share of each,

    cpu             --programs random programs (test/EndToEnd/differential.py), at -O0 and as usual
    emulated        --emulated of them on the emulated card, where races and loads of what was
                    never stored are errors
    device          --device of them on the device of --target
    nests, nests-emulated, nests-device
                    --nests loop nests each (test/EndToEnd/nests.py)

What needs --emulator or --target is left out without it. Prints a line for each
failure as it is found, with the command that repeats it, and one a minute; what
failed in full, and the programs, are in the folder of --logs. It ends when all is
done or the minutes are over, whatever still runs: what was cut is counted apart.
The last line is 'N passed, N failed'; nothing that ran is a failure, too.
Needs Python with NumPy, and nothing of LLVM.
"""

import argparse
import collections
import concurrent.futures
import importlib.util
import os
import resource
import shlex
import shutil
import sys
import tempfile
import threading
import time
import types

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TESTS = os.path.join(ROOT, "test", "EndToEnd")
sys.path.insert(0, TESTS)
import differential  # noqa: E402
from processes import Processes, Stopped  # noqa: E402

CHECKED = {"ARRC_POOL": "off", "ARRC_EMULATOR_CHECK": "races,init"}
# What a program asks for that the machine has not.
LACKS = "neither libdevice"
#: Seconds between the end of the minutes and that of the script.
GRACE = 15


def load_nests():
    """nests.py of the tests, whose name is that of a module of bench, too."""
    spec = importlib.util.spec_from_file_location("random_nests", os.path.join(TESTS, "nests.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Part:
    """Programs of one kind on one target, and what became of them."""

    def __init__(self, name, count, first, target, environment):
        self.name, self.count, self.first, self.target = name, count, first, target
        self.environment = environment
        self.run = self.refused = self.lacking = self.cut = self.late = 0
        self.failed = []

    def said(self):
        text = f"{self.name} {self.run} of {self.count} run, {len(self.failed)} failed"
        for count, what in ((self.late, "of them without an end"), (self.refused, "refused"),
                            (self.lacking, "without libdevice"), (self.cut, "cut")):
            text += f", {count} {what}" if count else ""
        return text


class Campaign:

    def __init__(self, options):
        self.options, self.processes = options, Processes()
        self.lock, self.nests = threading.Lock(), load_nests()
        self.start = time.monotonic()
        emulated = {**CHECKED, "ARRC_CUDA_LIBRARY": os.path.realpath(options.emulator or "")}
        alone = {"ARRC_CACHE": "off"}
        s = options.seed
        parts = [Part("cpu", options.programs, s, None, {}),
                 Part("nests", options.nests, s, "cpu", alone)]
        if options.emulator:
            parts += [Part("emulated", options.emulated, s + 10 ** 6, "cuda", emulated),
                      Part("nests-emulated", options.nests, s + 10 ** 6, "cuda",
                           {**emulated, **alone})]
        if options.target:
            parts += [Part("device", options.device, s + 2 * 10 ** 6, options.target, {}),
                      Part("nests-device", options.nests, s + 2 * 10 ** 6, options.target, alone)]
        self.parts = [part for part in parts if part.count]

    def elapsed(self):
        return time.monotonic() - self.start

    def works(self):
        """(part, number) by turns, so that all parts end together."""
        return sorted(((part, k) for part in self.parts for k in range(part.count)),
                      key=lambda work: (work[1] + .5) / work[0].count)

    def asked(self, part):
        """The options of the script that runs one program."""
        o = self.options
        return types.SimpleNamespace(
            arrc=o.arrc, target=part.target, parts=None, timeout=o.timeout, no_reduce=True,
            may_refuse=part.target not in (None, "cpu"), refused=set(),
            environment=part.environment, processes=self.processes, wrap="")

    def again(self, part, number):
        """The command that repeats a program."""
        words = [f"{k}={shlex.quote(v)}" for k, v in part.environment.items() if k != "ARRC_CACHE"]
        target = f" --target {part.target}" if part.target else ""
        if part.name.startswith("nests"):
            words.append(f"test/EndToEnd/nests.py --arrc {self.options.arrc}{target} "
                         f"--seed {part.first + number} --count 1 --kinds {self.kind(number)}")
        else:
            words.append(f"test/EndToEnd/differential.py --arrc {self.options.arrc} "
                         f"--programs 1 --seed {part.first + number}{target}")
        return " ".join(words)

    def kind(self, number):
        classes = self.nests.nests.CLASSES
        return classes[number % len(classes)]

    def work(self, part, number, top):
        """Runs one program; gives what is wrong with it, or nothing, and its text."""
        asked, seed = self.asked(part), part.first + number
        if not part.name.startswith("nests"):
            program, bad = differential.check(asked, seed, top)
            return bad, program.text(), bool(asked.refused)
        # A folder of its own: the number of the only nest of a seed is always 0.
        with tempfile.TemporaryDirectory(dir=top) as folder:
            nest = next(self.nests.nests.draw(seed, 1, [self.kind(number)], small=True))
            asked.target = part.target
            return self.nests.check(asked, folder, nest), nest.text, False

    def one(self, part, number, top):
        try:
            bad, text, refused = self.work(part, number, top)
        except Stopped:
            with self.lock:
                part.cut += 1
            return
        except Exception as error:  # of the scripts: a failure that must be seen
            bad, text, refused = f"{type(error).__name__}: {error}", "", False
        with self.lock:
            part.run += 1
            part.refused += refused
            if bad and LACKS in bad:
                part.lacking += 1
            elif bad:
                part.late += "no end" in bad.split("\n")[0]
                part.failed.append(part.first + number)
                self.report(part, number, bad, text)

    def report(self, part, number, bad, text):
        stem = os.path.join(self.options.logs, f"{part.name}-{part.first + number}")
        again = self.again(part, number)
        with open(stem + ".txt", "w") as file:
            file.write(f"{bad}\n{again}\n\n{text}")
        with open(stem + ".arr", "w") as file:
            file.write(text)
        # Few in full on the screen: a broken compiler fails in each.
        if len(part.failed) <= self.options.shown:
            lines = [line.strip() for line in bad.split("\n") if line.strip()]
            print(f"FAILED {part.name} {part.first + number}: {' | '.join(lines[:3])[:300]}\n"
                  f"  again: {again}", flush=True)

    def summary(self):
        for part in self.parts:
            seeds = " ".join(map(str, sorted(part.failed)[:60]))
            print(part.said() + (f"; seeds {seeds}" if seeds else ""))
        run, failed = sum(p.run for p in self.parts), sum(len(p.failed) for p in self.parts)
        lacking = sum(p.lacking for p in self.parts)
        print(f"seed {self.options.seed}, {self.options.jobs} jobs, {self.elapsed():.0f} s; "
              f"logs: {self.options.logs}")
        print(f"campaign.py: {run - failed - lacking} passed, {failed} failed", flush=True)
        return 0 if run and not failed else 1

    def watch(self):
        """Ends everything when the time is over, and the script if that hangs."""
        limit, told = 60 * self.options.minutes, 60
        while not self.done.wait(1):
            if self.elapsed() >= limit:
                self.processes.stop()
            if self.elapsed() >= limit + GRACE:
                # No lock: whoever holds it may be what hangs.
                os._exit(self.summary())
            if self.elapsed() >= told and self.elapsed() < limit:
                told += 60
                print(f"{self.elapsed():.0f} s: " + "; ".join(p.said() for p in self.parts),
                      flush=True)

    def run(self):
        self.done = threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as top:
            works, begun = collections.deque(self.works()), []

            def turn():
                # Each worker takes the next until there is none, or no time.
                while works and not self.processes.stopping:
                    try:
                        part, number = works.popleft()
                    except IndexError:
                        return
                    self.one(part, number, top)

            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                begun = [pool.submit(turn) for _ in range(self.options.jobs)]
            for ended in begun:
                ended.result()
        self.done.set()
        return self.summary()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--emulator", help="the emulated card's library")
    parser.add_argument("--target", help="a device, too: cuda, opencl, with :N for the N-th")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--programs", type=int, default=3000)
    parser.add_argument("--emulated", type=int, help="with --emulator; 1000")
    parser.add_argument("--device", type=int, default=300)
    parser.add_argument("--nests", type=int, default=300)
    parser.add_argument("--timeout", type=int, default=60, help="seconds a run")
    parser.add_argument("--memory", type=int, default=8, help="GiB a run, but on a device")
    parser.add_argument("--shown", type=int, default=12, help="failures of a part on the screen")
    parser.add_argument("--logs", help="a folder for what failed (default: a temporary one)")
    options = parser.parse_args()
    if options.emulated and not options.emulator:
        sys.exit("campaign.py: --emulated: no --emulator says where the emulated card is")
    if options.emulated is None:
        options.emulated = 1000
    options.arrc = shutil.which(options.arrc) or options.arrc
    for name, path in (("--arrc", options.arrc), ("--emulator", options.emulator)):
        if path and not os.path.isfile(path):
            sys.exit(f"campaign.py: {name}: there is no file '{path}'")
    options.logs = os.path.realpath(options.logs or tempfile.mkdtemp(prefix="campaign-"))
    os.makedirs(options.logs, exist_ok=True)
    # The evaluator and the host's part of programs: not all cores for each of many.
    os.environ.setdefault("ARRC_THREADS", "2")
    os.environ.setdefault("NO_COLOR", "1")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not options.target:
        # A program that asks for all memory takes it from all others; a driver
        # maps what every card of the machine has.
        limit = options.memory << 30
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    sys.exit(Campaign(options).run())


if __name__ == "__main__":
    main()
