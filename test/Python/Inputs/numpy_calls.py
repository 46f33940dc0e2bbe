"""arrc.numpy: what NumPy's users rely on, case by case."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy
import arrc
import arrc.numpy as np
from arrc.numpy import _execute


class Semantics(unittest.TestCase):
    def setUp(self):
        np.errors("raise")

    def test_no_write_is_passed_over(self):
        a = np.arange(24).reshape(2, 3, 4)
        b = a.sum(2)
        a += 1
        c = b.sum(0)
        self.assertEqual(c.tolist(), numpy.arange(24).reshape(2, 3, 4).sum((0, 2)).tolist())
        self.assertEqual(int(a[0, 0, 0]), 1)

    def test_views_of_views(self):
        for module in (numpy, np):
            a = module.zeros((4, 6))
            b = a[1:, ::2].T
            b[1:] += 5
            b[:, -1] = [1, 2, 3]
            a.reshape(-1)[::7] = 9
            c = a.diagonal().copy()
            a[:] = a[::-1]
            if module is numpy:
                wanted = a, b, c
        for ours, theirs in zip((a, b, c), wanted):
            numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)

    def test_integers(self):
        a = np.array([-7, 7, 127, -128], "int8")
        self.assertEqual((a + 1).tolist(), [-6, 8, -128, -127])
        self.assertEqual((a // 2).tolist(), [-4, 3, 63, -64])
        self.assertEqual((a % -4).tolist(), [-3, -1, -1, 0])
        self.assertEqual((a // np.zeros(4, "int8")).tolist(), [0, 0, 0, 0])
        self.assertEqual((np.array([1.0, -1.0, 0.0]) / 0).tolist()[:2], [numpy.inf, -numpy.inf])
        with self.assertRaises(OverflowError):
            a + 300

    def test_casting(self):
        a = np.arange(3)
        with self.assertRaises(TypeError):
            a += 0.5
        self.assertEqual((a * 0.5).dtype, numpy.float64)
        self.assertEqual((np.ones(2, "float32") * 2.0).dtype, numpy.float32)
        self.assertEqual((np.ones(2, "float32") * numpy.float64(2)).dtype, numpy.float64)
        self.assertEqual((np.ones(2, "int8") + np.ones(2, "uint8")).dtype, numpy.int16)
        self.assertEqual((a / a.astype("int8")).dtype, numpy.float64)
        with self.assertRaises(TypeError):
            np.array([True]) - np.array([True])
        self.assertEqual((np.array([True]) + np.array([True])).tolist(), [True])

    def test_bounds(self):
        a = np.arange(5)
        for key in (5, -6, [0, 7], (0, 0)):
            with self.assertRaises(IndexError):
                a[key]
        with self.assertRaises(IndexError):
            (a[a + 1] + 0).numpy()
        self.assertEqual(a[[-1, 0]].tolist(), [4, 0])
        self.assertEqual(a[a > 2].tolist(), [3, 4])
        a[a > 2] = 0
        self.assertEqual(a.tolist(), [0, 1, 2, 0, 0])

    def test_numbers(self):
        total = np.arange(4.0).sum()
        kept = total
        total += 1
        self.assertEqual((float(kept), float(total)), (6.0, 7.0))
        self.assertEqual(f"{total:.2f}", "7.00")
        self.assertTrue(total > 6)
        self.assertEqual(list(range(np.arange(3).max())), [0, 1])

    def test_empty_and_none(self):
        self.assertEqual(float(np.zeros((0, 3)).sum()), 0)
        self.assertEqual((np.zeros((0, 3)) + 1).shape, (0, 3))
        with self.assertRaises(ValueError):
            np.zeros((0,)).max()
        self.assertTrue(numpy.isnan(np.array([1.0, numpy.nan]).max()))
        self.assertEqual(np.array([numpy.nan, 1.0]).argmin(), 0)

    def test_structures_are_compiled_once(self):
        def blur(size, scale):
            a = np.zeros((size, size + 20))
            a[2:-2, 1:-1] = scale
            return (a[1:] - a[:-1]).sum(axis=0).numpy()
        blur(40, 1.5)
        blur(50, 2.5)
        before = _execute.counts["programs"]
        for size in (61, 72, 83):
            self.assertEqual(blur(size, 0.5 * size).shape, (size + 20,))
        self.assertEqual(_execute.counts["programs"], before)

    def test_dead_values_are_no_results(self):
        a = np.arange(100.0)
        np.flush()
        b = a * 2 + 1
        c = b.sum()
        del b
        node = c._base.node
        value = _execute._Plan([node])
        self.assertEqual(len(value.wanted), 1)
        self.assertEqual(float(c), 10000.0)

    def test_protocols(self):
        a = np.arange(6.0).reshape(2, 3)
        self.assertIsInstance(numpy.sqrt(a), np.ndarray)
        self.assertIsInstance(numpy.sum(a, axis=1), np.ndarray)
        self.assertIsInstance(numpy.concatenate([a, a]), np.ndarray)
        self.assertIsInstance(numpy.ones(3) + a, np.ndarray)
        self.assertIs(a.__array_namespace__(), np)
        self.assertEqual(numpy.from_dlpack(a).tolist(), a.tolist())

    def test_writes_of_others_do_not_come_in(self):
        theirs = numpy.ones(3)
        ours = np.asarray(theirs) * 2
        theirs[:] = 5
        self.assertEqual(ours.tolist(), [2, 2, 2])


class Fallback(unittest.TestCase):
    def test_one_warning(self):
        np.errors("warn")
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(2):
                made = np.kron(np.eye(2), np.ones((1, 2)))
        self.assertEqual(made.tolist(), [[1, 1, 0, 0], [0, 0, 1, 1]])
        self.assertEqual([str(w.message) for w in found], ["NumPy computes kron"])
        self.assertEqual(found[0].filename, __file__)
        np.errors("raise")
        with self.assertRaises(NotImplementedError):
            np.kron(np.eye(2), np.ones((1, 2)))
        np.errors("ignore")
        a = np.arange(4.0)
        np.put(a, [0, 1], 7)
        self.assertEqual(a.tolist(), [7, 7, 2, 3])
        self.assertEqual(np.array(["a", "b"]).tolist(), ["a", "b"])


@arrc.jit
def relax(grid, steps):
    for _ in range(steps):
        grid[1:-1] = 0.5 * (grid[:-2] + grid[2:])
    return numpy.abs(grid).sum(), grid


class Entries(unittest.TestCase):
    def test_jit(self):
        grid = numpy.arange(12.0) ** 2
        wanted = grid.copy()
        for _ in range(5):
            wanted[1:-1] = 0.5 * (wanted[:-2] + wanted[2:])
        total, made = relax(grid, 5)
        self.assertIsInstance(made, numpy.ndarray)
        numpy.testing.assert_allclose(grid, wanted)
        self.assertAlmostEqual(total, wanted.sum())
        self.assertIs(numpy, sys.modules["numpy"])

    def test_lazy(self):
        with arrc.lazy():
            a = numpy.zeros(5)
            self.assertIsInstance(a, np.ndarray)
        self.assertIsInstance(numpy.zeros(5), numpy.ndarray)

    def test_script(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "script.py")
            path.write_text("import sys\nimport numpy as np\nfrom numpy import ones, pi\n"
                            "import numpy.linalg as la\n"
                            "assert 'arrc' in type(np.ones(3)).__module__\n"
                            "if __name__ == '__main__':\n"
                            "  print((ones(3) * 2).sum(), sys.argv[1], la.norm(np.ones(4)))\n")
            made = subprocess.run([sys.executable, "-m", "arrc", str(path), "here"],
                                  capture_output=True, text=True)
            self.assertEqual(made.stdout, "6.0 here 2.0\n", made.stderr)


if __name__ == "__main__":
    unittest.main()
