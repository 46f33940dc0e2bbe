#!/usr/bin/env python3
"""same_results.py ARR-OPT FILE EVALUATE PASS...: evaluates a program of the array
level before the passes and after each of them, in one pipeline; all results must
be the same. EVALUATE are the options of arr-evaluate."""
import subprocess
import sys


def main():
    tool, program, options, *passes = sys.argv[1:]
    evaluate = f"--arr-evaluate={options}"
    command = [tool, program, evaluate]
    for name in passes:
        command += ["--" + name, evaluate]
    done = subprocess.run(command + ["-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    lines = done.stdout.splitlines()
    size = len(lines) // (len(passes) + 1)
    if not size or len(lines) % (len(passes) + 1):
        sys.exit(f"{len(lines)} lines for {len(passes) + 1} evaluations")
    blocks = [lines[k:k + size] for k in range(0, len(lines), size)]
    for name, before, after in zip(passes, blocks, blocks[1:]):
        for a, b in zip(before, after):
            if a != b:
                sys.exit(f"{name} changes\n  {a}\nto\n  {b}")
    print(f"{size} results, the same after {len(passes)} passes")


main()
