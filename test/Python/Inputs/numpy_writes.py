"""What is written to arrays: in types that do not hold it, from functions that NumPy calls
back, to arguments of jitted functions."""

import warnings
from array import array
from collections import deque
from fractions import Fraction

import numpy

import arrc
import arrc.numpy as ours

warnings.simplefilter("ignore")

#: Statements on an array `a`.
STATEMENTS = ("a[2] = nan", "a[2] = inf", "a[1:3] = nan", "a[[1]] = nan", "a[a == 0] = nan",
              "a.fill(nan)", "a[2] = wide", "a[2] = single", "a[2] = 3j", "a[2] = '7'",
              "a[2] = None", "a[2] = 1.7", "a[:2] = True", "a[1:2] = [nan]", "a[:2] = [1, 2.5]",
              "a[0:2] = (7, 8)", "a[:3] = range(3)", "a[:3] = deque([4, 5, 6])",
              "a[:3] = array('h', [4, 5, 6])", "a[:3] = memoryview(b'abc')",
              "a[:3] = bytearray(b'abc')", "a[[2, 0]] = range(2)", "a[a == 0] = range(len(a))",
              "a[:3] = objects", "a[1] = objects[2]", "a[[1, 0, 2]] = objects",
              "a[:3] = objects[:, None]", "a[a == 0] = objects[:1]", "a[:3] = numpy.array(['1', '2', '0'])",
              "a[:3] = numpy.array(['x', '2', '0'])", "a[:3] = swapped", "a[[0, 2, 1]] = swapped",
              "a[:3] = Fraction(3, 2)")


def outcome(module, size, dtype, statement):
    a = module.zeros(size, dtype)
    names = dict(a=a, nan=float("nan"), inf=float("inf"), wide=numpy.float64("nan"),
                 single=numpy.float32("nan"), deque=deque, array=array, numpy=numpy,
                 Fraction=Fraction, objects=numpy.array([1, 0, 1], object),
                 swapped=numpy.array([1, 0, 3], ">i4"))
    try:
        exec(statement, names)
    except (TypeError, ValueError, OverflowError) as problem:
        return type(problem).__name__
    return str(numpy.asarray(names["a"])[:4].tolist())


def check_types():
    for size in (4, 40000):
        for dtype in ("int64", "uint8", "float32", "bool"):
            for statement in STATEMENTS:
                wanted, found = (outcome(module, size, dtype, statement)
                                 for module in (numpy, ours))
                assert wanted == found, (size, dtype, statement, wanted, found)


def check_fields():
    pairs = ours.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")])
    assert pairs.shape == (2,) and pairs["b"].tolist() == [2, 4]
    assert ours.array((1, 2), dtype="i4,i4").shape == ()
    assert ours.array(((1, 2), (3, 4))).tolist() == [[1, 2], [3, 4]]


def check_callbacks():
    for size in (3, 40000):
        x = ours.zeros((size, 2))

        def count(row):
            x[0, 0] += 1
            return row.sum()
        ours.apply_along_axis(count, 1, x[:3])
        assert x[0].tolist() == [3, 0], x[0]


@arrc.jit
def second(x):
    x[1] = x[0]


@arrc.jit
def square(x):
    x.shape = 2, 2
    return x


@arrc.jit
def failing(x):
    x[0] = 1
    raise ValueError


def check_jitted():
    # Elements of types that programs do not have.
    for first, rest in (((1, 2.0), [("a", "i4"), ("b", "f8")]), ("x", object), (3, ">f8"),
                        (5, "M8[D]"), (2.5, numpy.longdouble)):
        x = numpy.zeros(3, rest)
        x[0] = first
        second(x)
        assert x[1] == x[0] and x[2] != x[0], (rest, x)
    x = numpy.arange(4.0)
    assert square(x) is x and x.shape == (2, 2)
    x = numpy.zeros(2)
    try:
        failing(x)
        assert False
    except ValueError:
        assert x.tolist() == [1, 0]


def check_readers():
    """Functions of NumPy's that only read get no copies, and give what they are given."""
    numbers, edges = ours.array([1, 3, 3]), ours.array([0.0, 2.0, 4.0])
    counts, bins = ours.histogram(numbers, edges)
    assert counts.tolist() == [1, 2] and bins is edges
    assert ours.bincount(numbers).tolist() == [0, 1, 0, 2]
    assert ours.median(ours.array([3.0, 1.0, 2.0]), overwrite_input=True) == 2
    rows = ours.array([[1.0, 5.0], [3.0, 7.0], [2.0, 6.0]])
    for write in (lambda out: ours.median(rows, 0, out), lambda out: ours.median(rows, out=out, axis=0),
                  lambda out: ours.percentile(rows, 50, 0, out)):
        result = ours.zeros(2)
        write(result)
        assert result.tolist() == [2, 6], result
    assert list(reversed(numbers)) == [3, 3, 1]


check_types()
check_fields()
check_callbacks()
check_jitted()
check_readers()
