#!/usr/bin/env python3
"""Every explanation: the wrong program gets the message, the right one none.

explain.py ARRC EXPLANATIONS DIAGNOSTICS FOLDER
"""
import concurrent.futures
import os
import re
import subprocess
import sys

VEC = "def half(x: f32) -> f32 = 0.5 * x\ndef _half(x: f32) -> f32 = 0.5 * x\n"


def read(path):
    entries, entry = {}, None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line[:1] in "-+:$!" and line[1:2] == " ":
            entry.setdefault(line[0], []).append(line[2:])
        elif line:
            code, why = line.split(" ", 1)
            assert code not in entries, f"{code} stands twice"
            entry = entries[code] = {"why": why}
    return entries


def check(arrc, folder, words, text):
    """The codes that a program gets."""
    os.makedirs(folder, exist_ok=True)
    for name, content in (("wrong.arr", text), ("vec.arr", VEC), ("wrong-name.arr", VEC), ("my-vectors.arr", VEC)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(content)
    done = subprocess.run([arrc, "check", "--message-format=short", "wrong.arr"] + words, cwd=folder,
                          capture_output=True, text=True)
    # What is refused for now is met where code is made.
    if done.returncode == 0 and "export def" in text:
        made = subprocess.run([arrc, "build", "--emit=array", "--message-format=short", "wrong.arr", "-o", "-"] + words,
                              cwd=folder, capture_output=True, text=True)
        done.stderr += made.stderr
        done.returncode = made.returncode
    return re.findall(r"(?:error|warning|remark)\[(\w+)\]", done.stderr), done.returncode, done.stderr


def judge(job):
    arrc, folder, code, entry = job
    words = entry.get("$", [""])[0].split()
    wrong = "\n".join(entry["-"]) + "\n"
    right = "\n".join(entry["+"]) + "\n"
    codes, status, said = check(arrc, os.path.join(folder, code, "wrong"), words, wrong)
    if code not in codes or code[0] != "E" and status:
        return f"{code}: the wrong program gets {codes}\n{wrong}{said}"
    # The words of the command line are what is wrong with them.
    codes, status, said = check(arrc, os.path.join(folder, code, "right"), [] if code == "E0011" else words, right)
    if status or [c for c in codes if c == code or c[0] == "E"]:
        return f"{code}: the right program gets {codes}\n{right}{said}"
    return ""


def main():
    arrc, path, diagnostics, folder = sys.argv[1:]
    entries = read(path)
    known = set(re.findall(r'^DIAG\(\w+, "(\w+)"', open(diagnostics, encoding="utf-8").read(), re.M))
    problems = [f"{code} is not explained" for code in sorted(known - set(entries))]
    problems += [f"{code} is no code" for code in sorted(set(entries) - known)]
    problems += [f"{c} has neither programs nor a reason" for c, e in entries.items()
                 if not ("!" in e or "-" in e and "+" in e)]
    jobs = [(arrc, folder, c, e) for c, e in entries.items() if "-" in e and "+" in e and "!" not in e]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems += [p for p in pool.map(judge, jobs) if p]
    print("\n".join(problems))
    print(f"{len(entries)} messages explained, {len(jobs)} shown, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
