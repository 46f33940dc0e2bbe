"""Makes programs of what is recorded, and keeps them by structure.

The structure of a graph is its operations, types, ranks, which sizes are equal, and the
steps of its views. Numbers are parameters. Sizes and starts are parameters too, except
where the first graph of a structure tells more (a size is 3, or another one less 2):
what turns out to vary is a parameter from the second graph on.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import time

import numpy

from .. import RunError, _core
from . import _compiling, _evaluate, _graph, _inplace, _measure
from ._builder import LIMIT
from ._graph import Node
from ._writer import Writer

#: Sizes that programs have as numbers, and distances of sizes that they know.
SMALL, NEAR = 4, 4
#: Starts that programs have as numbers.
CLOSE = 8

#: Programs run where NumPy takes longer than this many seconds. They are compiled where it
#: takes longer than that, and else when it has taken a share of what the compiler is expected
#: to take, which is FIRST seconds and later what it took. NumPy goes on meanwhile.
CALL, COMPILE, SHARE, FIRST = 60e-6, 0.05, 0.1, 0.2

#: What comes again only after more graphs than RECENT is compiled when NumPy has taken RARE
#: seconds: it is no loop's.
RECENT, RARE = 8, 0.25

#: Where there is a program NumPy is given so many times its usual seconds.
TRIAL = 1.2

#: Structures that are remembered.
MOST_STRUCTURES = 4096

_structures: dict = {}
_target: list = [None]
#: Up to how many elements operations are NumPy's at once; None: not measured yet.
_eager: list = [None]
#: So many elements that NumPy computes all at once, and whether it does for errors of floats.
ALL, _heeds_errors = 1 << 60, [False]
#: How often lately it was too low; None: it is the script's.
_too_low: list = [0]
#: How often that has to be.
PATIENCE = 16
#: What was done: for tests and the curious.
counts = {"programs": 0, "runs": 0, "evaluated": 0, "seconds": 0.0}


def device(name: str | None = None) -> str | None:
    """Where programs run: sets it if `name` is given (`cpu`, `cuda`, `cuda:1`, ..)."""
    if name is not None:
        _graph.flush()
        _target[0] = name
        settle_eager()
    return _target[0] or os.environ.get("ARRC_TARGET") or "cpu"


def settle_eager() -> None:
    """Lets NumPy compute what is small, where that is the host's and no error."""
    from . import _fallback
    is_host = (device() or "cpu") == "cpu" and _fallback.errors() != "raise"
    if is_host and _eager[0] is None:
        _eager[0] = _measure.break_even()
    _graph.eager(0 if not is_host else ALL if _heeds_errors[0] else _eager[0])


def _heed_errors() -> None:
    """Lets NumPy compute all at once where the script hears of errors of floats."""
    heeds = not {"ignore", "warn"}.issuperset(numpy.geterr().values())
    if heeds != _heeds_errors[0]:
        _heeds_errors[0] = heeds
        settle_eager()


class errstate(contextlib.ContextDecorator):
    """`numpy.errstate`."""

    def __init__(self, **given):
        self._given = given

    def __enter__(self):
        self._state = numpy.errstate(**self._given)
        self._state.__enter__()
        _heed_errors()

    def __exit__(self, *problem):
        self._state.__exit__(*problem)
        _heed_errors()


def seterr(*args, **kwargs) -> dict:
    """`numpy.seterr`."""
    old = numpy.seterr(*args, **kwargs)
    _heed_errors()
    return old


def eager(elements: int | None = None) -> int:
    """Up to how many elements operations are NumPy's, at once; sets it if it is given.

    It is 0 on other devices than the host, and where what NumPy computes is an error.
    """
    if elements is not None:
        _eager[0], _too_low[0] = int(elements), None
        settle_eager()
    return _graph.eager()


class _Sizes:
    """Sizes and starts of a graph, as what a program has in their place."""

    def __init__(self, values: list, starts: list):
        self.values: list[int] = values
        #: Start and size of its dimension, one a slot.
        self.starts: list[tuple] = starts

    def forms(self, general: frozenset) -> tuple:
        """For each size and start what it is: a number, near another one, a parameter."""
        forms, free = [], []
        for k, value in enumerate(self.values):
            form = None
            if k not in general:
                if value <= SMALL:
                    form = ("number", value)
                else:
                    form = next((("near", j, value - self.values[j]) for j in free
                                 if abs(value - self.values[j]) <= NEAR), None)
            if form is None:
                form = ("free",)
                free.append(k)
            forms.append(form)
        count = len(self.values)
        for k, (start, size) in enumerate(self.starts):
            form = ("free",)
            if count + k not in general:
                if start <= CLOSE:
                    form = ("number", start)
                elif size - start <= CLOSE:
                    form = ("end", size - start)
            forms.append(form)
        return tuple(forms)


class _Plan:
    """A graph in order, with its structure and its arguments."""

    def __init__(self, wanted: list[Node]):
        self.wanted = wanted
        self.nodes, self.key, sizes, starts, self.leaves, self.numbers = _core.structure(wanted)
        self.sizes = _Sizes(sizes, starts)

    def arguments(self, forms: tuple) -> list:
        """Sizes and starts that are parameters, then arrays, then numbers."""
        values = self.sizes.values + [start for start, _ in self.sizes.starts]
        found = [value for value, form in zip(values, forms) if form[0] == "free"]
        for node in self.leaves:
            found.append(node.value if node.shape else node.value.item())
        return found + [value.item() for value in self.numbers]

    def build(self, forms: tuple):
        """What makes the program of the structure, with sizes and starts as `forms` says."""
        return Writer(self, forms).build()


class _Structure:
    """What is known of graphs of one structure."""

    __slots__ = ("general", "programs", "ran", "last", "spent", "seen", "ways")

    def __init__(self):
        #: Sizes and starts that have turned out to vary.
        self.general: frozenset = frozenset()
        #: Programs by the forms of sizes and starts.
        self.programs: dict = {}
        #: Those that have run: the first time a program may compile what it needs.
        self.ran: set = set()
        self.last = None
        #: What NumPy has taken for it.
        self.spent = 0.0
        #: When it was wanted last, counted in graphs.
        self.seen = -RECENT
        #: By the estimate, in powers of two: the usual seconds by NumPy and by a program for
        #: what is estimated as one, and how often there was a choice.
        self.ways: dict[int, list] = {}

    def way(self, seconds: float) -> list:
        """What is known of graphs of about this estimate."""
        return self.ways.setdefault(math.frexp(seconds)[1], [math.inf, math.inf, 0])

    def took(self, seconds: float, is_program: bool, taken: float) -> None:
        """Keeps how long it took by NumPy or by a program.

        Not the least time counts: where others use the processors, a program whose threads
        wait for each other is slow most of the time.
        """
        way, share = self.way(seconds), taken / seconds
        usual = way[is_program]
        way[is_program] = share if usual == math.inf else \
            usual + (min(share, 4 * usual) - usual) / 4

    def usual(self, seconds: float) -> float:
        """The usual seconds of a program for what is estimated so; infinite, if not known."""
        return self.way(seconds)[True] * seconds

    def forms(self, plan: _Plan) -> tuple:
        """What a program of the plan has in the places of sizes and starts."""
        forms = plan.sizes.forms(self.general)
        if forms not in self.programs and self.last is not None and forms != self.last:
            for other in [self.last, *self.programs]:
                self.general |= {k for k, (a, b) in enumerate(zip(forms, other)) if a != b}
            forms = plan.sizes.forms(self.general)
        self.last = forms
        return forms


def _pays(seconds: float, structure: _Structure, forms: tuple, nodes: list[Node]) -> bool:
    """Whether a program is worth its call, and if there is none yet, the compiler's time."""
    if not _graph.eager():
        return True
    now = counts["runs"] + counts["evaluated"]
    is_recent, structure.seen = now - structure.seen <= RECENT, now
    program = structure.programs.get(forms)
    if type(program) is _compiling.Compiling:
        return False
    if program is not None:
        if seconds < CALL:
            return False
        way = structure.way(seconds)
        way[2] += 1
        # The fourth time NumPy is tried, then the quicker one is taken, but for every 64th time.
        # What is certain is not tried: memory alone takes NumPy longer.
        return way[2] <= 3 or \
            way[2] != 4 and (way[1] <= way[0]) != (way[2] % 64 == 0) or \
            _evaluate.least(nodes) > structure.usual(seconds)
    if seconds > COMPILE:
        return True
    expected = counts["seconds"] / counts["programs"] if counts["programs"] else FIRST
    limit = SHARE * min(expected, FIRST) if is_recent else RARE
    return structure.spent + seconds > limit


def _adapt(structure: _Structure, seconds: float, nodes: list[Node]) -> None:
    """Raises the limit of what NumPy computes at once where recording does not pay.

    It does not where what the program saves is less than what the recording of a few operations
    takes: a loop with a short body, on arrays little above the limit.
    """
    if _too_low[0] is None:
        return
    pays = False
    if seconds >= CALL:
        by_numpy, by_program, _ = structure.way(seconds)
        if by_numpy == math.inf or by_program == math.inf:
            return
        pays = (by_numpy - by_program) * seconds > _measure.overhead[0]
    _too_low[0] = max(0, _too_low[0] - 1) if pays else _too_low[0] + 1
    if _too_low[0] >= PATIENCE:
        _too_low[0] = 0
        elements = max(math.prod(node.loop) for node in nodes)
        if _graph.eager() < elements <= _measure.MANY:
            _eager[0] = elements
            _graph.eager(elements)


def compute(wanted: list[Node], pending: list[Node] | None = None) -> None:
    """Computes the values of nodes; with `pending` all that are recorded are named."""
    if pending is not None and _graph.eager():
        writes = _inplace.plan(wanted, pending)
        if writes is not None:
            if writes.wanted:
                compute(writes.wanted)
            writes.finish()
            return
    for node in wanted:
        if node.value is None:
            _compute([other for other in wanted if other.value is None])
            return


def _compute(wanted: list[Node]) -> None:
    plan = _Plan(wanted)
    if len(plan.leaves) + len(plan.numbers) + len(plan.sizes.starts) + len(plan.sizes.values) > LIMIT \
            or len(wanted) > LIMIT:
        _split(plan)
        return
    target = device()
    structure = _structures.get((target, plan.key))
    if structure is None:
        if len(_structures) >= MOST_STRUCTURES:
            _structures.clear()  # the programs are on the disk
        structure = _structures[target, plan.key] = _Structure()
    forms = structure.forms(plan)
    seconds = _evaluate.cost(plan.nodes) if _graph.eager() else 0.0
    program = None
    if _pays(seconds, structure, forms, plan.nodes):
        program = structure.programs.get(forms) or _compiled(plan, structure, forms, target)
    if program is None:
        counts["evaluated"] += 1
        start = time.perf_counter()
        other = structure.programs.get(forms)
        limit = TRIAL * structure.usual(seconds) if seconds and callable(other) else math.inf
        values = _evaluate.run(plan.nodes, wanted, start + limit)
        taken = time.perf_counter() - start
        structure.spent += taken
        if seconds and not _compiling.is_busy():
            structure.took(seconds, False, taken if values is not None else max(taken, limit))
            _adapt(structure, seconds, plan.nodes)
        if values is not None:
            for node, value in zip(wanted, values):
                _settle(node, value)
            return
        program = other
    counts["runs"] += 1
    start = time.perf_counter()
    try:
        results = program(plan.arguments(forms))
    except RunError as error:
        raise _python_error(error) from None
    if forms not in structure.ran:
        structure.ran.add(forms)
    elif seconds and not _compiling.is_busy():
        structure.took(seconds, True, time.perf_counter() - start)
        _adapt(structure, seconds, plan.nodes)
    for node, value in zip(wanted, results):
        _settle(node, value)


def _compiled(plan: _Plan, structure: _Structure, forms: tuple, target: str | None):
    """The program of a plan; None if it will be there later and NumPy can compute meanwhile."""
    builder = plan.build(forms)
    arguments: list = []

    def finish():
        start = time.perf_counter()
        program = builder.finish(target)
        if arguments:  # the first run compiles parts of it
            with contextlib.suppress(Exception):  # which the script's own run says
                program(arguments)
            arguments.clear()
        counts["programs"] += 1
        counts["seconds"] += time.perf_counter() - start
        return program

    def keep(program):
        structure.programs[forms] = program

    if not _graph.eager() or not COMPILE:
        keep(finish())
        return structure.programs[forms]
    # What they hold nobody writes to meanwhile, as they hold it.
    arguments += plan.arguments(forms)
    structure.programs[forms] = _compiling.Compiling()
    _compiling.Compiling.start(finish, keep)
    return None


def _settle(node: Node, value) -> None:
    if not node.shape:
        node.value = numpy.array(value, node.dtype)
    elif getattr(value, "device", "cpu") == "cpu":
        node.value = numpy.asarray(value)
    else:
        node.value = value
    node.operands, node.numbers = (), ()


def _split(plan: _Plan) -> None:
    """Computes the first half of a graph that is too large for one program."""
    nodes = plan.nodes
    if len(nodes) == 1:
        raise MemoryError("an operation has more operands than a program takes")
    first, rest = nodes[:len(nodes) // 2], nodes[len(nodes) // 2:]
    used = {id(source) for node in rest for source, _ in node.operands}
    wanted = {id(node) for node in plan.wanted}
    compute([node for node in first if id(node) in used or id(node) in wanted])
    compute([node for node in plan.wanted if node.value is None])


def _python_error(error: Exception) -> Exception:
    """What Python raises for an error of a program."""
    text = str(error)
    found = re.search(r"index (-?\d+) is outside of a dimension of size (\d+)", text)
    if found:
        index, size = found.groups()
        return IndexError(f"index {index} is out of bounds for axis with size {size}")
    if "exponent" in text:
        return ValueError("Integers to negative integer powers are not allowed.")
    return error
