"""Random programs of NumPy's, beside NumPy: views, writes, types, folds.

    numpy_random.py [SEED [PROGRAMS [WAY]]]

A WAY is `programs` (each operation in a program), `evaluated` (recorded, and computed by
NumPy in the end), `at-once` (small ones computed by NumPy when they come), `mixed`, where
arrays are memory of NumPy's and recorded in turn as often as can be.
"""
import random
import sys
import traceback
import warnings

import numpy
import arrc.numpy
from arrc.numpy import _graph, _inplace, _memory

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 7
PROGRAMS = int(sys.argv[2]) if len(sys.argv) > 2 else 25
WAY = sys.argv[3] if len(sys.argv) > 3 else "programs"
#: Elements of what NumPy computes at once, and of what is run early.
LIMITS = {"programs": (0, 1 << 15), "evaluated": (1, 1 << 15), "at-once": (8192, 1 << 15),
          "mixed": (6, 8)}
TYPES = ["bool", "int8", "uint8", "int32", "uint16", "int64", "uint64", "float32", "float64"]
UNARY = ["negative", "absolute", "square", "sqrt", "exp", "floor", "sign", "isnan", "rint",
         "logical_not", "tanh", "cos"]
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum",
          "minimum", "less", "equal", "greater_equal", "logical_and", "arctan2", "not_equal",
          "bitwise_xor", "bitwise_and"]
FOLDS = ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean"]


class Program:
    """One text, which both run."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        #: Names of arrays with NumPy's values, which say what fits.
        self.names: dict[str, numpy.ndarray] = {}
        self.scope = {"np": numpy}
        data = numpy.random.default_rng(seed)
        self.inputs = {}
        for k in range(3):
            kind = self.chance.choice(TYPES)
            shape = tuple(self.chance.choice([1, 3, 4, 6]) for _ in range(self.chance.choice([1, 2, 2, 3])))
            made = data.integers(-3, 9, shape) if kind[0] != "u" else data.integers(0, 9, shape)
            made = made.astype(kind)
            if kind.startswith("float"):
                made += data.random(shape).astype(kind)
            self.inputs[f"a{k}"] = made
        self.scope.update({name: value.copy() for name, value in self.inputs.items()})

    def try_line(self, line: str) -> bool:
        """Adds a line that NumPy runs, if it fits."""
        trial = dict(self.scope)
        try:
            with warnings.catch_warnings(), numpy.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec(line, trial)
        except (TypeError, ValueError, IndexError, numpy.core._exceptions._UFuncNoLoopError
                if numpy.__version__ < "2" else TypeError):
            return False
        made = trial[line.split(" ")[0].split("[")[0].split(".")[0]]
        if isinstance(made, numpy.ndarray) and (made.size > 4000 or made.dtype == "float16"):
            return False
        self.scope = trial
        self.lines.append(line)
        return True

    def arrays(self) -> list[str]:
        return [name for name, value in self.scope.items() if isinstance(value, numpy.ndarray)]

    def key(self, shape: tuple) -> str:
        parts, chance = [], self.chance
        for size in shape:
            parts.append(chance.choice([
                ":", ":", "1:", ":-1", "::2", "::-1", f"{chance.randrange(-size, size) if size else 0}",
                "1:3", "None, :", "-2::-1"]))
        if chance.random() < 0.2:
            parts[-1:] = ["..."]
        return ", ".join(parts)

    def line(self, number: int) -> str:
        chance = self.chance
        a, b = chance.choice(self.arrays()), chance.choice(self.arrays())
        shape = self.scope[a].shape
        name = f"t{number}"
        rank = max(len(shape), 1)
        kind = chance.randrange(15)
        axis = chance.choice([None, chance.randrange(rank), -1])
        if kind < 2:
            return f"{name} = np.{chance.choice(BINARY)}({a}, {b})"
        if kind == 2:
            return f"{name} = np.{chance.choice(UNARY)}({a})"
        if kind < 5:
            return f"{name} = {a}[{self.key(shape)}]"
        if kind < 7:
            return f"{a}[{self.key(shape)}] {chance.choice(['=', '=', '+=', '-=', '*='])} {chance.choice([b, '2', '1'])}"
        if kind == 7:
            return f"{a} {chance.choice(['+=', '-=', '*=', '|='])} {chance.choice([b, '2', '3'])}"
        if kind == 8:
            return (f"{name} = np.{chance.choice(FOLDS)}({a}, axis={axis}, "
                    f"keepdims={chance.random() < 0.3})")
        if kind == 9:
            # NumPy keeps the order of memory of what it makes of transposes.
            copy = "" if self.scope[a].flags.c_contiguous else ".copy()"
            return f"{name} = {a}{copy}.reshape({chance.choice(['-1', '2, -1', '-1, 3', '3, 2, -1'])})"
        if kind == 10:
            return f"{name} = {chance.choice([f'{a}.T', f'{a}.swapaxes(0, -1)', f'np.diagonal({a})'])}"
        if kind == 11:
            return f"{name} = {a}.astype('{chance.choice(['float64', 'int64', 'float32', 'bool'])}')"
        if kind == 12:
            return f"{name} = np.where({a} > {b}, {a}, {b})"
        if kind == 13:
            function = chance.choice(["cumsum", "sort", "argsort", "flip"])
            stable = ", kind='stable'" if function == "argsort" else ""
            return f"{name} = np.{function}({a}, axis={chance.randrange(rank)}{stable})"
        return f"{name} = {a}[[0, -1, 0]]" if chance.random() < 0.5 and self.scope[a].size else f"{name} = np.concatenate([{a}, {a}[::-1]])"


def same(ours, theirs) -> bool:
    ours = numpy.asarray(ours)
    theirs = numpy.asarray(theirs)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if theirs.dtype.kind in "fc":
        single = theirs.dtype.itemsize == 4 or True
        return numpy.allclose(ours, theirs, 2e-4 if single else 1e-9, 1e-5, equal_nan=True)
    return numpy.array_equal(ours, theirs)


def check(seed: int) -> list[str]:
    program = Program(seed)
    for number in range(14):
        for _ in range(20):
            # The values of floats decide nothing, and those of no number go nowhere.
            if program.try_line(program.line(number)):
                break
    ours = {"np": arrc.numpy}
    ours.update({name: arrc.numpy.array(value) for name, value in program.inputs.items()})
    wrong = []
    try:
        for line in program.lines:
            exec(line, ours)
        for name, value in program.scope.items():
            if isinstance(value, (numpy.ndarray, numpy.generic)) and not same(ours[name], value):
                wrong.append(f"{name}: {numpy.asarray(ours[name])!r}\nand not\n{value!r}")
    except Exception as problem:
        wrong.append(traceback.format_exc(limit=-4))
    if wrong:
        given = "\n".join(f"{name} = {value!r}" for name, value in program.inputs.items())
        wrong.insert(0, f"seed {seed}:\n{given}\n" + "\n".join(program.lines))
    return wrong


def main() -> int:
    arrc.numpy.errors("raise")
    eager, _graph.recorder.heavy = LIMITS[WAY]
    if eager:
        arrc.numpy.errors("ignore")
        arrc.numpy.eager(eager)
    if WAY == "mixed":
        _memory.TOUCHES = 0
    failed = 0
    with numpy.errstate(all="ignore"):
        for seed in range(SEED, SEED + PROGRAMS):
            wrong = check(seed)
            if wrong:
                failed += 1
                print("\n".join(wrong[:2]), end="\n\n")
    print(f"{PROGRAMS} programs, {failed} failed, {_inplace.counts['writes']} parts in place, "
          f"{_memory.counts['held']} held, {_memory.counts['released']} released")
    if WAY == "mixed" and PROGRAMS >= 300:
        assert _memory.counts["held"] and _memory.counts["released"]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
