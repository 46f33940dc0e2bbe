"""arrc.numpy: small operands, numbers, lists and arrays of NumPy's, which go to NumPy without a detour.

    numpy_small.py WAY

A WAY is the limit of what NumPy computes at once. Results are NumPy's in type, shape and value,
and arrays are ours.
"""
import sys
import warnings

import numpy
import arrc.numpy as ours

from numpy_composed import differ, outcome

#: Expressions of a row `x`, of another type `k`, of an array of NumPy's `z` and of some rows `l`.
TEXTS = """
np.where(x > 3, x, 0)
np.where(x > 3, 0, x)
np.where(k > 1, x, x + 1)
np.where(x > 3, k, x)
np.where(k, 1, 2.5)
np.where(k, x, k)
np.where(x > 3)
np.where(True, x, k)
np.where(x[:, None] > 3, x, k)
np.hypot(3., 4.)
np.sign(-2)
np.add(2, 3)
np.maximum(2, 3.5)
np.floor(numpy.float32(2.5))
np.sqrt(numpy.int64(4))
np.power(2, 3)
np.sum([1, 2, 3])
np.max([1.5, 2])
np.mean((1, 2))
np.sum(5)
np.append([1, 2], [3.5])
np.concatenate([[1, 2], [3]])
np.eye(3)
np.eye(3, 4)
np.eye(2, k=1, dtype='i4')
np.identity(3)
np.array([1, 2.5])
np.array([1, True])
np.array([])
np.array(l)
np.array(l, 'f4')
np.array([x[0], k[0]])
np.array([l, l])
np.maximum.reduce(l)
np.add.reduce(l)
np.multiply.reduce([k, k])
np.add.reduce([k.astype('i1'), k.astype('i1')])
np.minimum.reduce(l, axis=1)
np.logical_or.reduce([x > 3, x < 1])
np.logical_and.reduce(l)
np.add.reduce(x)
np.maximum.accumulate(x)
np.add.accumulate(l)
np.subtract.accumulate(x)
np.sum(l, axis=0)
np.convolve(z, [1, 2])
np.bincount(k, weights=z[:k.size])
np.median(z)
np.sum(z)
np.ravel(z)
np.mean(z.reshape(2, -1), axis=1)
np.apply_along_axis(lambda row: np.convolve(row, [1, 2, 1], 'same'), 1, np.stack(l))
np.r_[0, x, z]
np.r_[0:3, k[-1]]
np.r_[0:1:5j]
np.c_[x, x + 1]
np.mgrid[:2, 1:4]
np.mgrid[0:1:3j]
np.ogrid[:2, 1:4]
np.indices((2, 3))
np.hanning(5)
np.tril_indices(3)
np.ix_([0, 1], [1, 0])
np.random.default_rng(1).normal()
np.random.default_rng(1).random((2, 3), dtype='f4')
np.random.default_rng(1).permutation(x)
np.random.default_rng(1).choice(x, 3, p=np.ones(x.size) / x.size)
np.random.default_rng(1).normal(x, 2)
np.random.default_rng(1).integers(0, k + 1)
np.random.RandomState(2).rand(3)
np.random.RandomState(2).permutation(5)
np.add.reduceat(x, [0, 3, 5])
np.add.reduceat(x, np.array([0, 3, 5]), dtype='f4')
np.einsum('i,i,i->i', x, k, x)
np.trim_zeros(x)
x + k
k * x
k > x
k - (k > 1)
np.add(x, k)
np.maximum(k, x > 1)
np.concatenate([x, k])
np.array([k, x])
np.linalg.inv(np.eye(2) + 1)
np.linalg.solve(np.eye(2) * 2, np.ones(2))
np.linalg.eigh(np.eye(2) + 1)
np.linalg.det([[1, 2], [3, 4]])
np.linalg.inv(np.zeros((2, 2)))
np.fft.rfft(x)
np.add.reduce(3)
np.power(2, -1)
np.where(x > 3, x[:2], x)
np.eye(-1)
""".split("\n")


def main() -> int:
    ours.errors("ignore")
    ours.eager(int(sys.argv[1]))
    warnings.simplefilter("ignore")
    failed = count = 0
    for size in (8, 50_000):
        x, k = numpy.arange(size) * 0.5, numpy.arange(size, dtype="i4") % 3
        rows = [x + 1, x[::-1].copy(), x * x]
        for text in filter(None, TEXTS):
            if size > 8 and ("[:, None]" in text or text.startswith("np.ix_")):
                continue
            count += 1
            given = {"numpy": numpy, "z": x * 2}
            theirs = outcome(numpy, text, {**given, "x": x, "k": k, "l": rows})
            given |= {"x": ours.array(x), "k": ours.array(k), "l": [ours.array(row) for row in rows]}
            made = outcome(ours, text, given)
            problem = differ(theirs, made)
            if problem is None and type(made) is not type:
                found = eval(text, {"np": ours, **given})
                for one in found if isinstance(found, (list, tuple)) else [found]:
                    if type(one) is numpy.ndarray:
                        problem = "an array of NumPy's"
            if problem:
                failed += 1
                print(f"{text} of {size}: {problem}")
    for text in ("x += k", "k += x > 2", "k += x", "k *= k > 1", "x[1:] -= k[1:]", "r.shuffle(x)"):
        count += 1
        found = []
        for module in (numpy, ours):
            names = {"x": module.arange(9) * 0.5, "k": module.arange(9, dtype="i2"),
                     "r": module.random.default_rng(4)}
            try:
                exec(text, names)
                found.append([names["x"].tolist(), names["k"].tolist(), str(names["k"].dtype)])
            except TypeError as problem:
                found.append(type(problem).__mro__[-4:])
        if found[0] != found[1]:
            failed += 1
            print(f"{text}: {found[0]} and not {found[1]}")
    # What NumPy gives as a view of an array of its own is one.
    theirs = numpy.arange(6.0)
    made = ours.reshape(theirs, (2, 3))
    if int(sys.argv[1]) > theirs.size:
        made[0] = 7
        failed += theirs.tolist() != [7, 7, 7, 3, 4, 5]
    print(f"{count} expressions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
