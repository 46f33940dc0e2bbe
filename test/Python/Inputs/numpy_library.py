"""arrc.numpy: counts, searches, filters, sets, order and windows of rows, beside NumPy's.

    numpy_library.py WAY

A WAY is the limit of what NumPy computes at once: 0 makes programs of all, 1 has NumPy compute
what is recorded. Of a row programs of their own run on any size here.
"""
import sys
import warnings

import numpy
import arrc.numpy as ours
from arrc.numpy import _execute, _written

from numpy_composed import differ, outcome

#: Expressions of rows `x` and `y`, and for which kinds of elements; `F` is what is finite of `x`.
TEXTS = [(text, kinds) for kinds, texts in {
    "biuf": """
np.unique(x)
np.unique(x, return_counts=True)
np.unique(x, return_index=True, return_inverse=True, return_counts=True)
np.unique(x, equal_nan=False)
np.union1d(x, y)
np.intersect1d(x, y)
np.setdiff1d(x, y)
np.setxor1d(x, y)
np.isin(x, y)
np.isin(x, y[:5])
np.isin(x.reshape(-1, 2), y, invert=True)
np.lexsort((x, y))
np.lexsort((y, x, y))
np.argsort(x, kind='stable')
np.cov(x * 1)
np.cov(x, y)
np.cov(x.reshape(2, -1))
np.cov(x.reshape(-1, 2), rowvar=False, ddof=0)
np.cov(x.reshape(-1, 2), rowvar=False, bias=True)
np.corrcoef(x, y)
np.corrcoef(x.reshape(-1, 2), rowvar=False)
np.vander(x[:10])
np.vander(x, 3)
np.vander(x, 4, increasing=True)
np.select([x > 1, x < 0], [x, x * 1])
np.select([x > 1, x < 0], [x, y], default=x + x)
np.select([x.reshape(-1, 2) > 1], [y[:2]])
np.choose((x > 0).astype(int), [x, y])
np.choose(x > 0, (x, y))
np.block([[x, y], [y, x]])
np.block([x[:3], y[:2]])
np.block([[x[:4].reshape(2, 2), np.zeros((2, 1))], [np.ones((1, 3))]])
np.block(x)
np.histogram(x * 1, [-1, 0, 0, 2])
np.histogram(x * 1, [-1, 0, 0.5, 2], weights=y)
np.searchsorted(np.sort(y), x)
np.searchsorted(np.sort(y), x, 'right')
np.sort(y).searchsorted(x[::2])
np.digitize(x, np.sort(y))
np.digitize(x, np.sort(y)[::-1], True)
np.extract(x > 0, y)
np.extract(x[:9], y)
np.compress(x > 0, y)
np.compress([True, False, True], x.reshape(-1, 2), axis=0)
y.compress(x != 0)
x[x > 0]
x.reshape(-1, 2)[y[::2] > 0]
x.reshape(-1, 2)[x.reshape(-1, 2) > y[:2]]
np.nonzero(x)
np.nonzero(x.reshape(-1, 5, 4))
np.flatnonzero(x[::-1])
np.argwhere(x)
np.argwhere(x.reshape(4, -1))
np.where(x.reshape(4, -1) > 1)
""",
    "iuf": """
np.median(x)
np.median(x, keepdims=True)
np.median(x[1:], axis=0)
np.median(x.reshape(-1, 8), axis=1)
np.median(x.reshape(8, -1)[:7], axis=0, keepdims=True)
np.median(x.reshape(2, -1), axis=1)
np.nanmedian(x)
np.nanmedian(x.reshape(2, -1))
np.nanpercentile(x, [5, 50, 99.5])
np.nanquantile(x, 0.25, axis=0)
np.percentile(x, [5, 50, 99.5])
np.percentile(x, 30.5)
np.percentile(x, numpy.arange(101))
np.quantile(x, [0.1, 0.2, 0.3, 0.9], keepdims=True)
np.quantile(x, [[0.5]])
np.percentile(x.reshape(-1, 8)[:, 1:], [20, 70], axis=-1)
np.percentile(x.reshape(-1, 8), 70, axis=-1, keepdims=True)
np.quantile(x.reshape(2, -1, 4), [0, 0.25, 1], axis=1)
np.convolve(x, y[:7])
np.convolve(x, y[:7], 'same')
np.convolve(x, y[:8], 'same')
np.convolve(x, y[:8], 'valid')
np.convolve(y[:8], x[::-1], 'valid')
np.convolve(y[:1], x)
np.convolve(x, x)
np.convolve(x, numpy.array([0.25, 0.5, 0.25]))
np.correlate(x, y[:7])
np.correlate(x, y[:7], 'full')
np.correlate(y[:8], x, 'full')
np.correlate(y[:8], x, 'same')
np.correlate(x, y[:8], 'same')
np.correlate(x, y[:9], mode='same')
np.ediff1d(x)
np.ediff1d(x.reshape(2, -1), to_begin=x[:2], to_end=y[3])
""",
    "biu": """
np.bincount(x)
np.bincount(x, weights=y)
np.bincount(x[::2], y[1::2], 70)
np.bincount(x, minlength=3)
""",
}.items() for text in texts.split("\n") if text] + [(text, "iuF") for text in """
np.histogram(x, 7)
np.histogram(x, 7, (-2, 2))
np.histogram(x.reshape(-1, 2), bins=20, density=True)
np.histogram(x, 7, (-2, 2), weights=y, density=True)
np.histogram(x * 0 + 1, 3)
np.gradient(x, np.arange(x.size) ** 1.5)
np.gradient(x, np.arange(x.size))
np.gradient(x.reshape(4, -1), [0, 1, 3, 4], axis=0)
np.gradient(x.reshape(4, -1), [0, 1, 3, 4.5], 2)
np.histogram2d(x, y)
np.histogram2d(x, y, [4, 7], [[-2, 2], [-1, 3]])
np.histogram2d(x, y, bins=[3, [-1, 0, 2.5]], weights=y, density=True)
np.histogram2d(x, x, [-1, 0, 0, 2])
np.interp(x, np.unique(y), np.arange(np.unique(y).size))
np.interp(x, np.unique(y), np.arange(np.unique(y).size) ** 2, right=-7)
np.interp(x.reshape(2, -1), [0, 1, 2], [3, np.nan, 5], left=-7)
np.interp(x, [0, 1, 1, 2], [3, 4, 5, 6])
np.interp(x, [1], [3])
""".split("\n") if text]
#: Of no row.
MADE = ["np.logspace(0, 2, 70)", "np.logspace(0, 2, 7, base=2.0, endpoint=False)",
        "np.logspace(0, 3, 4, dtype=int)", "np.geomspace(1, 1000, 5)", "np.geomspace(-1, -8, 4)",
        "np.block([[1, 2], [3, 4]])", "np.block(3)", "np.bincount([])", "np.bincount([], None, 3)",
        "np.histogram([])", "np.unique([])", "np.unique(3)", "np.median([])", "np.unique([2j, 1])",
        "np.interp(0.5, [0, 1], [2, 4])", "np.searchsorted([1, 2], 1.5)", "np.isin([], [1])",
        "np.isin([1, 2], [])", "np.convolve([1, 2j], [1, 1])", "np.median(3)",
        "np.percentile([1, 2, 3, 4], 50)", "np.quantile([1.5], 0.3)", "np.argwhere(5)",
        "np.intersect1d([1, 2, 3], [3, 1], return_indices=True)", "np.unique([[1, 2], [1, 2]], axis=0)",
        "np.cov([1, 2j], [2, 3])", "np.correlate([1, 2], [1j])", "np.lexsort([[1, 0], [2, 2]])"]
ERRORS = ["np.bincount([1, -1])", "np.bincount([1.5])", "np.bincount([[1]])", "np.bincount([1], [1, 2])",
          "np.bincount([1], minlength=-1)", "np.histogram([1, 2], [2, 1])", "np.histogram([1], 0)",
          "np.histogram([1, np.inf])", "np.histogram([1], range=(2, 1))", "np.digitize([1], [1, 3, 2])",
          "np.interp([1, 2], [1, 2], [1])", "np.interp([1], [], [])", "np.percentile([1, 2], 101)",
          "np.quantile([1, 2], -0.1)", "np.median(np.ones((2, 2)), axis=2)", "np.convolve([], [1])",
          "np.convolve([[1]], [1])", "np.correlate([1], [1], 'some')", "np.cov(np.ones((2, 2, 2)))",
          "np.ediff1d([1, 2], to_end=1.5)", "np.vander([[1]])", "np.choose([2], [[1], [2]])",
          "np.choose([-1], [[1], [2]])", "np.select([True], [1, 2])", "np.select([[1]], [[1]])",
          "np.block([[1, 2], 3])", "np.block([[1], (2,)])", "np.block([])", "np.lexsort(([1], [1, 2]))",
          "np.compress([[True]], [1])", "np.compress([False, True], [1])", "np.ones(3)[np.ones(2) > 0]",
          "np.geomspace(0, 1)", "np.gradient([1, 2, 3], [1, 2])", "np.gradient([[1, 2], [3, 4]], [1, 2])",
          "np.gradient([1, 2], [[1, 2]])", "np.histogram2d([1], [1, 2])", "np.histogram2d([1, 2], [1, 2], [2, 1, 0])",
          "np.histogram2d([1, np.nan], [1, 2])", "np.put(np.ones(2), 2, 1)", "np.logspace(0, 1, -1)"]


def rows(size: int):
    """Two rows of each kind, some with NaN, infinities and zeros of both signs."""
    data = numpy.random.default_rng(7)
    for kind in ("f8", "i4", "f4", "i8", "u1", "bool", "u8", "i2"):
        x, y = (data.normal(size=size) * 3 for _ in range(2))
        if kind[0] in "ub":
            x, y = abs(x), abs(y)
        x, y = (x > 1, y > 1) if kind == "bool" else (x.astype(kind), y.astype(kind))
        yield x, y, ""
        if kind == "f8":
            x, y = x.round(), y.round()
            x[::50], x[7::100] = numpy.nan, numpy.inf
            yield x, y, "f"


def adds(way: int) -> int:
    """`add.at` and its like, on arrays and on parts of them."""
    data, failed = numpy.random.default_rng(3), 0
    for kind in ("f8", "i4", "u1", "c16"):
        for size, count in ((10, 500), (500, 10), (1, 9)):
            values = data.integers(0, 5, count)
            index = data.integers(-size, size, count)
            for text in ("np.add.at(a, i, v)", "np.add.at(a, i, 2)", "np.add.at(b, i // 2, v[0])",
                         "np.subtract.at(a, i, v)", "np.maximum.at(a, (i,), v)", "np.add.at(a, 0, 3)",
                         "np.add.at(a, i, 2.5)", "np.add.at(a, i + 99999, v)", "np.subtract.at(a, i, 2)",
                         "np.add.at(a.reshape(-1, 1), (i, i * 0), v)", "np.put(a, i, v)",
                         "np.add.at(a.reshape(1, -1), (i * 0 - 1, i), 2)", "np.putmask(b, b > 0, v)",
                         "np.place(a, a > 0, v)", "np.put(b[::-1], 0, 3, mode='clip')",
                         "np.add.at(a, (i, i), 1)"):
                found = []
                for module in (numpy, ours):
                    a = module.ones(size, kind)
                    try:
                        exec(text, {"np": module, "a": a, "b": a[::2], "i": module.array(index),
                                    "v": module.array(values)})
                        found.append(numpy.asarray(a))
                    except (IndexError, TypeError) as problem:
                        found.append(type(problem))
                if not numpy.array_equal(*found):
                    failed += 1
                    print(f"{text} of {kind}[{size}]: {found[0]!r} and not {found[1]!r}")
    return failed


def main() -> int:
    way = int(sys.argv[1])
    ours.errors("ignore")
    ours.eager(way)
    _execute.CALL, _written.LEAST = 1.0, 1  # NumPy computes what is recorded, where it may
    warnings.simplefilter("ignore")
    numpy.set_printoptions(threshold=12)
    cases = [(text, None, None) for text in MADE + ERRORS]
    for k, (x, y, rest) in enumerate(rows(400)):
        kind = rest or x.dtype.kind
        found = [(text, x, y) for text, kinds in TEXTS
                 if kind in kinds or kind == "f" and "F" in kinds and not rest]
        # A program takes a while.
        cases += found if way or k == 0 else found[k % 4::4] if k < 3 else found[k::9]
    failed = adds(way)
    for text, x, y in cases:
        theirs = outcome(numpy, text, {"x": x, "y": y, "numpy": numpy})
        made = outcome(ours, text, {"x": None if x is None else ours.array(x), "numpy": numpy,
                                    "y": None if y is None else ours.array(y)})
        problem = differ(theirs, made)
        if problem:
            failed += 1
            print(f"{text} of {getattr(x, 'dtype', None)}: {problem}")
    runs = _execute.counts["runs"]
    if way == 0 and runs < len(cases) // 2:
        failed += 1
        print(f"only {runs} programs ran")
    print(f"{len(cases)} expressions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
