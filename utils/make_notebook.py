#!/usr/bin/env python3
"""Makes a notebook of a page: its text and its blocks of Python.

    make_notebook.py PAGE.md NOTEBOOK.ipynb            writes it
    make_notebook.py --check PAGE.md NOTEBOOK.ipynb    fails if it is not what would be written
    make_notebook.py --run NOTEBOOK.ipynb              runs its cells: by nbclient where that is
                                                       installed, else one by one in this process
"""
import contextlib
import io
import json
import os
import pathlib
import re
import sys

FENCE = re.compile(r"^```python\n(.*?)^```\n", re.S | re.M)


def cells(page: str):
    """The cells of a page: kind and text."""
    end = 0
    for match in FENCE.finditer(page):
        yield "markdown", page[end:match.start()]
        yield "code", match.group(1)
        end = match.end()
    yield "markdown", page[end:]


def notebook(page: str) -> str:
    made = []
    # Pictures and links of a page are relative to its folder.
    page = re.sub(r"\]\((?!http)([\w./-]+)\)", r"](../docs/\1)", page)
    for number, (kind, text) in enumerate(cells(page)):
        if not text.strip():
            continue
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {},
                "source": text.strip("\n").splitlines(keepends=True)}
        if kind == "code":
            cell.update({"execution_count": None, "outputs": []})
        made.append(cell)
    whole = {"cells": made, "metadata": {"kernelspec": {
        "display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1) + "\n"


def run(path: pathlib.Path) -> int:
    """Runs a notebook in the folder of the project, as its first cells say."""
    try:
        import nbclient
        import nbformat
        if os.environ.get("NBCLIENT") == "off":
            raise ImportError
    except ImportError:
        names: dict = {"__name__": "__main__"}
        count = 0
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
                count += 1
        print(f"{count} cells ran in this process")
        return 0
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3").execute()
    print(f"{sum(cell.cell_type == 'code' for cell in book.cells)} cells ran by nbclient")
    return 0


def main() -> int:
    words = [pathlib.Path(word) for word in sys.argv[1:] if not word.startswith("--")]
    if "--run" in sys.argv and len(words) == 1:
        return run(words[0])
    if len(words) != 2:
        sys.exit(__doc__)
    text = notebook(words[0].read_text())
    if "--check" not in sys.argv:
        words[1].write_text(text)
    elif words[1].read_text() != text:
        print(f"{words[1]} is not what {words[0]} says: utils/make_docs.sh")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
