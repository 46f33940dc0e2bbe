#!/usr/bin/env python3
"""Mutants of the text of every level: what verifies must not break a pass.

    mutants.py ARRC ARR_OPT SOURCES [--count=1500] [--seed=1] [--passes=4] [--jobs=2]
               [--limit=10] [--keep=FOLDER] [--levels=array,..] [--programs=REGEX]

Takes the levels of the examples and of the programs of passes.py, changes numbers, types,
operands, attributes, names of operations and lines, and gives each mutant that reads to
some passes alone and to `arrc build` for its target. What is invalid is said; nothing ends
by a signal, a failed assertion or exit code 70, and nothing takes the processor for longer than the limit (seconds). The same
seed makes the same mutants. Prints each seed that broke something, with the command, and
keeps its text in FOLDER.
"""

import collections
import concurrent.futures
import glob
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

from passes import LEVELS, PROGRAMS, passes_of

TARGETS = dict(LEVELS, opencl=LEVELS["cuda"])
NUMBERS = ["0", "1", "-1", "2", "3", "7", "9", "16", "33", "64", "1000", "65536", "2147483648",
           "-2147483649", "9223372036854775807", "-9223372036854775808"]
TYPES = ["f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index", "complex<f32>",
         "ui8", "i128", "none", "vector<4xf32>", "tensor<?xf32>", "memref<?xf32>"]
WORDS = {
    "number": re.compile(r"(?<![\w.%#!@$-])-?\d+(?![\w.])"),
    "type": re.compile(r"(?<![\w.%#!@\"-])(?:b?f16|f32|f64|i1|i8|i16|i32|i64|index)(?![\w\"])|(?<=x)(?:f32|f64|i1|i32|i64)(?=[,>])"),
    "value": re.compile(r"%[\w$.-]+(?:#\d+)?"),
    "operation": re.compile(r"(?<![\w.%#!@\"])(?:array|kernel|arith|math|scf|tensor|memref|vector|affine|gpu|llvm|complex|func)\.\w+"),
    "string": re.compile(r'"[^"\n]*"'),
    "size": re.compile(r"(?<=[<x])(?:\?|\d+)(?=x)"),
    "word": re.compile(r"(?<![\w.%#!@\"])(?:at|in|reduce|scan|by|seq|vector|unroll|block\.\d|thread\.\w|to|step|iter_args|add\w|mul\w|min\w*|max\w*)(?![\w.])"),
    "attribute": re.compile(r",? *\w[\w.]* = (?:-?\d+ : i64|\"[^\"\n]*\"|\[[^\[\]\n]*\]|unit|true|false)"),
}


def mutate(text, rng):
    """The text with one to three changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        kind = rng.choice(list(WORDS) + ["value", "number", "line", "line"])
        if kind == "line":
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            near = min(len(lines) - 1, i + rng.randrange(1, 4))
            how = rng.randrange(4)
            if how == 0:
                del lines[i]
            elif how == 1:
                lines.insert(j, lines[i])
            elif how == 2:
                lines[i], lines[near] = lines[near], lines[i]
            else:
                lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
            continue
        found = list(WORDS[kind].finditer(text))
        if not found:
            continue
        at = rng.choice(found)
        others = [m.group() for m in rng.sample(found, min(8, len(found)))]
        if kind == "number":
            others += NUMBERS
        elif kind == "type":
            others += TYPES
        elif kind == "size":
            others += ["?", "0", "1", "3", "64", "9223372036854775807"]
        elif kind == "attribute":
            others = [""]
        elif kind == "value":
            # One that is declared near is more often of the right type.
            k = found.index(at)
            others += [m.group() for m in found[max(0, k - 12):k + 12]]
        text = text[:at.start()] + rng.choice(others) + text[at.end():]
    return text


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def attempt(command, limit):
    """What is wrong with how the command ends, or None; and its exit code."""
    try:
        # Time of the processor: the machine may do other things as well.
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=20 * limit, preexec_fn=lambda: limits(limit))
    except subprocess.TimeoutExpired:
        return f"waits longer than {20 * limit} s", -1
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"runs longer than {limit} s", done.returncode
    if done.returncode in (0, 1, 2) and "Assertion" not in done.stderr:
        if done.returncode and "error:" not in done.stderr:
            return f"exit {done.returncode}, nothing said", done.returncode
        return None, done.returncode
    said = [line for line in done.stderr.splitlines()
            if re.search("Assertion|UNREACHABLE|LLVM ERROR|terminate|error:", line)]
    return f"exit {done.returncode}: {said[0][:300] if said else 'nothing said'}", done.returncode


class Mutants:
    def __init__(self, arrc, arr_opt, root, options, folder):
        self.arrc, self.arr_opt, self.folder = arrc, arr_opt, folder
        self.limit = int(options.get("limit", "10"))
        self.number = int(options.get("passes", "4"))
        self.keep = options.get("keep")
        self.passes = passes_of(root)
        wanted = re.compile(options.get("programs", "."))
        levels = options["levels"].split(",") if "levels" in options else None
        files = glob.glob(os.path.join(root, "examples", "*.arr"))
        for name, text in PROGRAMS.items():
            files.append(os.path.join(folder, name + ".arr"))
            open(files[-1], "w").write(text)
        # What the compiler cannot do yet has no text.
        files = [file for file in files if wanted.search(os.path.basename(file))
                 and not subprocess.run([arrc, "build", file, "--target=cpu",
                                         "--emit=array", "-o", os.devnull],
                                        capture_output=True).returncode]
        # OpenCL's own text is that of its kernels.
        self.choices = [(file, target, level)
                        for file in sorted(files, key=os.path.basename)
                        for target, all_levels in TARGETS.items() for level in all_levels
                        if (target != "opencl" or level == "gpu")
                        and (not levels or level in levels)]

    def text(self, file, target, level):
        """The program at the level; made once."""
        path = os.path.join(self.folder, f"{os.path.basename(file)}.{target}.{level}")
        if not os.path.exists(path):
            made = subprocess.run([self.arrc, "build", file, f"--target={target}",
                                   f"--emit={level}", "--no-locations"],
                                  capture_output=True, text=True)
            if made.returncode:
                sys.exit(f"{file} at {target} {level}: {made.stderr}")
            with open(f"{path}.{threading.get_ident()}", "w") as out:
                out.write(made.stdout)
            os.replace(out.name, path)
        return open(path).read()

    def run(self, seed):
        """The seed's mutant; gives whether it reads, and a list of (what, command, file)."""
        rng = random.Random(seed)
        path = os.path.join(self.folder, f"{seed}.mlir")
        for _ in range(6):
            file, target, level = rng.choice(self.choices)
            name = f"{os.path.basename(file)[:-4]}-{target}-{level}"
            open(path, "w").write(mutate(self.text(file, target, level), rng))
            problem, code = attempt([self.arr_opt, path, "-o", os.devnull], self.limit)
            if problem or code == 0:
                break
        commands = [[self.arr_opt, path, "-o", os.devnull]]
        if not problem and code == 0:
            # Behind the LLVM dialect it is LLVM's, and takes most of the time.
            last = {"cpu": "obj", "cuda": "ptx", "opencl": "spirv"}[target]
            commands = [[self.arrc, "build", path, f"--target={target}",
                         f"--emit={last if rng.random() < 0.1 else 'llvm'}", "-o", os.devnull]]
            for flag, anchor in rng.sample(self.passes, self.number):
                inner = f"{anchor}({flag})" if anchor else flag
                commands.append([self.arr_opt, path, f"--pass-pipeline=builtin.module({inner})",
                                 "-o", os.devnull])
        bad = []
        for command in commands:
            problem, _ = attempt(command, self.limit)
            if problem:
                bad.append((problem, name, " ".join(command)))
        if bad and self.keep:
            os.makedirs(self.keep, exist_ok=True)
            kept = os.path.join(self.keep, f"{seed}-{name}.mlir")
            os.replace(path, kept)
            bad = [(p, n, c.replace(path, kept)) for p, n, c in bad]
        elif os.path.exists(path):
            os.remove(path)
        return code == 0, bad


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    options = dict(re.fullmatch(r"--(\w+)=(.*)", a).groups() for a in flags)
    arrc, arr_opt, root = [a for a in sys.argv[1:] if a not in flags]
    first, count = int(options.get("seed", "1")), int(options.get("count", "1500"))
    kinds = collections.Counter()
    read = 0
    with tempfile.TemporaryDirectory() as folder:
        mutants = Mutants(arrc, arr_opt, root, options, folder)
        with concurrent.futures.ThreadPoolExecutor(int(options.get("jobs", "2"))) as pool:
            for seed, (reads, bad) in zip(range(first, first + count),
                                          pool.map(mutants.run, range(first, first + count))):
                read += reads
                for problem, name, command in bad:
                    print(f"seed {seed} ({name}): {problem}\n    {command}", flush=True)
                    kinds[re.sub(r"0x[0-9a-f]+|/\S*/", "", problem)] += 1
    for problem, times in kinds.most_common():
        print(f"{times:5} times {problem}")
    print(f"seeds {first} to {first + count - 1} of {len(mutants.choices)} texts: "
          f"{read} mutants read, {sum(kinds.values())} bad")
    return bool(kinds)


if __name__ == "__main__":
    sys.exit(main())
