#!/usr/bin/env python3
"""Typical mistakes, and what the compiler says about them, word for word.

check.py ARRC FOLDER [--update] [NAME..]

Every FOLDER/NAME.arr ends with the messages that `arrc check NAME.arr` prints,
as comments that begin with `#|`; `#! WORDS` in front of them names another
command. --update writes what is printed now: read the difference.
"""
import concurrent.futures
import difflib
import os
import subprocess
import sys

LEAST = 106


def run(arrc, path):
    text = open(path, encoding="utf-8").read()
    lines = text.split("\n")
    stop = next((i for i, l in enumerate(lines) if l.startswith(("#|", "#!"))), len(lines))
    source = "\n".join(lines[:stop]).rstrip("\n") + "\n"
    command = next((l[2:].split() for l in lines if l.startswith("#!")), None)
    wanted = [l[2:].removeprefix(" ") for l in lines[stop:] if l.startswith("#|")]
    name = os.path.basename(path)
    words = [os.path.abspath(arrc) if os.sep in arrc else arrc] + (command or ["check", name])
    done = subprocess.run(words, cwd=os.path.dirname(path) or ".", capture_output=True, text=True,
                          env={**os.environ, "NO_COLOR": "1", "ARRC_TARGET": "cpu", "ARRC_CACHE": "off"})
    got = done.stderr.rstrip("\n").split("\n")
    # Nothing is said of the place where the messages themselves stand.
    return source, command, wanted, got, done.returncode


def main():
    arrc, folder, *rest = sys.argv[1:]
    update = "--update" in rest
    names = [n for n in rest if n != "--update"]
    paths = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".arr")]
    if names:
        paths = [p for p in paths if os.path.basename(p)[:-4] in names]
    elif len(paths) < LEAST:
        sys.exit(f"{len(paths)} mistakes are fewer than {LEAST}")
    failed = helped = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (source, command, wanted, got, code) in zip(paths, pool.map(lambda p: run(arrc, p), paths)):
            name = os.path.basename(path)
            said = "\n".join(got)
            helped += "help: " in said
            if code not in (0, 1, 2, 3) or " --> " not in said and name + ":" not in said and not command:
                failed += 1
                print(f"{name}: exit code {code}, or no place\n{said}")
                continue
            if update:
                head = f"#! {' '.join(command)}\n" if command else ""
                body = "\n".join(("#| " + l).rstrip() for l in got)
                open(path, "w", encoding="utf-8").write(f"{source}\n{head}{body}\n")
            elif [l.rstrip() for l in got] != [l.rstrip() for l in wanted]:
                failed += 1
                print(f"{name}:")
                print("\n".join(difflib.unified_diff(wanted, got, "expected", "printed", lineterm="")))
    print(f"{len(paths)} mistakes, {helped} with help, {failed} failed")
    sys.exit(failed != 0)


main()
