#!/usr/bin/env python3
"""Checks who includes whom: a layer sees itself and those below it.

docs/development.md draws the picture; these tables are what is enforced. A
large layer is divided into rooms, which stand on floors in the same way: a
file of a room sees its own room and the rooms of lower floors.

    check_layers.py [ROOT]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()

# Folder below include/arrc and lib -> (layer, words that it may not include).
LAYERS = {
    "Support": (0, ()),
    "Dialect/Array/IR": (1, ("Dialect/Kernel",)),
    "Dialect/Kernel/IR": (1, ()),
    "Analysis": (2, ()),
    "Dialect/Array/Transforms": (3, ("Dialect/Kernel",)),
    "Dialect/Kernel/Transforms": (3, ()),
    "Dialect/Kernel/TransformOps": (4, ("Conversion", "Frontend", "Reference")),
    "Conversion": (4, ("Frontend", "Reference")),
    "Frontend": (4, ("Dialect/Kernel", "Conversion", "Reference", "Analysis")),
    "Reference": (4, ("Dialect/Kernel", "Conversion", "Frontend", "Analysis")),
    "Target": (5, ("Dialect/Array", "Frontend", "Reference")),
    "Pipelines": (6, ()),
    "tools": (7, ()),
}

# Layer -> its rooms, each with its floor.
ROOMS = {
    "Dialect/Kernel/Transforms": {
        "Shared": 0, "Plan": 1, "Apply": 1, "Memory": 1, "Form": 2, "Place": 2,
    },
    "Frontend": {"Syntax": 0, "Sizes": 0, "Check": 1, "Import": 2},
    "Conversion": {"KernelToHost": 0, "ArrayToKernel": 0, "KernelToSCF": 1, "KernelToGPU": 1},
    "Target": {"CPU": 0, "GPU": 1, "PTX": 2, "SPIRV": 2},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def folder_of(path: str):
    """The longest entry of LAYERS that `path` (below arrc/ or lib/) is in."""
    found = [f for f in LAYERS if path == f or path.startswith(f + "/")]
    return max(found, key=len, default=None)


def room_of(path: pathlib.Path, folder: str):
    """The room that a source lies in; a public header has that of its source."""
    rooms = ROOMS.get(folder, {})
    for part in path.parts:
        if part in rooms:
            return part
    if path.is_relative_to(ROOT / "include"):
        for room in rooms:
            if (ROOT / "lib" / folder / room / (path.stem + ".cpp")).exists():
                return room
    return None


def resolve(path: pathlib.Path, inc: str):
    """The project's file that `path` includes as `inc`; None for others'."""
    if inc.startswith("arrc/"):
        found = ROOT / "include" / inc
        return found if found.exists() else None  # else made by TableGen
    if inc.startswith("arrt/"):
        return ROOT / "runtime/include" / inc
    found = (path.parent / inc).resolve()
    return found if found.exists() else None


def check(path: pathlib.Path, top: str) -> list:
    """What is wrong with the includes of `path`, which lies below `top`."""
    rel = str(path.relative_to(ROOT / top))
    folder = "tools" if top == "tools" else folder_of(rel)
    where = path.relative_to(ROOT)
    if folder is None:
        return []  # InitAll.h
    layer, banned = LAYERS[folder]
    rooms = ROOMS.get(folder, {})
    room = room_of(path, folder)
    errors = []
    if rooms and top == "lib" and room is None and len(path.relative_to(ROOT / top / folder).parts) > 1:
        errors.append(f"{where}: {folder} has no room of this name (utils/check_layers.py lists them)")
    for inc in INCLUDE.findall(path.read_text()):
        if inc.startswith("arrt/"):
            # The compiler sees the list of entry points; the tools use
            # the runtime.
            if inc != "arrt/EntryPoints.def" and layer < 7:
                errors.append(f"{where}: the compiler includes {inc}")
            continue
        target = resolve(path, inc)
        relative = not inc.startswith("arrc/")
        if target is not None and target.is_relative_to(ROOT / "include/arrc"):
            other = folder_of(str(target.relative_to(ROOT / "include/arrc")))
        elif target is not None and target.is_relative_to(ROOT / "lib"):
            other = folder_of(str(target.relative_to(ROOT / "lib")))
        elif target is None and not relative:
            other = folder_of(inc.removeprefix("arrc/"))
        elif target is not None and target.is_relative_to(ROOT / "tools"):
            other = "tools"
        elif target is not None:
            errors.append(f"{where}: includes {inc}, which lies outside of the compiler")
            continue
        else:
            continue  # of a library
        if other is None:
            continue
        if relative and other != folder:
            errors.append(f"{where}: includes {inc}, a private header of {other}")
        if LAYERS[other][0] > layer:
            errors.append(f"{where}: layer {layer} includes {inc} of layer {LAYERS[other][0]}")
        if any(other == b or other.startswith(b + "/") for b in banned):
            errors.append(f"{where}: {folder} may not see {inc}")
        if other == folder and rooms and room and target is not None:
            its = room_of(target, folder)
            if its and its != room and rooms[its] >= rooms[room]:
                errors.append(f"{where}: room {room} includes {inc} of room {its}, which is on no lower floor")
    return errors


def main() -> int:
    errors = []
    sources = 0
    for top in ("include/arrc", "lib", "tools"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cpp", ".td"):
                sources += 1
                errors += check(path, top)
    for path in sorted((ROOT / "runtime").rglob("*")):
        if path.suffix in (".h", ".cpp", ".def"):
            text = path.read_text()
            for inc in re.findall(r'#\s*include\s+[<"]((?:arrc|mlir|llvm)/[^">]+)', text):
                errors.append(f"{path.relative_to(ROOT)}: the runtime includes {inc}")
    print("\n".join(errors) or f"layers: {sources} files are clean")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
