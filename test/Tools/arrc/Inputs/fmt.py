#!/usr/bin/env python3
"""Every program of the repository: formatting it changes no token and no
comment, and formatting it again changes nothing.

fmt.py ARRC ROOT [--least N]
"""
import concurrent.futures
import os
import re
import subprocess
import sys


def pieces(text):
    """Lines without blanks between tokens; strings and comments as they are."""
    result = []
    for line in text.split("\n"):
        found = re.findall(r'"(?:\\.|[^"\\])*"?|#.*|\s+|[^\s"#]+', line.lstrip("\ufeff"))
        kept = [p.rstrip() if p.startswith("#") else p for p in found if not p.isspace()]
        # What stands before a comment or string may have been one word with it.
        joined = "\0".join(p if p[:1] in '"#' else "\1" + p for p in kept)
        joined = joined.replace("\0\1", "").replace("\1", "")
        if joined:
            result.append(joined)
    return result


def judge(job):
    arrc, path = job
    with open(path, "rb") as file:
        before = file.read()
    first = subprocess.run([arrc, "fmt", "-"], input=before, capture_output=True)
    if first.returncode == 1:
        return path, None
    if first.returncode:
        return path, first.stderr.decode()
    again = subprocess.run([arrc, "fmt", "-"], input=first.stdout, capture_output=True)
    if again.stdout != first.stdout:
        return path, "formatted twice it is another text"
    old, new = pieces(before.decode().replace("\r", "")), pieces(first.stdout.decode())
    if old != new:
        return path, next((f"{a!r} became {b!r}" for a, b in zip(old, new) if a != b), "lines are lost")
    return path, ""


def main():
    arrc, root, *rest = sys.argv[1:]
    paths = [os.path.join(folder, name) for top in ("examples", "bench", "test", "python")
             for folder, _, names in os.walk(os.path.join(root, top)) for name in names if name.endswith(".arr")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(judge, [(arrc, p) for p in sorted(paths)]))
    problems = [f"{p}: {e}" for p, e in done if e]
    # Tests of what is no token are none.
    formatted = sum(e is not None for _, e in done)
    print("\n".join(problems))
    print(f"{formatted} of {len(done)} programs formatted, {len(problems)} problems")
    sys.exit(bool(problems) or formatted < 200)


main()
