"""`%%arr` in notebooks: the exports of a cell become functions there.

    %load_ext arrc

    %%arr --target=cpu --name=lib
    export def f(x: f32[n]) -> f32 = sum(x)
"""

from __future__ import annotations

import html
import sys

from ._errors import CompileError
from ._program import Program, compile
from ._signature import python_name


def parse_line(line: str) -> tuple[str | None, list[str]]:
    """`--name=NAME`, which is the notebook's, and the options of the compiler."""
    words = line.split()
    names = [word.removeprefix("--name=") for word in words if word.startswith("--name=")]
    if names and not names[-1].isidentifier():
        raise ValueError(f"--name={names[-1]}: this is no name of Python")
    return names[-1] if names else None, [w for w in words if not w.startswith("--name=")]


class Report:
    """What a cell made: shown as a list of functions."""

    def __init__(self, program: Program):
        self.program = program

    def __repr__(self) -> str:
        lines = [function.__doc__.rpartition("\n")[2] for function in self._functions()]
        return "\n".join([f"compiled for {self.program.device}:", *lines])

    def _repr_html_(self) -> str:
        rows = "".join("<tr><td style='text-align: left'><code>{}</code></td>"
                       "<td style='text-align: left'>{}</td></tr>".format(
                           html.escape(declared), html.escape(comment.strip()))
                       for comment, _, declared in (f.__doc__.rpartition("\n")
                                                    for f in self._functions()))
        return (f"<table><thead><tr><th>compiled for {html.escape(self.program.device)}</th>"
                f"<th></th></tr></thead>{rows}</table>")

    def _functions(self):
        return [self.program[name] for name in self.program]


def run_cell(line: str, cell: str, names: dict) -> Report | None:
    """Compiles a cell and puts its exports into `names`. Prints the message if it fails."""
    name, options = parse_line(line)
    try:
        program = compile(cell, "cell.arr", options=options)
    except CompileError as error:
        print(error, file=sys.stderr)
        return None
    if name:
        names[name] = program
    else:
        for export in program:
            names[python_name(export)] = program[export]
    return Report(program)


def register(shell) -> None:
    """Adds `%%arr` to a shell of IPython."""
    def arr(line: str, cell: str) -> Report | None:
        return run_cell(line, cell, shell.user_ns)
    arr.__doc__ = run_cell.__doc__
    shell.register_magic_function(arr, magic_kind="cell", magic_name="arr")
