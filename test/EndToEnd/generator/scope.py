"""What a program can name at one place, and what it has used so far."""

import contextlib
import random
from collections import Counter

SIGNED = ["i8", "i16", "i32", "int"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
# What rounds, and what no order is defined of.
INEXACT = FLOATS + COMPLEX
UNORDERED = ("bool", *COMPLEX)
KINDS = INTS + FLOATS + ["bool"] + COMPLEX
# The types of the parts of complex numbers, and those whose values a type holds all.
PART = {"c64": "f32", "c128": "f64"}
NARROWER = {"i16": ["i8", "u8"], "i32": ["i8", "i16", "u8", "u16"], "u16": ["u8"],
            "int": ["i8", "i16", "i32", "u8", "u16", "u32"], "u32": ["u8", "u16"],
            "u64": ["u8", "u16", "u32"], **{k: INTS for k in FLOATS}, **{
                k: [*INTS, part] for k, part in PART.items()}}


class Var:
    """An array or a number. `dims` are names of sizes, ("?",) for a size that
    changes, () for numbers. Elements of an array of structs are named with the
    field behind the subscript. What is `soft` has rounding errors that differ
    between targets: nothing that jumps may depend on it."""

    def __init__(self, name, kind, dims=(), soft=False, field=None):
        self.name, self.kind, self.dims = name, kind, tuple(dims)
        self.soft, self.field = soft, field

    @property
    def whole(self):
        return self.name + (f".{self.field}" if self.field else "")

    def at(self, *index):
        text = f"{self.name}[{', '.join(index)}]" if index else self.name
        return text + (f".{self.field}" if self.field else "")


class Coverage:
    """Which constructs programs use: how often, of what type, how deep, inside
    of which others, and which two occur in one program."""

    def __init__(self):
        self.uses, self.inside, self.pairs = Counter(), Counter(), Counter()

    def add(self, program):
        self.uses.update(program.uses)
        self.inside.update(program.inside)
        names = sorted({use[0] for use in program.uses})
        self.pairs.update((a, b) for k, a in enumerate(names) for b in names[k:])

    def report(self, wanted=20, out=print):
        names = sorted({use[0] for use in self.uses})
        kinds = sorted({use[1] for use in self.uses if use[1]})
        out(f"constructs: {len(names)}, types: {len(kinds)}")
        out(f"{'construct':<18}{'programs':>9}{'uses':>8}   by nesting 0, 1, 2, 3+;"
            " types")
        for name in names:
            mine = {use: k for use, k in self.uses.items() if use[0] == name}
            depth = Counter()
            for (_, _, level), k in mine.items():
                depth[min(level, 3)] += k
            types = sorted({kind for _, kind, _ in mine if kind})
            out(f"{name:<18}{self.pairs[name, name]:>9}{sum(mine.values()):>8}   "
                f"{depth[0]}, {depth[1]}, {depth[2]}, {depth[3]}; {' '.join(types)}")
        combinations = {(name, kind) for name, kind, _ in self.uses if kind}
        out(f"constructs x types: {len(combinations)}, x nesting: {len(self.uses)}")
        pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1:]]
        few = sorted((self.pairs[pair], pair) for pair in pairs
                     if self.pairs[pair] < wanted)
        least = min((self.pairs[pair] for pair in pairs), default=0)
        out(f"pairs in one program: {len(pairs)}, the rarest {least} times, "
            f"{len(few)} fewer than {wanted} times")
        for count, (a, b) in few[:20]:
            out(f"  {count} x {a}, {b}")
        out(f"constructs inside of others: {len(self.inside)} pairs")


class Scope:
    """Names, and the state of a generator."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arrays, self.scalars, self.mutable = [], [], []
        self.views, self.functions, self.lambdas = [], [], []
        self.sizes = ["n", "m"]
        self.count, self.level, self.exact = 0, 0, 0
        self.soft = False
        self.budget = 0
        self.uses, self.inside, self.stack = Counter(), Counter(), []

    # Chance.

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def number(self, low, high):
        return self.random.randint(low, high)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    # What is used.

    def use(self, construct, kind=""):
        self.budget -= 1
        self.uses[construct, kind, self.level] += 1
        for outer in set(self.stack):
            self.inside[outer, construct] += 1

    @contextlib.contextmanager
    def within(self, construct, kind=""):
        """Everything that is made in the block is inside of `construct`."""
        self.use(construct, kind)
        self.stack.append(construct)
        yield
        self.stack.pop()

    @contextlib.contextmanager
    def block(self, pure=False, deeper=False):
        """Names of the block end with it; a pure one assigns nothing outside."""
        saved = (self.arrays, self.scalars, self.mutable, self.views, self.lambdas)
        self.arrays, self.scalars = list(saved[0]), list(saved[1])
        self.mutable = [] if pure else list(saved[2])
        self.views, self.lambdas = list(saved[3]), list(saved[4])
        self.level += deeper
        yield
        self.level -= deeper
        (self.arrays, self.scalars, self.mutable, self.views, self.lambdas) = saved

    @contextlib.contextmanager
    def exactly(self):
        """Nothing soft is read or computed in the block."""
        self.exact += 1
        yield
        self.exact -= 1

    @contextlib.contextmanager
    def softness(self):
        """Gives a list that holds, behind the block, whether it was soft."""
        saved, self.soft = self.soft, False
        result = []
        yield result
        result.append(self.soft)
        self.soft = self.soft or saved

    def readable(self, variables, kind=None, dims=None):
        return [v for v in variables if (kind is None or v.kind == kind)
                and (dims is None or v.dims == tuple(dims))
                and not (self.exact and v.soft)]
