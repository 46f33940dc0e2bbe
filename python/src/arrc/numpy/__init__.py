"""NumPy's functions and arrays, recorded and run as programs.

    >>> import arrc.numpy as np
    >>> a = np.arange(12.0).reshape(3, 4)
    >>> b = a[1:] - a[:-1]          # recorded
    >>> float(b.sum())              # compiled, run
    32.0

What is not covered is computed by NumPy, with one warning that names it.
"""

from __future__ import annotations

import numpy as _numpy

from . import _composed, _direct, _fallback, _memory
from ._array import array, ndarray
from ._composed import (average, column_stack, dstack, gradient, kron, pad,  # noqa: F401
                        polyval, tri)
from ._counting import bincount, histogram, histogram2d, place, put, putmask  # noqa: F401
from ._execute import device, eager, errstate, seterr, settle_eager as _settle_eager
from ._fallback import FallbackWarning, errors
from ._filters import argwhere, compress, extract, flatnonzero, nonzero  # noqa: F401
from ._functions import (  # noqa: F401
    allclose, append, arange, around, array_equal, array_split, asanyarray, asarray,
    ascontiguousarray, asfortranarray, astype, atleast_1d, atleast_2d, atleast_3d,
    broadcast_arrays, broadcast_to, clip, concat, concatenate, copy, copyto, diag, diagonal, diff,
    dsplit, empty, empty_like, expand_dims, eye, fill_diagonal, flip, fliplr, flipud, from_dlpack,
    full, full_like, hsplit, hstack, identity, imag, iscomplexobj, isclose, isscalar, linspace,
    matrix_transpose, may_share_memory, meshgrid, moveaxis, ndim, ones, ones_like,
    permute_dims, ravel, real, repeat, reshape, roll, rollaxis, rot90, round, shape,
    shares_memory, size, sort, argsort, split, squeeze, stack, swapaxes, take, take_along_axis,
    tile, transpose, tril, triu, unstack, vsplit, vstack, where, zeros, zeros_like)
from ._graph import flush
from ._modules import Grid as _Grid, fft, lib, linalg, random, stand_in as _stand_in
from ._nan import (nan_to_num, nancumprod, nancumsum, nanmax, nanmean, nanmin,  # noqa: F401
                   nanprod, nanstd, nansum, nanvar)
from ._products import (cross, dot, einsum, inner, matmul, outer, tensordot,  # noqa: F401
                        trace, vdot, vecdot)
from ._reductions import (all, amax, amin, any, argmax, argmin, count_nonzero,  # noqa: F401
                          cumprod, cumsum, max, mean, min, prod, ptp, std, sum, var)
from ._searching import digitize, interp, searchsorted  # noqa: F401
from ._sets import (in1d, intersect1d, isin, lexsort, setdiff1d, setxor1d,  # noqa: F401
                    union1d, unique)
from ._signals import (block, choose, convolve, correlate, ediff1d,  # noqa: F401
                       geomspace, logspace, select, vander)
from ._standard import finfo, isdtype
from ._statistics import (corrcoef, cov, median, nanmedian, nanpercentile,  # noqa: F401
                          nanquantile, percentile, quantile)
from ._ufuncs import Ufunc as _Ufunc

newaxis = None
r_, c_, mgrid, ogrid = map(_Grid, (_numpy.r_, _numpy.c_, _numpy.mgrid, _numpy.ogrid))
pi, e, inf, nan = _numpy.pi, _numpy.e, _numpy.inf, _numpy.nan

#: Names of the array API's standard that older versions of NumPy have not.
_STANDARD = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh",
             "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh",
             "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
             "bitwise_invert": "invert", "pow": "power", "bool": "bool_"}
#: Functions of NumPy's that take arrays of ours as they are: types and text.
_AS_THEY_ARE = {"result_type", "can_cast", "promote_types", "iinfo",
                "dtype", "broadcast_shapes", "geterr", "seterrcall", "geterrcall",
                "set_printoptions", "get_printoptions", "printoptions", "ndindex",
                "issubdtype", "min_scalar_type", "common_type", "testing"}

#: Functions that make arrays of numbers: NumPy's, whose results are ours.
_MAKERS = set("""bartlett blackman diag_indices frombuffer fromfile fromiter fromstring genfromtxt
    hamming hanning indices kaiser load loadtxt tril_indices triu_indices""".split())


def nditer(op, flags=None, op_flags=None, *args, **kwargs):
    """`numpy.nditer` on the memory of arrays, or what is in it where it is read alone."""
    is_read = not {"readwrite", "writeonly"}.intersection(
        name for names in op_flags or () for name in ([names] if isinstance(names, str) else names))

    def memory(value):
        if type(value) is not ndarray:
            return value
        return value.numpy() if is_read else _memory.memory_of(value)
    given = type(op)(map(memory, op)) if type(op) in (list, tuple) else memory(op)
    return _numpy.nditer(given, flags or [], op_flags, *args, **kwargs)


def _typed(function):
    # Arrays of ours count with their types.
    def called(*args, **kwargs):
        return function(*(value.dtype if type(value) is ndarray else value for value in args),
                        **kwargs)
    called.__name__ = function.__name__
    return called


_OF_NUMPY = {"__version__", "__array_namespace_info__", "__array_api_version__"}


def __getattr__(name: str):
    if name.startswith("__") and name not in _OF_NUMPY:
        raise AttributeError(name)
    found = getattr(_numpy, name, None)
    if found is None:
        if name not in _STANDARD:
            raise AttributeError(f"module 'numpy' has no attribute {name!r}")
        found = getattr(_numpy, _STANDARD[name])
    if isinstance(found, _numpy.ufunc):
        made = matmul if found is _numpy.matmul else _Ufunc(found)
    elif name in _OF_NUMPY:
        made = found
    elif name in _AS_THEY_ARE:
        made = found if isinstance(found, type) or not callable(found) else _typed(found)
    else:
        made = _stand_in(name, found, name in _MAKERS, globals())
    globals()[name] = made
    return made


def __dir__():
    return sorted({*globals(), *dir(_numpy)})


if not hasattr(_numpy, "in1d"):
    del in1d
for _name in ("trapz", "trapezoid"):  # NumPy has one of them, or both
    if hasattr(_numpy, _name):
        globals()[_name] = getattr(_composed, _name)
_direct.install(globals())
linalg.norm = _direct.Forward(_numpy.linalg.norm, linalg.norm, "norm")
_settle_eager()

__all__ = sorted({name for name in dir(_numpy) if not name.startswith("_")} - {"test"})
