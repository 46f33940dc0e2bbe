"""Writes a.npy, b.npy and c.npy for narrow-columns.arr: narrow_columns.py N M K."""
import sys

import numpy

n, m, k = map(int, sys.argv[1:])
rng = numpy.random.default_rng(n)
numpy.save("a.npy", rng.uniform(-1, 1, (n, m)).astype("float32"))
numpy.save("b.npy", rng.uniform(-1, 1, (n, m)))
numpy.save("c.npy", rng.integers(-9, 9, (k, n, m)))
