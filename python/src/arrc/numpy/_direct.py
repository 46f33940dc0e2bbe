"""Functions and methods that are NumPy's where all operands are small arrays.

`Forward`, of the extension module, calls NumPy's function then, else ours.
"""

from __future__ import annotations

import numpy

from .._core import Forward
from . import _methods
from ._array import ndarray
from ._ufuncs import SPREADS

#: The kind of functions that make an array of the shape that is their first argument, of
#: those whose results may have as many elements as the operands' product, and of `arange`.
MAKES, MULTIPLIES, COUNTS = 2, 3, 4
#: The kind of functions whose operands do not meet in one type, and of those of them that take
#: NumPy many times what a sum takes.
APART, DEAR = 5, 6
#: The kind of `where`.
CHOOSES = 7

_FUNCTIONS = (
    "all amax amin any append argmax argmin array_equal allclose around average column_stack "
    "concatenate copy cross count_nonzero cumprod cumsum diff dot dstack expand_dims "
    "flatnonzero flip fliplr flipud full_like gradient hstack matmul max mean min moveaxis "
    "nan_to_num nancumprod nancumsum nanmax nanmean nanmin nanprod nanstd nansum nanvar nonzero "
    "ones_like pad prod ptp ravel repeat reshape roll round squeeze stack std "
    "sum swapaxes take trace transpose trapezoid trapz tril triu var vdot vstack zeros_like")
_KINDS = {"clip": SPREADS, "isclose": SPREADS, "where": CHOOSES, "inner": MULTIPLIES,
          "outer": MULTIPLIES, "tensordot": MULTIPLIES, "einsum": MULTIPLIES, "tile": MULTIPLIES,
          "kron": MULTIPLIES,
          "convolve": MULTIPLIES, "correlate": MULTIPLIES,
          **dict.fromkeys("argwhere bincount choose compress corrcoef cov ediff1d extract select "
                          "vander".split(), APART),
          **dict.fromkeys("digitize histogram histogram2d in1d interp intersect1d isin lexsort median nanmedian "
                          "nanpercentile nanquantile "
                          "percentile quantile searchsorted setdiff1d setxor1d sort union1d "
                          "unique".split(), DEAR)}
_METHODS = (
    "all any argmax argmin astype clip conj conjugate copy cumprod cumsum dot flatten "
    "max mean min nonzero prod ravel repeat reshape round sort squeeze std sum swapaxes take "
    "trace transpose var")


def install(names: dict) -> None:
    """Puts what forwards into the place of functions of a module, and of methods of arrays."""
    for name in [*_FUNCTIONS.split(), *_KINDS]:
        if name not in names:
            continue  # of another version of NumPy
        names[name] = Forward(getattr(numpy, name), names[name], name, _KINDS.get(name, 0))
    for name in ("zeros", "ones", "full", "eye", "identity"):
        names[name] = Forward(getattr(numpy, name), names[name], name, MAKES)
    names["arange"] = Forward(numpy.arange, names["arange"], "arange", COUNTS)
    names["empty"] = Forward(numpy.zeros, names["empty"], "empty", MAKES)
    names["empty_like"] = Forward(numpy.zeros_like, names["empty_like"], "empty_like")
    for name in _METHODS.split():
        own = ndarray.__dict__.get(name) or _methods._METHODS[name]
        setattr(ndarray, name, Forward(getattr(numpy.ndarray, name), own, name,
                                       _KINDS.get(name, 0)))
