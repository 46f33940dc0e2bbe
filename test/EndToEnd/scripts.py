#!/usr/bin/env python3
"""Runs scripts of the transform dialect on the programs beside them.

    scripts.py --arrc=ARRC TARGET

The first line of a script says what it is for, of a legal one also which export
it changes: its results are those of the evaluator. One that is illegal says
behind the wrong step what is said of it: `// error: TEXT`.
"""
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "Inputs/scripts"
PROGRAMS = str(FOLDER / "programs.arr")
MATRIX = "x=" + str([[(7 * i + 3 * j) % 11 for j in range(37)] for i in range(29)])
VECTOR = str([(5 * i) % 13 for i in range(157)])
ARGUMENTS = {
    "scale": [MATRIX, "y=" + str(list(range(37)))],
    "rows": [MATRIX],
    "turn": [MATRIX],
    "apart": ["x=" + VECTOR, "y=" + VECTOR],
    "share": ["x=" + VECTOR],
    "both": ["x=" + VECTOR],
    "bins": ["x=" + str([(5 * i) % 26 for i in range(1570)])],
    "fixed": ["x=" + str(list(range(100)))],
}


def run_legal(arrc: str, target: str, script: pathlib.Path, words: list) -> str:
    entry = words[-1]
    command = [arrc, "run", PROGRAMS, f"--entry={entry}", f"--target={target}", "--check",
               f"--transform={script}", *ARGUMENTS[entry]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"{script.name}: {done.stderr}"
    # Without the script the code is another one.
    texts = []
    for more in ([], [f"--transform={script}"]):
        build = [arrc, "build", PROGRAMS, f"--target={target}", "--emit=scheduled", "--no-locations", *more]
        texts.append(subprocess.run(build, capture_output=True, text=True).stdout)
    if texts[0] == texts[1] and script.stem not in ("pass",):
        return f"{script.name}: it changes nothing"
    return ""


def run_illegal(arrc: str, target: str, script: pathlib.Path) -> str:
    lines = script.read_text().split("\n")
    number, text = next((k + 1, line.split("// error: ")[1].strip())
                        for k, line in enumerate(lines) if "// error: " in line)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([arrc, "build", PROGRAMS, f"--target={target}", "--emit=scheduled",
                               f"--transform={script}", "-o", f"{folder}/out.mlir"], capture_output=True, text=True)
    if not done.returncode:
        return f"{script.name}: nothing is said"
    # The first message, with its place on the line in front or on its own.
    place = f"{script.name}:{number}"
    if done.returncode != 1 or text not in done.stderr or place not in done.stderr:
        return f"{script.name}: wanted '{text}' at line {number}, got {done.returncode}:\n{done.stderr}"
    return ""


def main() -> int:
    arrc = next(word.split("=", 1)[1] for word in sys.argv if word.startswith("--arrc="))
    target = sys.argv[-1]
    problems, count = [], 0
    for folder in ("legal", "illegal"):
        for script in sorted((FOLDER / folder).glob("*.mlir")):
            words = script.read_text().split("\n", 1)[0].removeprefix("// ").split(":")[0].split()
            if target not in words:
                continue
            count += 1
            problems.append(run_legal(arrc, target, script, words) if folder == "legal"
                            else run_illegal(arrc, target, script))
    problems = [problem for problem in problems if problem]
    print("\n".join(problems) or f"{target}: {count} scripts are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
