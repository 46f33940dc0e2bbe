#!/usr/bin/env python3
"""Damages what `arrc run` keeps, kills it while it writes, and edits its program.

    fuzz/faults/cache.py build/dev/bin/arrc [--flips N] [--kills N] [--edits N] [--seed S]

Whatever happens, the next run gives the right result without a word, no output is torn,
and nothing but entries and whole outputs is left.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from common import Faults

PROGRAM = "export def f(x: f32[n]) -> f32[n] = for i {{ x[i] + {} }}\n"


def entries():
    return sorted(pathlib.Path("cache").glob("object-*"))


def flips(faults, count, rng):
    """One bit of an entry: it is made again."""
    pathlib.Path("flip.arr").write_text(PROGRAM.format("1.0"))
    command = [faults.arrc, "run", "flip.arr", "x=[1, 2]"]
    faults.run(command)
    for _ in range(count):
        entry = rng.choice(entries())
        data = bytearray(entry.read_bytes())
        at = rng.randrange(8 * len(data))
        data[at // 8] ^= 1 << at % 8
        entry.write_bytes(data)
        ended = faults.run(command)
        what = f"bit {at} of {len(data)} bytes"
        if ended.code != 0 or ended.out != b"out: f32[2] [2, 3]\n" or ended.err:
            faults.wrong(what, ended)
        elif entry.read_bytes() == bytes(data):
            faults.wrong(what + ": it was not made again")


def kills(faults, count, rng):
    """SIGKILL at any time of a run that compiles, keeps and writes."""
    os.mkdir("out")
    size = 1 << 20
    # What a run takes, to kill it at any time of it.
    def command(number):
        pathlib.Path("kill.arr").write_text(PROGRAM.format(f"{number}.0"))
        return [faults.arrc, "run", "kill.arr", f"x=zeros({size})", "--output", "out=@out/y.npy"]

    start = time.monotonic()
    faults.judge("the first run", faults.run(command(0)), {0})
    took = time.monotonic() - start
    output = pathlib.Path("out/y.npy")
    whole = {output.read_bytes()}
    length = len(output.read_bytes())
    killed = 0
    for number in range(1, count + 1):
        process = subprocess.Popen(command(number), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        faults.runs += 1
        # The most at its end, where it writes.
        time.sleep(took * (rng.random() ** 0.5) * 1.05)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        data = output.read_bytes()
        if len(data) != length or data not in whole and len(set(data[128 + i: 132 + i]
                                                               for i in range(0, 4 * size, 4))) != 1:
            faults.wrong(f"kill {number}: the output is torn")
        whole = {data}
        left = [p.name for p in pathlib.Path("out").iterdir() if p.name != "y.npy"]
        if left:
            faults.wrong(f"kill {number}: left {left}")
            for name in left:
                os.remove(f"out/{name}")
    ended = faults.run([faults.arrc, "run", "kill.arr", "x=[1]"])
    if ended.out != f"out: f32[1] [{1 + count}]\n".encode():
        faults.wrong("after the kills", ended)
    left = [p.name for p in pathlib.Path("cache").iterdir() if not p.name.startswith("object-")]
    if left:
        faults.wrong(f"after the kills: left {left} in the cache")
    print(f"{killed} of {count} runs were killed before their end")


def edits(faults, count, rng):
    """Another text is written while the first one is compiled."""
    def text(value):
        lines = ["export def f(x: f32[n]) -> f32[n] {", "  let b0 = x"]
        lines += [f"  let b{i} = for i in n {{ b{i - 1}[i] * {i}.5 + b{i - 1}[(i + {i}) % n] }}"
                  for i in range(1, 20)]
        return "\n".join(lines + [f"  for i in n {{ b19[i] * 0.0 + {value}.0 }}", "}", ""])

    path = pathlib.Path("edit.arr")
    took = 0
    for number in range(2, count + 2):
        path.write_text(text(1))
        start = time.monotonic()
        process = subprocess.Popen([faults.arrc, "run", "edit.arr", "x=[0]", "-D", "k=1"][:4],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        faults.runs += 1
        if took:
            time.sleep(took * rng.random())
            path.write_text(text(number))
        process.wait()
        took = took or time.monotonic() - start
        path.write_text(text(number))
        ended = faults.run([faults.arrc, "run", "edit.arr", "x=[0]"])
        if ended.out != f"out: f32[1] [{number}]\n".encode():
            faults.wrong(f"edit {number}: the code of another text", ended)


def main() -> int:
    faults = Faults("Damages the cache.")
    faults.parser.add_argument("--flips", type=int, default=500)
    faults.parser.add_argument("--kills", type=int, default=200)
    faults.parser.add_argument("--edits", type=int, default=20)
    options = faults.start()
    rng = random.Random(options.seed)
    flips(faults, options.flips, rng)
    kills(faults, options.kills, rng)
    edits(faults, options.edits, rng)
    return faults.finish(f"cache, seed {options.seed}")


if __name__ == "__main__":
    sys.exit(main())
