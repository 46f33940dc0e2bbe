#!/usr/bin/env python3
"""Runs what the documentation shows.

    check_docs.py --build BUILD FILE.md ...

In each page, in its order, the commands of a ```sh block are run by bash in the
tree as `utils/setup.sh` leaves it: the project's files, the build, and what the
set-up made in build/demo. Each ```arr block must pass `arrc check`. The ```python
blocks of a page are one script, which is run where the build has the package for
Python. A block after `<!-- not run: why -->` is left out, one after
`<!-- not with sanitizers: why -->` in a build that has one.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.S | re.M)


def blocks(text: str, sanitized: bool):
    """Language, line and text of each block that is to be run."""
    unwanted = ("<!-- not run:", *["<!-- not with sanitizers:"] * sanitized)
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip().rsplit("\n", 1)[-1]
        if match.group(1) in ("sh", "arr", "python") and not before.startswith(unwanted):
            yield match.group(1), text.count("\n", 0, match.start()) + 1, match.group(2)


def joined(found):
    """The same, with all blocks of Python as the last one, lines kept."""
    script, first = "", 0
    for language, line, text in found:
        if language != "python":
            yield language, line, text
            continue
        first = first or line
        script += "\n" * (line - first - script.count("\n")) + text
    if script:
        yield "python", first, script


def scratch(build: pathlib.Path) -> tempfile.TemporaryDirectory:
    """The tree behind the set-up; what is written there touches no other."""
    folder = tempfile.TemporaryDirectory()
    here = pathlib.Path(folder.name)
    for path in ROOT.iterdir():
        if path.name not in ("build", ".git"):
            (here / path.name).symlink_to(path)
    (here / "build").mkdir()
    (here / "build/dev").symlink_to(build)
    subprocess.run([here / "utils/setup.sh", "--run-only"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return folder


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    ran = failed = 0
    cache = args.build / "CMakeCache.txt"
    sanitized = cache.exists() and bool(re.search(r"^CMAKE_CXX_FLAGS:.*-fsanitize", cache.read_text(), re.M))
    with scratch(args.build.resolve()) as folder:
        for page in args.pages:
            for language, line, text in joined(blocks(page.read_text(), sanitized)):
                if language == "python":
                    package = args.build.resolve() / "python"
                    if not (package / "arrc").exists():
                        print(f"{page}:{line}: no package for Python in {args.build}: left out")
                        continue
                    command = ["env", f"PYTHONPATH={package}", sys.executable, "-c", text]
                elif language == "arr":
                    pathlib.Path(folder, "page.arr").write_text(text)
                    command = ["build/dev/bin/arrc", "check", "page.arr"]
                else:
                    command = ["bash", "-euo", "pipefail", "-c", text]
                result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                ran += 1
                if result.returncode != 0:
                    failed += 1
                    print(f"{page}:{line}: ended with {result.returncode}\n{result.stdout}{result.stderr}")
    print(f"{ran} blocks, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
