#!/usr/bin/env python3
"""Checks who includes whom: a layer sees itself and those below it.

docs/development.md draws the picture; this table is what is enforced.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folder below include/arrc and lib -> (layer, words that it may not include).
LAYERS = {
    "Support": (0, ()),
    "Dialect/Array/IR": (1, ("Dialect/Kernel",)),
    "Dialect/Kernel/IR": (1, ()),
    "Analysis": (2, ()),
    "Dialect/Array/Transforms": (3, ("Dialect/Kernel",)),
    "Dialect/Kernel/Transforms": (3, ()),
    "Conversion": (4, ("Frontend", "Reference")),
    "Frontend": (4, ("Dialect/Kernel", "Conversion", "Reference", "Analysis")),
    "Reference": (4, ("Dialect/Kernel", "Conversion", "Frontend", "Analysis")),
    "Target": (5, ("Dialect/Array", "Frontend", "Reference")),
    "Pipelines": (6, ()),
    "tools": (7, ()),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:arrc|arrt)/[^"]+)"', re.M)


def folder_of(path: str):
    """The longest entry of LAYERS that `path` (below arrc/ or lib/) is in."""
    found = [f for f in LAYERS if path == f or path.startswith(f + "/")]
    return max(found, key=len, default=None)


def main() -> int:
    errors = []
    sources = []
    for top in ("include/arrc", "lib", "tools"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cpp", ".td"):
                rel = str(path.relative_to(ROOT / top))
                sources.append((path, "tools" if top == "tools" else folder_of(rel)))
    for path, folder in sources:
        if folder is None:
            continue  # InitAll.h
        layer, banned = LAYERS[folder]
        for inc in INCLUDE.findall(path.read_text()):
            where = path.relative_to(ROOT)
            if inc.startswith("arrt/"):
                # The compiler sees the list of entry points; the tools use
                # the runtime.
                if inc != "arrt/EntryPoints.def" and layer < 7:
                    errors.append(f"{where}: the compiler includes {inc}")
                continue
            target = folder_of(inc.removeprefix("arrc/"))
            if target is None:
                continue
            if LAYERS[target][0] > layer:
                errors.append(f"{where}: layer {layer} includes {inc} of layer {LAYERS[target][0]}")
            if any(inc.startswith("arrc/" + b) for b in banned):
                errors.append(f"{where}: {folder} may not see {inc}")
    for path in sorted((ROOT / "runtime").rglob("*")):
        if path.suffix in (".h", ".cpp", ".def"):
            text = path.read_text()
            for inc in re.findall(r'#\s*include\s+[<"]((?:arrc|mlir|llvm)/[^">]+)', text):
                errors.append(f"{path.relative_to(ROOT)}: the runtime includes {inc}")
    print("\n".join(errors) or f"layers: {len(sources)} files are clean")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
