#!/usr/bin/env python3
"""Fills docs/overview.md with what the compiler prints.

    make_overview.py --arrc build/dev/bin/arrc [--check]

A line `<!-- from: ARGUMENTS -->` stands before a fenced block; the block is
what `arrc ARGUMENTS` prints; `<!-- from: ARGUMENTS, lines: FIRST .. LAST -->`
takes the lines from the first that has the one text to the next that has the
other. With --check nothing is written, and the exit code
says whether the page is what the compiler prints now.
"""
import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/overview.md"
MARK = re.compile(r"(<!-- from: ([^\n]*) -->\n\n?```\w*\n)(.*?)(^```$)", re.S | re.M)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--arrc", required=True, type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    arrc = args.arrc.resolve()

    def fill(match: re.Match) -> str:
        arguments, _, span = match.group(2).partition(", lines: ")
        command = [str(arrc), *shlex.split(arguments)]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{shlex.join(command)} failed:\n{result.stderr}")
        # What is said about a program goes to standard error; of a run, its
        # results are shown elsewhere.
        lines = (result.stdout if span or not result.stderr else result.stderr).splitlines()
        if span:
            first, last = span.split(" .. ")
            begin = next(i for i, line in enumerate(lines) if first in line)
            end = next(i for i in range(begin, len(lines)) if last in lines[i])
            lines = lines[begin : end + 1]
        text = "\n".join(lines) + "\n"
        return match.group(1) + text + match.group(4)

    old = PAGE.read_text()
    new = MARK.sub(fill, old)
    if args.check:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "docs/overview.md", "what arrc prints"))
        return 0 if old == new else 1
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
