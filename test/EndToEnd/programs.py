#!/usr/bin/env python3
"""The programs of this folder and of examples/ on another target.

    programs.py --arrc build/dev/bin/arrc --target T [--only NAME] [--jobs N]

Runs the RUN lines of the .arr files beside this script and of
../Examples/examples.test with `--target=T`, through the evaluator (--check), and
looks for what their CHECK lines say; needs neither lit nor FileCheck. Lines that
run something else than `arrc run` prepare files; those that look at texts of the
compiler are left out.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
# Starts several processes, more than there are cores.
MPIRUN = "mpirun --oversubscribe --allow-run-as-root --bind-to none -n"
EXAMPLES = os.path.normpath(os.path.join(HERE, "..", "..", "examples"))
RUN = re.compile(r"^# RUN: (?:%exit_code (\d+) )?(arrc run .*?)(?: 2>&1)?"
                 r"(?:\s*\| FileCheck %s(?: --check-prefix=(\S+))?)?$")


def checks(text, prefix):
    """Patterns that the output must have in this order."""
    result = []
    for line in re.findall(rf"^# {prefix}: ?(.*)$", text, re.M):
        # [[#]] is any number.
        parts = re.split(r"\{\{(.*?)\}\}", line.strip().replace("[[#]]", "{{[0-9]+}}"))
        result.append("".join(part if k % 2 else r"\s+".join(map(re.escape, part.split(" ")))
                              for k, part in enumerate(parts)))
    return result


def run_line(options, path, text, line, names):
    """What is wrong with one RUN line, or nothing."""
    code, command, prefix = RUN.match(line).groups()
    words = shlex.split(substitute(command, names))
    words = [options.arrc, "run", *words[2:], f"--target={options.target}",
             *options.option]
    cut = options.parts or options.ranks or any(w.startswith("--parts") for w in words)
    if cut or not options.target.startswith("cpu"):
        # Devices have checkers of their own, and parts have none.
        words = [word for word in words if word != "--sanitize"]
    if "--check" not in words:
        words.append("--check")
    printed, environment = None, dict(os.environ)
    if options.parts or options.ranks:
        # They are one program, which is compiled once.
        environment["ARRC_CACHE"] = names["cache"]
    # What a run reads and writes over is there again for the next.
    changed = {name: open(name, "rb").read()
               for name in re.findall(r"--output \S+=@(\S+)", " ".join(words))
               if os.path.exists(name)}
    if options.shares:
        os.makedirs(options.shares, exist_ok=True)
        environment["ARRC_PARTS_REPORT"] = os.path.join(
            options.shares, os.path.basename(path).split(".")[0])
    try:
        ways = [("", [f"--parts={parts}"], f"{parts} parts") for parts in options.parts or []]
        # One process is what several are compared with.
        ways += [(f"{MPIRUN} {ranks}" if ranks > 1 else "", ["--parts=1"] if ranks == 1 else [],
                  f"{ranks} ranks") for ranks in options.ranks or []]
        for wrap, word, way in ways or [("", [], "")]:
            for name, content in changed.items():
                with open(name, "wb") as file:
                    file.write(content)
            done = subprocess.run(shlex.split(wrap or options.wrap) + words + word,
                                  capture_output=True, text=True, timeout=300,
                                  env=environment)
            if "@fast" in text:
                # In any order: as many parts as it may be, it agrees with the
                # evaluator, which --check says by the exit code.
                if done.returncode != int(code or 0):
                    break
            elif printed is not None and printed != done.stdout:
                return (f"{ways[0][2]} print\n{printed[:500]}\n"
                        f"{way} print\n{(done.stdout + done.stderr)[:500]}")
            printed = done.stdout
    except subprocess.TimeoutExpired:
        return "no end after 300 s"
    said = done.stdout + done.stderr
    if options.may_refuse and done.returncode == 1 and re.search(
            r"error: the device '.*' has no \w+|neither libdevice", done.stderr):
        return None
    if done.returncode != int(code or 0):
        return f"exit code {done.returncode}, expected {code or 0}: {said.strip()[:1000]}"
    # The error output comes first, as it does when both go to one pipe.
    where, said = 0, done.stderr + done.stdout
    if " | FileCheck" in line:
        patterns = checks(text, prefix or "CHECK")
        if not patterns:
            return f"there is no '{prefix or 'CHECK'}' line"
        for pattern in patterns:
            found = re.compile(pattern).search(said, where)
            if not found:
                return f"expected '{pattern}' in\n  {said.strip()[:1000]}"
            where = found.end()
    return None


def print_shares(folder):
    """How much of what launches touch was cut, and why the rest was not."""
    whole, cut, rest = 0, 0, {}
    for path in glob.glob(os.path.join(folder, "*")):
        with open(path) as file:
            lines = file.readlines()
        for line in lines:
            kernel, _, count, reason = line.rstrip("\n").split("\t")
            kernel = f"{os.path.basename(path)}/{kernel}"
            whole += int(count)
            if not reason:
                cut += int(count)
                continue
            reason = re.sub(r"write ('\w+'|the array of line \d+)", "write an array", reason)
            kernels = rest.setdefault(reason, {})
            kernels[kernel] = kernels.get(kernel, 0) + int(count)
    if not whole:
        return
    print(f"cut: {100 * cut / whole:.1f} % of {whole} bytes that launches touch")
    for reason, kernels in sorted(rest.items(), key=lambda item: -sum(item[1].values())):
        most = sorted(kernels, key=lambda name: -kernels[name])[:4]
        print(f"  {100 * sum(kernels.values()) / whole:.1f} %: {reason} "
              f"({len(kernels)} kernels: {', '.join(most)})")


def substitute(text, names):
    return re.sub(r"%(\w+)", lambda m: names.get(m.group(1), m.group(0)), text)


def split_file(text, folder):
    """Writes the parts of a test as LLVM's split-file does, which a machine with a
    card need not have."""
    os.makedirs(folder, exist_ok=True)
    parts = re.split(r"^#--- (\S+)\n", text, flags=re.M)
    for name, part in zip(parts[1::2], parts[2::2]):
        with open(os.path.join(folder, name), "w") as file:
            file.write(part)


def run_lines(options, path, text, lines, names):
    """What is wrong with the first RUN line of these that fails, or nothing."""
    for line in lines:
        if bad := run_line(options, path, text, line, names):
            return bad
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--only", action="append", help="a part of a file's name")
    parser.add_argument("--skip", action="append", default=[],
                        help="a part of a file's name or of a run, left out")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--every", type=int, default=1, help="one run of so many")
    parser.add_argument("--slice", default="0/1", metavar="K/N",
                        help="the K-th of N equal shares of the runs, counted from 0")
    parser.add_argument("--may-refuse", action="store_true",
                        help="a device may say what it lacks, or the compiler that "
                             "there is no library of functions")
    parser.add_argument("--option", action="append", default=[],
                        help="one more for every run, --option=--sanitize")
    parser.add_argument("--parts", type=lambda text: [int(n) for n in text.split(",")],
                        help="1,3,5: runs each program in so many parts, which print the same")
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")],
                        help="1,2,4: the same in so many processes, with Open MPI's mpirun")
    parser.add_argument("--shares", metavar="FOLDER",
                        help="keeps what each kernel touched in parts, and prints "
                             "the share of it that was cut, and reasons for the rest")
    parser.add_argument("--wrap", default="", help="a command that runs the program")
    options = parser.parse_args()

    slice_number, slices = map(int, options.slice.split("/"))
    files = sorted(glob.glob(os.path.join(HERE, "*.arr")))
    files.append(os.path.join(HERE, "..", "Examples", "examples.test"))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs, seen = [], 0
        for path in files:
            name = os.path.basename(path)
            if options.only and not any(part in name for part in options.only):
                continue
            if any(part in name for part in options.skip):
                continue
            with open(path) as f:
                text = f.read()
            names = {"s": path, "S": os.path.dirname(path), "examples": EXAMPLES,
                     "src": os.path.dirname(EXAMPLES), "python": sys.executable,
                     "t": os.path.join(folder, name), "cache": os.path.join(folder, "cache")}
            # What reads results of runs before it comes behind them, in files of its own.
            writes, group = re.search(r"--output \S+=@%t", text), []
            for line in re.findall(r"^# RUN: .*$", text, re.M):
                if RUN.match(line):
                    if not writes or not re.search(r"(?<!--output )\b[\w.]+=@%t", line):
                        group = []
                    group.append(line)
                    seen += 1
                    if seen % options.every or seen // options.every % slices != slice_number:
                        continue
                    if any(part in line for part in options.skip):
                        continue
                    own = names | {"t": names["t"] + str(seen)} if writes else names
                    runs.append((name, line, pool.submit(run_lines, options, path, text,
                                                         list(group), own)))
                elif line == "# RUN: split-file %s %t":
                    split_file(text, names["t"])
                elif line.startswith("# RUN: %python"):
                    subprocess.run(substitute(line[7:], names), shell=True, check=True,
                                   stdout=subprocess.DEVNULL)
        for name, line, run in runs:
            bad = run.result()
            passed, failed = passed + (not bad), failed + bool(bad)
            if bad:
                print(f"{name}: {line[7:200]}\n  {bad}", flush=True)
    if options.shares:
        print_shares(options.shares)
    print(f"programs.py: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
