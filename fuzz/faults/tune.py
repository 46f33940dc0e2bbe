#!/usr/bin/env python3
"""Kills `arrc tune` at any time, again and again, and lets it go on.

    fuzz/faults/tune.py build/dev/bin/arrc [--kills N] [--most N] [--seed S]

No measurement that was on the disk is lost or changed, no line but the last is torn, no
candidate runs on without its tuner, and nothing but the journal and whole schedules is left.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from common import Faults

PROGRAM = "export def f(x: f32[n], y: f32[m]) -> (f32[n], f32) { (for i { 2.0 * x[i] + 1.0 }, sum for j { y[j] * y[j] }) }\n"
JOURNAL = pathlib.Path("a.arr.journal")


def rows():
    """The measurements in the journal, and the lines that are torn."""
    text = JOURNAL.read_text() if JOURNAL.exists() else ""
    whole, torn = text.split("\n")[:-1], 0
    found = []
    for row in whole:
        try:
            found.append(json.loads(row))
        except ValueError:
            torn += 1
    return found, torn


def children():
    """Processes that still measure in this folder."""
    here, found = os.getcwd(), []
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name.isdigit() and int(process.name) != os.getpid() and os.readlink(process / "cwd") == here:
                if (process / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(int(process.name))
        except OSError:
            pass
    return found


def main() -> int:
    faults = Faults("Kills the tuner.")
    faults.parser.add_argument("--kills", type=int, default=100)
    faults.parser.add_argument("--most", type=int, default=60)
    options = faults.start()
    rng = random.Random(options.seed)
    os.mkdir("temporary")
    os.environ["TMPDIR"] = os.path.abspath("temporary")
    pathlib.Path("a.arr").write_text(PROGRAM)
    command = [faults.arrc, "tune", "a.arr", "n=2000", "m=3000", "--over=coarsen,vector,steps", "--search=all",
               f"--most={options.most}", "--seconds=0.003"]
    before, killed, torn = [], 0, 0
    for number in range(options.kills):
        faults.runs += 1
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(0.05 + 1.2 * rng.random())
        # By turns with all that it started, and alone.
        (os.killpg if number % 2 else os.kill)(process.pid, signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        deadline = time.monotonic() + 2
        while children() and time.monotonic() < deadline:
            time.sleep(0.02)
        if children():
            faults.wrong(f"kill {number}: {len(children())} processes go on")
        now, torn = rows()
        if now[:len(before)] != before:
            faults.wrong(f"kill {number}: {len(before)} measurements became other ones")
        if torn > number + 1:
            faults.wrong(f"kill {number}: {torn} lines are torn")
        before = now
        if left := [path.name for path in pathlib.Path("temporary").iterdir()]:
            faults.wrong(f"kill {number}: left {left}")
    # As a machine that lost its power leaves it.
    JOURNAL.write_text((JOURNAL.read_text() if JOURNAL.exists() else "") + '{"candidate_s": 1, "key')
    ended = faults.run(command, limit=300)
    faults.judge("the last run", ended, {0})
    kept = f", {len(before)} of them from the journal" if before else ""
    if kept.encode() not in ended.out:
        faults.wrong(f"the last run knows other measurements than {len(before)}: {ended.out[-300:]!r}")
    allowed = {"a.arr", "a.arr.journal", "a.arr.schedules", "temporary", "cache"}
    if left := {path.name for path in pathlib.Path(".").iterdir()} - allowed:
        faults.wrong(f"left {sorted(left)}")
    print(f"{killed} of {options.kills} tuners were killed, {len(before)} measurements were kept, 0 lost, {torn} torn"
          if not faults.problems else "")
    return faults.finish(f"tune, seed {options.seed}")


if __name__ == "__main__":
    sys.exit(main())
