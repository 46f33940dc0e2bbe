"""Results against references: what compare.py, shapes.py and large.py share."""

import numpy as np

#: The depth of the tree of a sum at most.
DEEPEST = 200


class Mismatch(Exception):
    pass


class Program:
    """A program for the target and what its exports are compared with."""

    def __init__(self, name, text):
        self.name, self.text, self.cases = name, text, []

    def case(self, name, entry, inputs, check, scalars=(), fails=False, says=()):
        """`inputs` and `check` are functions: arrays by name from a generator; what is
        wrong, raised as a Mismatch, from the results by name."""
        self.cases.append((name, entry, inputs, check, scalars, fails, says))


def same(name, got, want):
    """Equal bits, but any NaN is any NaN."""
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        raise Mismatch(f"{name} is {got.dtype}{list(got.shape)}, expected "
                       f"{want.dtype}{list(want.shape)}")
    equal = (got == want) | ((got != got) & (want != want))
    if not np.all(equal):
        at = tuple(int(i) for i in np.argwhere(~equal)[0])
        raise Mismatch(f"{name}{list(at)} is {got[at]!r}, expected {want[at]!r}; "
                       f"{np.sum(~equal)} of {equal.size} differ")


def sum_bound(u, magnitude, terms):
    """2 * k * u * sum|x|."""
    return 2 * min(terms, DEEPEST) * u * magnitude


def near(name, got, want, bound):
    """Within a bound, and a rounding of the result, of a wider reference."""
    want = np.asarray(want, dtype=np.longdouble)
    if got.shape != want.shape:
        raise Mismatch(f"{name} is {list(got.shape)}, expected {list(want.shape)}")
    u = np.finfo(got.dtype).eps / 2
    off = np.abs(got.astype(np.longdouble) - want)
    allowed = np.broadcast_to(bound, want.shape) + u * np.abs(want) + np.finfo(got.dtype).tiny
    fine = (off <= allowed) | (np.isnan(got) & np.isnan(want))
    if not np.all(fine):
        at = tuple(int(i) for i in np.argwhere(~fine)[0])
        raise Mismatch(f"{name}{list(at)} is {got[at]!r}, expected {want[at]!r}, off by "
                       f"{off[at]:.3g}, allowed {allowed[at]:.3g}")


def sum_near(name, got, x, axis=None):
    x = x.astype(np.longdouble)
    size = np.sum(np.abs(x), axis=axis)
    terms = x.size // max(np.size(size), 1)
    u = np.finfo(got.dtype).eps / 2
    near(name, got, np.sum(x, axis=axis), sum_bound(u, size, terms))
