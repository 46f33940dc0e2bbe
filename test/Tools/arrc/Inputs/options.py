#!/usr/bin/env python3
"""Each row of the table of options is known to the tool and stands in a page of
docs; each command has help, and what its help names stands in the table.
options.py ARRC ROOT"""
import glob
import re
import subprocess
import sys

arrc, root = sys.argv[1:]
table = open(f"{root}/tools/arrc/Options.cpp").read()
page = open(f"{root}/docs/commands.md").read()
pages = "".join(open(path).read() for path in glob.glob(f"{root}/docs/*.md"))
options = re.findall(r'^    \{"(-[^"]+)", "([^"]*)",\s*"([^"]*)', table, re.M)
verbs = re.findall(r'^    \{"(\w+)", "', table.split("constexpr VerbRow verbs[]")[1], re.M)
problems = []
for name, of, value in options:
    for verb in of.split():
        if verb not in ("run", "build", "check"):
            continue
        words = [arrc, verb, name] if not value else [arrc, verb, f"{name}=x" if name[:2] == "--" or name == "-o" else name + "x=1"]
        said = subprocess.run(words, capture_output=True, text=True).stderr
        if "unknown option" in said or "goes with" in said and "--arch" not in name:
            problems.append(f"{verb} {name}: {said}")
    if name not in pages and not name.startswith("-O"):
        problems.append(f"{name} is not in docs")
for verb in verbs:
    said = subprocess.run([arrc, "help", verb], capture_output=True, text=True)
    if said.returncode:
        problems.append(f"no help about {verb}")
    # Options stand at the beginning of a line, with their values in capitals.
    for line in re.findall(r"^  (-.*)", said.stdout, re.M):
        for name in re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", line.split("  ")[0]):
            if not name.startswith("-O") and not any(name == o and verb in of.split() for o, of, _ in options):
                problems.append(f"{verb} {name} is not in the table")
# Completion offers all commands that the overview names.
overview = subprocess.run([arrc, "help"], capture_output=True, text=True).stdout
for verb in re.findall(r"^  arrc ([a-z]+)\b", overview, re.M):
    if verb not in verbs:
        problems.append(f"{verb} is not in the table")
    if f"arrc {verb}" not in page:
        problems.append(f"{verb} is not in docs/commands.md")
print("\n".join(problems))
print(f"{len(options)} options, {len(verbs)} commands, {len(problems)} problems")
sys.exit(bool(problems))
