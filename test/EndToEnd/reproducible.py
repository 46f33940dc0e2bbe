#!/usr/bin/env python3
"""Random folds of floats under --reproducible: the same bits wherever they run.

    reproducible.py ARRC FOLDER [--seed=N] [--programs=N] [--emulator=LIBRARY]
                    [--opencl=COMMAND] [--f64=no]

Writes programs to FOLDER and runs each on the CPU with several numbers of workers and
without optimizations, with the emulator on cards of several shapes and in parts, and
behind the words of COMMAND with OpenCL. Prints the seed of what differs, and the
command that shows it.
"""

import hashlib
import os
import random
import subprocess
import sys

import numpy

SIZES = [0, 1, 2, 3, 7, 31, 33, 64, 65, 100, 257, 1000, 2047, 2048, 2049, 4100]


class Program:
    """One export of several random folds over arrays that it makes itself."""

    def __init__(self, seed, has_f64):
        self.random = random.Random(seed)
        r = self.random
        self.type = r.choice(["f32", "f32", "f32", "f16"] + ["f64"] * 2 * has_f64)
        self.n, self.m = r.choice(SIZES), r.choice(SIZES)
        # What is computed by the emulator and by one interpreter takes its time.
        while self.n * self.m > 150_000:
            self.n, self.m = r.choice(SIZES), r.choice(SIZES)
        self.k = r.choice([1, 2, 5, 17, 40])
        self.results, self.lines = [], []
        for _ in range(r.randint(2, 4)):
            self.add_fold()

    def scalar(self, row, column):
        """An expression of what may be read at an element of `a`."""
        r, t = self.random, self.type
        pick = [f"a[{row}, {column}]", f"x[{row}]", f"y[{column}]", f"{t}(0.75)"]
        terms = [r.choice(pick) for _ in range(r.randint(1, 3))]
        # Something has to depend on both, or it is no fold of a matrix.
        terms[0] = pick[0]
        text = terms[0]
        for term in terms[1:]:
            text = f"({text} {r.choice('+-*')} {term})"
        if r.random() < 0.2:
            text = f"select({text} > {t}(0), {text}, {t}(0.25))"
        return text

    def add_fold(self):
        r, t = self.random, self.type
        name = f"r{len(self.results)}"
        e = self.scalar("i", "j")
        fold = r.choice(["sum", "sum", "sum", "prod", "mean", "own"])
        open_, close = {
            "sum": ("sum for", ""), "prod": ("prod for", ""), "mean": ("mean for", ""),
            "own": (f"reduce(fn(p, q) => p + q + p * q * {t}(0.001), {t}(0)) for", "")}[fold]
        # Products of many numbers leave the range: all of them near 1.
        if fold == "prod":
            e = f"{t}(1) + {e} * {t}(0.001)"
        forms = {
            "all": (t, f"{open_} i in n, j in m {{ {e} }}"),
            "rows": (f"{t}[n]", f"for i in n {{ {open_} j in m {{ {e} }} }}"),
            "columns": (f"{t}[m]", f"for j in m {{ {open_} i in n {{ {e} }} }}"),
            "vector": (t, f"{open_} j in m {{ y[j] * y[j] + {t}(0.5) }}"),
            "triangle": (f"{t}[n]", f"for i in n {{ {open_} j in 0:min(i, m) {{ {e} }} }}"),
            "nested": (t, f"sum for i in n {{ x[i] * ({open_} j in m {{ {e} }}) }}"),
            "product": (f"{t}[n, k]", "a @ b"),
            "transposed": (f"{t}[m, m]" if self.m < 60 else f"{t}[n, k]",
                           "transpose(a) @ a" if self.m < 60 else "a @ b"),
            "by vector": (f"{t}[n]", "a @ y"),
            "pairs": (f"{t}[n]", f"for i in n {{ sum for j in m {{ (x[i] - y[j]) ** 2 }} }}"),
            "filtered": (t, f"sum(for v in x if v > {t}(0) {{ v }})"),
            "scan": (f"{t}[m]", "scan((+), y)"),
            "exscan": (f"{t}[n]", f"exscan((+), {t}(0)) for i in n {{ x[i] * x[i] }}"),
            "scans": (f"{t}[n, m]", "for i in n { scan((+)) for j in m { a[i, j] } }"),
            "variance": (f"{t}[n]", "for i in n { let mu = sum for j in m { a[i, j] }\n"
                         "    sum for j in m { (a[i, j] - mu) ** 2 } }"),
            "window": (f"{t}[n]", f"for i in n {{ sum for d in 0:9 {{ x[(i + d) % n] * {t}(0.3) }} }}"),
            "small": (t, "sum for i in n, d in 0:3 { x[i] * y3[d] }"),
            "bins": (f"{t}[13]", f"hist((+), {t}(0), 13) for i in n, j in m {{ ((i * 7 + j * j) % 13, {e}) }}"),
            "few bins": (f"{t}[m]", f"hist((*), {t}(1), m, oob = drop) for i in n {{ (i * i % 61, {t}(1) + x[i] * {t}(0.01)) }}"),
            "quotients": ("c64", "sum for i in n { complex(f32(x[i]), 0.5) / complex(0.1, f32(x[i])) }"),
            "complex": ("c64", "sum for i in n { complex(f32(x[i]), 0.5) * complex(0.1, f32(x[i])) }"),
        }
        kind = r.choice(list(forms))
        type_, text = forms[kind]
        if type_ == t and r.random() < 0.25:
            # In a time loop, whose steps depend on each other.
            text = (f"{{\n    var s = {t}(1)\n    loop step in 0:3 {{\n      let part = {text}\n"
                    f"      s = s * {t}(0.5) + part\n    }}\n    s\n  }}")
            self.lines.append(f"  let {name} = if n >= 0 {text} else {{ {t}(0) }}")
        else:
            self.lines.append(f"  let {name} = {text}")
        self.results.append((name, type_))

    def text(self):
        t = self.type
        made = "\n".join([
            f"  let x = for i in n {{ uniform(1, i) - {t}(0.4) }}" if t != "f32" else
            "  let x = for i in n { uniform(1, i) - 0.4 }",
            f"  let y = for j in m {{ uniform(2, j) - {t}(0.3) }}" if t != "f32" else
            "  let y = for j in m { uniform(2, j) - 0.3 }",
            f"  let a = for i in n, j in m {{ uniform(3, j, i) - {t}(0.45) }}" if t != "f32" else
            "  let a = for i in n, j in m { uniform(3, j, i) - 0.45 }",
            f"  let b = for i in m, j in k {{ uniform(4, j, i) - {t}(0.5) }}" if t != "f32" else
            "  let b = for i in m, j in k { uniform(4, j, i) - 0.5 }",
            f"  let y3 = for d in 3 {{ uniform(5, d) - {t}(0.5) }}" if t != "f32" else
            "  let y3 = for d in 3 { uniform(5, d) - 0.5 }",
            # All are used, whatever the folds read.
            "  let used = size(x) + size(y) + size(a) + size(b) + size(y3)"])
        results = ", ".join(f"{name}: {type_}" for name, type_ in self.results)
        names = ", ".join(name for name, _ in self.results)
        body = "\n".join(self.lines)
        return (f"export def f(n: int, m: int, k: int) -> ({results}, used: int) {{\n{made}\n{body}\n"
                f"  ({names}, used)\n}}\n")


def targets(options):
    """Name, words in front, environment and options of every way to run."""
    ways = [("one worker", [], {}, ["--target=cpu", "--threads", "1"]),
            ("three workers", [], {}, ["--target=cpu", "--threads", "3"]),
            ("not optimized", [], {}, ["--target=cpu", "--threads", "7", "-O0"]),
            ("another processor", [], {}, ["--target=cpu", "--cpu", "x86-64-v3"])]
    if "emulator" in options:
        card = {"ARRC_CUDA_LIBRARY": options["emulator"]}
        ways += [("card", [], card, ["--target=cuda"]),
                 ("other card", [], card, ["--target=cuda", "--fact", "units=7",
                                           "--fact", "max_threads=128"]),
                 ("two cards", [], card, ["--target=cuda", "--parts", "3"])]
    if "opencl" in options:
        ways.append(("OpenCL", options["opencl"].split(), {}, ["--target=opencl"]))
    return ways


def bits(arrc, file, program, way, folder):
    """A digest of all results, or what was said instead."""
    _, front, environment, words = way
    command = front + [arrc, "run", file, "--reproducible", *words,
                       f"n={program.n}", f"m={program.m}", f"k={program.k}"]
    files = []
    for name, _ in program.results:
        files.append(os.path.join(folder, f"{name}.npy"))
        command += ["--output", f"{name}=@{files[-1]}"]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True,
                          text=True)
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr[:400]}", command
    digest = hashlib.sha256()
    for name in files:
        values = numpy.load(name)
        digest.update(repr((values.dtype.str, values.shape)).encode())
        numbers = values.reshape(-1).view(values.real.dtype)
        # The bits of a NaN are no part of the promise.
        numbers[numbers != numbers] = numpy.nan
        digest.update(numbers.tobytes())
        os.unlink(name)
    return digest.hexdigest()[:16], command


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    arrc, folder = words
    os.makedirs(folder, exist_ok=True)
    first, count = int(options.get("seed", 1)), int(options.get("programs", 10))
    failed = 0
    for seed in range(first, first + count):
        program = Program(seed, options.get("f64") != "no")
        file = os.path.join(folder, f"seed{seed}.arr")
        with open(file, "w") as f:
            f.write(program.text())
        seen = {}
        for way in targets(options):
            found, command = bits(arrc, file, program, way, folder)
            seen.setdefault(found, []).append((way[0], command))
        if len(seen) > 1 or any(found.startswith("exit") for found in seen):
            failed += 1
            print(f"seed {seed}: {len(seen)} results", flush=True)
            for found, ways in seen.items():
                print(f"  {found}: {', '.join(way for way, _ in ways)}\n    {' '.join(ways[0][1])}")
    print(f"{count} programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
