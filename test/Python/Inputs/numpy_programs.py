"""Programs in NumPy's text, by NumPy and by arrc.numpy.

    numpy_programs.py FOLDER [--mixed] [NAME ..]

With --mixed NumPy computes what is small, and parts of arrays are written in place.
"""
import pathlib
import sys
import time

import numpy
import arrc.numpy
from arrc.numpy import _execute, _graph, _inplace

FOLDER = pathlib.Path(sys.argv[1])
MIXED = "--mixed" in sys.argv
NAMES = [name for name in sys.argv[2:] if name != "--mixed"] or sorted(path.stem for path in FOLDER.glob("*.py"))


def load(name: str, module):
    scope = {"__name__": name}
    code = compile((FOLDER / f"{name}.py").read_text().replace("import numpy as np", ""),
                   f"{name}.py", "exec")
    scope["np"] = module
    exec(code, scope)
    return scope["run"]


assert len(NAMES) >= 1
arrc.numpy.errors("ignore" if MIXED else "raise")
if MIXED:
    arrc.numpy.eager(32)
    _graph.recorder.heavy, _execute.CALL, _execute.COMPILE, _execute.SHARE = 128, 0, 0, 0
failed = []
for name in NAMES:
    wanted = numpy.asarray(load(name, numpy)())
    before, start = _execute.counts["programs"], time.time()
    found = numpy.asarray(load(name, arrc.numpy)())
    first, start = time.time() - start, time.time()
    numpy.asarray(load(name, arrc.numpy)())
    print(f"{name}: {_execute.counts['programs'] - before} programs, first {first:.3f} s, "
          f"second {time.time() - start:.3f} s")
    if found.shape != wanted.shape or not numpy.allclose(found, wanted, 1e-9, 1e-12):
        failed.append(name)
        print(f"{name}: {found}\nand not\n{wanted}")
print(f"{_inplace.counts['writes']} parts written in place")
assert _inplace.counts["writes"] or not MIXED
sys.exit(f"wrong: {', '.join(failed)}" if failed else 0)
