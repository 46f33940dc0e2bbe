"""arrc.numpy as a back end of array-api-compat, and beside array-api-strict and others.

What is not installed is left out, and said.
"""
import importlib
import sys
import unittest

import numpy
import arrc.numpy as np


sys.path.pop(0)  # others import names that scripts beside this one have


def found(name: str):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"array_api: {name} is not installed", file=sys.stderr)
        return None


compat, strict, jax, ffi = map(found, ("array_api_compat", "array_api_strict", "jax", "tvm_ffi"))


def softmax(x):
    """A library's function, which knows of the standard alone."""
    xp = compat.array_namespace(x)
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def spread(x, y):
    xp = compat.array_namespace(x, y)
    x, y = xp.astype(x, xp.float64), xp.asarray(y, dtype=xp.float64)
    both = xp.concat([xp.reshape(x, (-1,)), xp.reshape(y, (-1,))])
    order = xp.sort(both)
    return xp.stack([order, xp.cumulative_sum(order), xp.where(order > 0, order, -order)])


@unittest.skipUnless(compat, "needs array-api-compat")
class Compat(unittest.TestCase):
    def test_helpers(self):
        for size in (4, 300):
            x = np.ones((size, size))
            self.assertIs(compat.array_namespace(x), np)
            self.assertIs(compat.array_namespace(x, 1.0, None), np)
            self.assertTrue(compat.is_array_api_obj(x))
            self.assertFalse(compat.is_numpy_array(x))
            self.assertEqual(compat.size(x), size * size)
            self.assertEqual(compat.device(x), "cpu")
            self.assertIs(compat.to_device(x, "cpu"), x)
            with self.assertRaises(TypeError):
                compat.array_namespace(x, strict.asarray(1.0) if strict else "x")

    @unittest.skipUnless(hasattr(numpy, "cumulative_sum"), "needs NumPy 2")
    def test_library(self):
        data = numpy.random.default_rng(7).random((40, 30))
        for limit in (0, 1 << 15):
            np.eager(limit)
            for made, wanted in ((softmax(np.asarray(data)), softmax(data)),
                                 (spread(np.asarray(data), np.asarray(data[0])),
                                  spread(data, data[0]))):
                self.assertIs(type(made), np.ndarray)
                numpy.testing.assert_allclose(numpy.asarray(made), wanted, 1e-12)
        np.eager(1 << 15)

    @unittest.skipUnless(strict, "needs array-api-strict")
    def test_strict(self):
        # The strict namespace takes what ours gives, and gives what ours takes.
        data = numpy.arange(12.0).reshape(3, 4) - 5
        theirs = softmax(strict.asarray(data))
        ours = softmax(np.asarray(data))
        numpy.testing.assert_allclose(numpy.asarray(ours), numpy.from_dlpack(theirs), 1e-12)
        self.assertEqual(strict.from_dlpack(ours).shape, (3, 4))
        self.assertEqual(np.from_dlpack(theirs).tolist(), numpy.from_dlpack(theirs).tolist())


class Exchange(unittest.TestCase):
    """Arrays of other libraries go into programs, and results are of their kind."""

    def check(self, make, read):
        program = arrc_program()
        x = make(numpy.arange(6, dtype="f4").reshape(2, 3))
        made = program.twice(x)
        self.assertIs(type(made), type(x))
        self.assertEqual(read(made).tolist(), [[0, 2, 4], [6, 8, 10]])
        self.assertEqual(program.total(x), 15.0)
        with self.assertRaises(TypeError):
            program.twice(make(numpy.arange(6, dtype="i4").reshape(2, 3)))
        with self.assertRaises(TypeError):
            program.twice(make(numpy.arange(6, dtype="f4")))

    @unittest.skipUnless(jax, "needs jax")
    def test_jax(self):
        self.check(jax.numpy.asarray, numpy.asarray)

    @unittest.skipUnless(strict, "needs array-api-strict")
    def test_strict(self):
        self.check(strict.asarray, numpy.from_dlpack)

    @unittest.skipUnless(ffi, "needs apache-tvm-ffi")
    def test_tvm_ffi(self):
        self.check(ffi.from_dlpack, numpy.from_dlpack)

    def test_ours(self):
        program = arrc_program()
        for size in (2, 400):
            made = program.twice(np.ones((size, size), "float32"))
            self.assertEqual(numpy.asarray(made).sum(), 2 * size * size)


def arrc_program():
    import arrc
    return arrc.compile("""
export def twice(x: f32[n, m]) -> f32[n, m] = for i, j { 2 * x[i, j] }
export def total(x: f32[n, m]) -> f32 = sum(x)
""", target="cpu")


if __name__ == "__main__":
    np.errors("ignore")
    unittest.main()
