#!/usr/bin/env python3
"""Checks the layout: one stem a pass, a test for each, files within limits."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 1000
# By what a pass works on: a dialect, a target's code, several dialects.
PREFIXES = ("arr-", "arrc-", "kernel-", "cpu-", "gpu-", "convert-", "outline-")
PASS = re.compile(r'def\s+(\w+)\s*:\s*Pass<\s*"([\w-]+)"')


def camel(flag: str) -> str:
    return "".join(w.capitalize() for w in flag.split("-"))


def main() -> int:
    errors = []
    passes = 0
    for td in sorted((ROOT / "include/arrc").rglob("*Passes.td")):
        folder = td.parent.relative_to(ROOT / "include/arrc")
        text = td.read_text()
        for match in PASS.finditer(text):
            name, flag = match.groups()
            passes += 1
            stem = re.sub(r"^(arr|arrc|kernel|cpu|gpu|convert)-", "", flag)
            if not flag.startswith(PREFIXES):
                errors.append(f"{td}: flag '{flag}' begins with none of {', '.join(PREFIXES)}")
            body = text[match.end():]
            body = body[: body.find("\n}\n")]
            for field in ("summary", "description"):
                if f"let {field}" not in body:
                    errors.append(f"{flag}: no {field} in Passes.td")
            if name.lower() not in {(camel(w) + "Pass").lower() for w in (flag, stem)}:
                errors.append(f"{flag}: its definition is called {name}")
            used = [p for p in (ROOT / "lib").rglob("*.cpp") if f"GEN_PASS_DEF_{name.upper()}" in p.read_text()]
            if not used:
                errors.append(f"{flag}: no source defines it")
            below = ROOT / "test" / (folder.parent if folder.name == "Transforms" else folder)
            tests = [p for p in below.rglob("*") if p.suffix in (".mlir", ".test")]
            if not any(flag in p.read_text() for p in tests):
                errors.append(f"{flag}: no test below test/{folder} runs it")
    for top in ("include", "lib", "tools", "runtime", "bench", "python"):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in (".cpp", ".h", ".td"):
                lines = path.read_text().count("\n")
                if lines > MAX_LINES:
                    errors.append(f"{path.relative_to(ROOT)}: {lines} lines; split it (limit {MAX_LINES})")
    print("\n".join(errors) or f"layout: {passes} passes, each with its source and test")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
