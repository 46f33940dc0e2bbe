"""`%%arr` in a shell: IPython's where it is installed, else one that stands in for it."""
import contextlib
import io
import unittest

import arrc
import numpy as np

CELL = """
# Twice <x>.
export def twice(x: f32[n]) -> f32[n] = for i { 2.0 * x[i] }
export def lambda_(k: int) -> int = k
"""


class Shell:
    def __init__(self):
        self.user_ns, self.magics = {}, {}

    def register_magic_function(self, function, magic_kind, magic_name):
        assert magic_kind == "cell"
        self.magics[magic_name] = function

    def run_cell_magic(self, name, line, cell):
        return self.magics[name](line, cell)


def make_shell():
    try:
        from IPython.core.interactiveshell import InteractiveShell
        return InteractiveShell()
    except ImportError:
        return Shell()


class Notebook(unittest.TestCase):
    def setUp(self):
        self.shell = make_shell()
        arrc.load_ipython_extension(self.shell)

    def test_functions(self):
        report = self.shell.run_cell_magic("arr", "--target=cpu", CELL)
        self.assertEqual(self.shell.user_ns["twice"](np.ones(2, "f4")).tolist(), [2, 2])
        self.assertIn("compiled for cpu:\ntwice(x: f32[n]) -> f32[n]", repr(report))
        self.assertIn("<code>twice(x: f32[n]) -&gt; f32[n]</code>", report._repr_html_())
        self.assertIn("Twice &lt;x&gt;.", report._repr_html_())

    def test_name_and_options(self):
        self.shell.run_cell_magic("arr", "--name=lib --target=cpu -O1", CELL)
        self.assertEqual(self.shell.user_ns["lib"].twice([1.0]).tolist(), [2.0])
        self.assertNotIn("twice", self.shell.user_ns)
        with self.assertRaises(ValueError):
            self.shell.magics["arr"]("--name=1", CELL) if isinstance(self.shell, Shell) else \
                arrc._notebook.run_cell("--name=1", CELL, {})

    def test_errors(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            report = self.shell.run_cell_magic("arr", "", "export def f() -> int = g")
        self.assertIsNone(report)
        self.assertIn("--> cell.arr:1:25", said.getvalue())


if __name__ == "__main__":
    unittest.main()
