"""arrc.numpy: functions that are made of other ones, beside NumPy's.

    numpy_composed.py WAY

A WAY is the limit of what NumPy computes at once: 0 makes programs of all, 1 has NumPy compute
what is recorded.
"""
import sys
import warnings

import numpy
import arrc.numpy as ours
from arrc.numpy import _execute

#: Expressions of an array `x`, and for which of its kinds of elements.
FOLDS = [(f"np.{name}(x, axis={axis}, keepdims={kept})", "biuf")
         for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd")
         for axis, kept in ((None, False), (0, True), (-1, False))]
TEXTS = FOLDS + [(text, kinds) for kinds, texts in {
    "biuf": """
np.nansum(x, dtype='f8', initial=3)
np.nancumsum(x, axis=-1)
np.nancumprod(x)
np.nan_to_num(x)
np.nan_to_num(x, nan=2, posinf=7, neginf=-7.5)
np.flatnonzero(x)
np.isclose(x, x[::-1], equal_nan=True)
np.isclose(x, x + 1e-9, equal_nan=True, atol=0)
np.allclose(x, x, equal_nan=True)
np.array_equal(x, x, equal_nan=True)
np.array_equal(x, x * 1, equal_nan=False)
np.pad(x, 2)
np.pad(x, (1, 0), constant_values=3)
np.pad(x, ((1, 2),) * x.ndim, constant_values=((1, 0),) * x.ndim)
np.pad(x, 0)
np.concatenate([x, x + x, x[:1]])
np.concatenate([x] * 6, axis=-1)
np.stack([x, x * 2, x, x], -1)
np.column_stack([x, x])
np.column_stack([x.ravel(), x.reshape(-1, 1)])
np.dstack([x, x])
np.dstack((x.ravel(), x.ravel()))
np.kron(x[:2, ..., :2], x)
np.kron(x.ravel()[:3], x[..., None])
np.average(x)
np.average(x, axis=0)
np.average(x, weights=np.abs(x * 1.0) + 1)
np.average(x, axis=-1, weights=np.arange(x.shape[-1]) + 1)
np.average(x, axis=0, weights=np.arange(x.shape[0]) + 1, keepdims=True)
np.digitize(x, [0.5, 1, 3.5])
np.digitize(x, [3, 1, 1, 0], right=True)
np.digitize(x, np.array([1.0, 2]), True)
np.searchsorted([0, 1, 1, 3], x)
np.searchsorted(np.array([0.5, 2]), x, side='right')
np.polyval([2, 1, 3], x.astype('f8'))
np.polyval(np.array([2, 1, 3], x.dtype), x)
""",
    "iuf": """
np.gradient(x, axis=0)
np.gradient(x, 2, axis=-1)
np.trapz(x)
np.trapz(x, dx=.5, axis=0)
np.trapz(x, np.arange(x.shape[-1]) ** 2)
""",
    "iu": """
np.polyval(np.array([0.5, 1.5]), x.astype('i8'))
""",
    "b": """
np.max(x, axis=0)
np.trapz(x * 2)
""",
}.items() for text in texts.split("\n") if text]
#: Of arrays whose sizes are more than 3.
LARGE = [f"np.pad(x, ({before}, {after}), '{mode}')" for mode in ("edge", "wrap", "reflect")
         for before, after in ((1, 2), (3, 0))] + ["np.pad(x, 20, 'edge')", "np.pad(x, 9, 'wrap')"]
#: Of no array.
MADE = ["np.tri(4)", "np.tri(3, 5, 1, dtype='i2')", "np.tri(5, 3, -2, bool)", "np.tri(0)",
        "np.tri(3, 0)", "np.polyval([1, 2], 3)", "np.polyval([1, 2.5], np.float32(3))"]
ERRORS = ["np.nanmax(np.zeros(0))", "np.average(np.ones(3), weights=np.zeros(3))",
          "np.average(np.ones((2, 3)), weights=np.ones(3))", "np.gradient(np.ones(1))",
          "np.average(np.ones((2, 3)), axis=0, weights=np.ones(3))", "np.pad(np.ones(3), -1)",
          "np.pad(np.ones(3), 1.5)", "np.digitize(np.ones(3), [1, 3, 2])"]


def arrays():
    """Arrays of odd shapes and several types, some with NaN and infinities, some empty."""
    data = numpy.random.default_rng(5)
    for shape in ((5, 7), (1, 9), (4, 1, 5), (11,), (3, 0), (0, 4)):
        for kind in ("f8", "f4", "i4", "i8", "u1", "bool"):
            made = data.integers(0 if kind[0] in "bu" else -3, 5, shape).astype(kind)
            if kind[0] == "f":
                made += data.random(shape).astype(kind).round(2)
                made.ravel()[2::5] = numpy.nan
                made.ravel()[4:5] = numpy.inf
                if made.ndim == 2:
                    made[:, 3:4] = numpy.nan
            yield made


def outcome(module, text: str, x):
    try:
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            made = eval(text, {"np": module, **(x if isinstance(x, dict) else {"x": x})})
            made = made if isinstance(made, (list, tuple)) else [made]
            return [(type(one) in (bool, numpy.bool_) or module.isscalar(one), numpy.asarray(one))
                    for one in made]
    except (TypeError, ValueError, ZeroDivisionError, IndexError, MemoryError,
            numpy.linalg.LinAlgError) as problem:
        return type(problem)


def differ(wanted, found) -> str | None:
    if type(wanted) is type or type(found) is type:
        return None if wanted is found else f"{wanted} and not {found}"
    if len(wanted) != len(found):
        return "another count"
    for (is_number, theirs), (is_ours, made) in zip(wanted, found):
        if is_number != is_ours or theirs.dtype != made.dtype or theirs.shape != made.shape:
            return f"{theirs.dtype}{theirs.shape} {is_number} and not {made.dtype}{made.shape} {is_ours}"
        precision = 2e-5 if theirs.dtype == "float32" else 1e-12
        if theirs.dtype.kind == "f" and not numpy.allclose(made, theirs, precision, precision,
                                                            equal_nan=True) or \
                theirs.dtype.kind != "f" and not numpy.array_equal(made, theirs):
            return f"{theirs!r} and not {made!r}"
    return None


def main() -> int:
    ours.errors("ignore")
    ours.eager(int(sys.argv[1]))
    _execute.CALL = 1.0  # NumPy computes what is recorded, where it may
    cases = [(text, None) for text in MADE + ERRORS]
    for x in arrays():
        cases += [(text, x) for text, kinds in TEXTS if x.dtype.kind in kinds]
        cases += [(text, x) for text in LARGE if min(x.shape) > 3 or x.dtype == "f8"]
    if int(sys.argv[1]) == 0:  # a program takes a while
        cases = [(text, x) for k, (text, x) in enumerate(cases)
                 if x is None or x.size and (x.shape == (5, 7) and x.dtype in ("f4", "i4") or not k % 17)]
    failed = 0
    for text, x in cases:
        if not hasattr(numpy, text.split("(")[0][3:]):
            continue
        given = None if x is None else ours.array(x)
        problem = differ(outcome(numpy, text, x), outcome(ours, text, given))
        if problem:
            failed += 1
            print(f"{text} of {x!r}: {problem}")
    print(f"{len(cases)} expressions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
