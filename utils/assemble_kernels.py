#!/usr/bin/env python3
"""Assembles the kernels of programs with ptxas and tells what they cost.

    assemble_kernels.py --arrc build/dev/bin/arrc [--arch sm_75,sm_90] PROGRAM..

A program is .arr or text of a level (.mlir); folders stand for the .arr files in
them. Prints a line a kernel: registers, bytes of the stack, spilled bytes, shared
memory, lines of PTX. Fails if a program does not compile or ptxas rejects a
kernel; with --no-spills also if one spills.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cuda_toolkit

LEAST = 40


def programs(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for name in sorted(os.listdir(path)):
            if name.endswith(".arr"):
                yield os.path.join(path, name)


def run(command, text=None, timeout=120):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True,
                              timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"took over {timeout} s")


def first_line(text):
    """What an error says, without places."""
    lines = [line for line in text.splitlines() if "error" in line.lower()]
    return (lines or text.splitlines() or ["no message"])[0][:160]


def costs(report):
    """Kernel names with their numbers from ptxas -v."""
    rows = {}
    name = None
    for line in report.splitlines():
        if m := re.search(r"Compiling entry function '(\S+)'", line):
            name = m.group(1)
            rows[name] = {"stack": 0, "spills": 0, "registers": 0, "shared": 0}
        if name is None:
            continue
        if m := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+)", line):
            rows[name]["stack"] = int(m.group(1))
            rows[name]["spills"] = int(m.group(2)) + int(m.group(3))
        if m := re.search(r"Used (\d+) registers", line):
            rows[name]["registers"] = int(m.group(1))
        if m := re.search(r"(\d+) bytes smem", line):
            rows[name]["shared"] = int(m.group(1))
    return rows


def lengths(text):
    """Lines of each kernel."""
    parts = re.split(r"^\.visible \.entry (\w+)\(", text, flags=re.M)
    return {name: body.count("\n") for name, body in zip(parts[1::2], parts[2::2])}


def assemble(options, ptxas, program, arch):
    """(rows, problem or None, True if the program is one that does not compile)."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        command = [options.arrc, "build", program, "--target=cuda", "--emit=ptx", "-o", "-"]
        if program.endswith(".arr"):
            command += ["--arch", arch]
        else:
            # Text names its card.
            with open(program) as file:
                text = re.sub(r'arch = "sm_\w+"', f'arch = "{arch}"', file.read())
            command[2] = os.path.join(folder, "text.mlir")
            with open(command[2], "w") as file:
                file.write(text)
        done = run(command)
        if done.returncode:
            refused = program.endswith(".arr") and run(
                [options.arrc, "build", program, "--emit=kernel", "-o", "-"]).returncode
            return [], None if refused else first_line(done.stderr), bool(refused)
        if ".entry" not in done.stdout:
            return rows, None, False
        source = os.path.join(folder, "kernels.ptx")
        with open(source, "w") as file:
            file.write(done.stdout)
        out = run([ptxas, "-v", f"-arch={arch}", source, "-o",
                   os.path.join(folder, "kernels.cubin")])
        if out.returncode:
            return rows, "ptxas: " + first_line(out.stderr), False
        length = lengths(done.stdout)
        for name, numbers in costs(out.stderr).items():
            rows.append((name, length.get(name, 0), numbers))
    return rows, None, False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", default="arrc")
    parser.add_argument("--arch", default="sm_75,sm_80,sm_90,sm_100")
    parser.add_argument("--no-spills", action="store_true")
    parser.add_argument("--brief", action="store_true", help="no line for kernels")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    ptxas = cuda_toolkit.find_ptxas()
    if not ptxas:
        print("assemble_kernels.py: skipped, there is no ptxas (set CUDA_HOME)")
        return 0
    jobs = [(program, arch) for program in programs(options.programs)
            for arch in options.arch.split(",")]
    kernels = failed = spilled = skipped = 0
    most = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        work = pool.map(lambda job: assemble(options, ptxas, *job), jobs)
        for (program, arch), (rows, problem, refused) in zip(jobs, work):
            name = os.path.basename(program)
            skipped += refused
            for kernel, lines, n in rows:
                kernels += 1
                most = max(most, lines)
                spilled += n["spills"] > 0
                if not options.brief or n["spills"]:
                    print(f"{name:{LEAST}} {arch:6} {kernel:{LEAST}} {n['registers']:4} registers"
                          f" {n['stack']:5} stack {n['spills']:5} spilled {n['shared']:6} shared"
                          f" {lines:6} lines", flush=True)
            if problem:
                failed += 1
                print(f"{name} {arch}: {problem}", flush=True)
    print(f"assemble_kernels.py: {kernels} kernels accepted, {failed} programs failed, "
          f"{spilled} kernels spill, {skipped} refused by the compiler for every target, "
          f"at most {most} lines of PTX a kernel")
    return 1 if failed or (options.no_spills and spilled) else 0


if __name__ == "__main__":
    sys.exit(main())
