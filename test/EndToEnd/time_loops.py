#!/usr/bin/env python3
"""Where the time loops of programs run on a card, and what the host reads there.

    time_loops.py --arrc build/dev/bin/arrc --opt build/dev/bin/arr-opt [--only NAME] [FILE]

Reads the programs of Inputs/time-loops.arr. A heading `#--- NAME: 1 device, 2
host, 3 reads` begins one, or names a file of the tree: the runtime has one of
its loops, which may run without the host, and two are the host's, in which it
waits three times for a number of the device. One of the host's may be around one
of the runtime's, whose steps leave partial results: it folds those of many steps.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
HEADING = re.compile(r"^#--- (\S+): (\d+) device, (\d+) host, (\d+) reads$")
LOOP = re.compile(r"scf\.(while|for) ")
LOWER = ("--pass-pipeline=builtin.module(convert-kernel-to-host,canonicalize,cse,"
         "outline-time-loops)")


def programs(path):
    """(name, counts, text) of each program; a name with a dot is a file."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if heading := HEADING.match(line):
                found.append([heading[1], tuple(map(int, heading.groups()[1:])), ""])
            elif found:
                found[-1][2] += line
    for program in found:
        if program[0].endswith(".arr"):
            root = os.path.join(HERE, "..", "..")
            with open(os.path.join(root, program[0]), encoding="utf-8") as file:
                program[2] = file.read()
    return found


def host_loops(lines):
    """The loops of the host that hold work for the device, each with its reads."""
    depth = lambda line: len(line) - len(line.lstrip())
    for first, line in enumerate(lines):
        if not LOOP.search(line):
            continue
        last = first + 1
        while not (depth(lines[last]) == depth(line)
                   and lines[last].strip() == "}"
                   or depth(lines[last]) < depth(line)):
            last += 1
        body = "\n".join(lines[first:last])
        if "gpu.launch_func" in body or "@arrt_loop(" in body or "memref.load" in body:
            yield first, last


def count(options, text):
    """(device, host, reads) of a program, or what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        source, code = os.path.join(folder, "p.arr"), os.path.join(folder, "p.mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        for command in ([options.arrc, "build", source, "--target=cuda", "--arch=sm_90",
                         "--emit=gpu", "-o", code], [options.opt, code, LOWER]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=100)
            if done.returncode:
                return done.stderr.strip()
    # Kernels stand beside the functions of the host.
    host = re.sub(r"(?ms)^  gpu\.module.*?^  }\n", "", done.stdout)
    lines = host.split("\n")
    loops = list(host_loops(lines))
    inside = {k for first, last in loops for k in range(first, last)}
    return (host.count("llvm.call @arrt_loop("), len(loops),
            sum("memref.load" in lines[k] for k in inside))


def say(counts):
    """Counts as a heading has them, or a message."""
    if isinstance(counts, str):
        return counts
    return "{} device, {} host, {} reads".format(*counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--opt", default="arr-opt")
    parser.add_argument("--only", default="")
    parser.add_argument("file", nargs="?",
                        default=os.path.join(HERE, "Inputs", "time-loops.arr"))
    options = parser.parse_args()
    wrong = total = 0
    sums = [0, 0, 0]
    for name, wanted, text in programs(options.file):
        if options.only not in name:
            continue
        total += 1
        found = count(options, text)
        if found != wanted:
            wrong += 1
            print(f"{name}: {say(found)}, expected {say(wanted)}")
        elif not isinstance(found, str):
            sums = [a + b for a, b in zip(sums, found)]
    print(f"{total - wrong} of {total} programs have their time loops where they "
          f"should: {say(tuple(sums))}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
