"""arrc.numpy: what shares memory in NumPy, and what else scripts take for granted of arrays."""
import copy
import ctypes  # noqa: F401  (of the texts below)
import json
import pickle
import unittest
import warnings
import weakref
from unittest import mock

import numpy
import arrc
import arrc.numpy as np
from arrc.numpy import _fallback

#: Limits of what NumPy computes at once, with sizes: all of it, none, arrays above and below.
WAYS = ((1 << 15, 6), (0, 6), (10, 6), (1 << 15, 200))


def run(module, text, size):
    """The array `a` behind some statements, and the exception that ended them."""
    names = {"np": module, "n": size, "ctypes": ctypes,
             "a": module.arange(float(size * size)).reshape(size, size) % 11}
    try:
        exec(text, names)
    except (ValueError, TypeError, IndexError, FloatingPointError) as problem:
        return numpy.asarray(names["a"]), \
            "read-only" if "read-only" in str(problem) else type(problem).__name__
    return numpy.asarray(names["a"]), None


class Beside(unittest.TestCase):
    def setUp(self):
        np.errors("ignore")
        self.addCleanup(np.eager, 1 << 15)
        said = warnings.catch_warnings()
        said.__enter__()
        self.addCleanup(said.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def same(self, texts, ways=WAYS):
        for limit, size in ways:
            np.eager(limit)
            for text in texts.strip().splitlines():
                with self.subTest(text, limit=limit, size=size):
                    wanted, error = run(numpy, text, size)
                    made, found = run(np, text, size)
                    self.assertEqual(found, error)
                    numpy.testing.assert_allclose(made, wanted, rtol=1e-12)

    def equal(self, texts, size=6):
        """Expressions of numbers, texts, types and the like."""
        for limit in (1 << 15, 0):
            np.eager(limit)
            for text in texts.strip().splitlines():
                with self.subTest(text, limit=limit):
                    made = [eval(text, {"np": module, "n": size, "json": json,
                                        "x": module.arange(float(size)),
                                        "g": module.arange(size),
                                        "u": module.ones(size, "u1")}) for module in (numpy, np)]
                    self.assertEqual(made[1], made[0])


class Views(Beside):
    def test_views_are_views(self):
        self.same("""
v = a.view(); v[0, 0] = -9
v = a.view('i8'); v[0] = 0
v = a.view(np.ndarray); v[1] = 3
l, r = np.hsplit(a, 2); l += 1; r -= 1
l, r = np.vsplit(a, 2); l *= 3
p, q = np.dsplit(a[:, None].reshape(n, 1, n), 2); q[:] = 1
v = np.rot90(a); v[0] = 5
v = np.rot90(a, 2); v[0] = 5
v = np.rot90(a, -1, (1, 0)); v[1] = 5
v = np.rollaxis(a, 1); v[0] = 5
v = np.rollaxis(a.reshape(n, 1, n), 2, 1); v[0] = 5
v = np.atleast_3d(a); v[0, 0, 0] = 6
v = np.atleast_3d(a[0]); v[0, 2] = 6
v = np.einsum('ii->i', a); v[:] = 1
v = np.einsum('ij->ji', a); v[0] = 1
v = np.lib.stride_tricks.as_strided(a, (3, 3), (8, 8)); w = a * 2; v[0] = 7; a += w
v = np.lib.stride_tricks.sliding_window_view(a[0], 3, writeable=True); v[0] = 7
v = np.ravel(a.T, 'F'); v[3] = -1
v = a.T.ravel('K'); v[3] = -1
v = a.reshape((n * n,), order='F'); v[3] = -1
v = a[:, ::2].ravel(); v[0] = -1
v = a[0, ::2].ravel(); v[0] = -1
v = np.trim_zeros(a[0]); v[0] = 55
v = np.asmatrix(a); v[0, 1] = 55
v = a.base; a[0] = 3; a[1] = 0 if v is None else v[3]
p = a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)); p[3] = 5.0
m = a.data; m[1, 1] = 5.0; a[0] += a[1]
v = np.ndarray((n,), buffer=a); v[:] = 2
np.ndarray.fill(a, 3)
np.ndarray.sort(a[::-1], axis=0)
c = a[0] + 1; c.resize((2, 2)); a[:2, :2] = c
c = a[0] + 1; c.resize(2 * n); a[0] = c[n - 2:2 * n - 2]; c += 1
c = a[0] + 1; c.resize((n,)); a[1] = c
c = a[0] + 1; v = c[1:]; c.resize(2); a[0] = 3
c = a[0]; c.resize(2)
c = a[0] + 1; c.resize((2, -2))
""")

    def test_iterators_write(self):
        self.same("""
for x in np.nditer(a, op_flags=['readwrite']): x[...] = -x
for x, y in np.nditer([a, a.T + 1], op_flags=[['readwrite'], ['readonly']]): x[...] = y
a.flat = 7
a.flat[3] = 5
a.T.flat[1] = -4
a.flat[[1, 2]] = 9
a[:, ::2].flat = [1, 2]
a[0] = [x + 1 for x in a.flat][:n]
""")

    def test_copies_are_copies(self):
        self.same("""
v = np.asfortranarray(a); v[0] = 3
v = np.ascontiguousarray(a.T); v[0] = 3
v = np.ascontiguousarray(a); v[0] = 3
v = np.asfortranarray(a.T); v[0] = 3
v = np.array(a, order='F'); v.ravel('F')[0] = 4; a[:] = v
v = a.copy('F'); v.ravel('K')[1] = 9; a[:] = v
v = np.zeros((n, n), order='F'); v.ravel('F')[1] = 9; a[:] = v
v = np.asarray(a, order='F'); v.T.ravel()[1] = 9; a[:] = v
v = np.fft.fft(a[0]).real; v[0] = 3
""")

    def test_read_only(self):
        self.same("""
np.broadcast_to(a[0], (n, n))[0] = 1
np.broadcast_to(a[0], (n, n))[:, 1:].T[0] = 1
np.broadcast_to(a, a.shape).sort()
v = np.broadcast_to(a[0], (2 * n, n)); a[0] = 3; a[1] = v[n]
np.diagonal(a)[0] = 1
a.diagonal(1)[...] = 1
np.diag(a)[0] = 1
v = a[1:]; v.flags.writeable = False; a[1] = 3; v[0] = 4
v = a[1:]; v.setflags(write=False); a[1] = 3; v[0] = 4
v = np.lib.stride_tricks.sliding_window_view(a, 2, axis=0); a[0] = 2; v[0] = 1
np.put(np.broadcast_to(a[0], (3, n)), [0], 99)
np.fill_diagonal(a, 3)
a.imag[0] = 1
""")
        for limit, _ in WAYS:
            np.eager(limit)
            a = np.ones((200, 300))
            for made in (np.broadcast_to(a, (2, 200, 300)), np.diagonal(a)):
                self.assertFalse(made.flags.writeable)
                with self.assertRaisesRegex(ValueError, "read-only"):
                    made += 1

    def test_parts_of_complex_numbers(self):
        self.same("""
z = a + 1j; z.real[:] += 1; z.imag[1] = 9; a[:] = z.real + 3 * z.imag
z = a + 1j; np.real(z)[0] = 5; np.imag(z)[1] = 6; a[:] = z.real + 3 * z.imag
z = a + 1j; z.imag = 3; z.real = a * 2; a[:] = z.real + 3 * z.imag
z = a + 1j; z.imag *= 3; a[:] = z.imag
z = a + 1j; r = z.real; z *= 2j; a[:] = r + z.imag
z = a + 1j; r = z.real; s = z[1:].real; z = None; r[2] = 7; a[1:] = s
z = a + 1j; r, i = z.real, z.imag; z = None; r[2] = 7; i[1] = 8; a[:] = r + 10 * i
z = a + 1j; r = z.T.real; r[1:, 0] = 5; z[0] += 1; a[:] = r + z.imag
z = a + 1j; r = z.real; w = r * 2; z[0] = 0; r[1] = 1; a[:] = w + r
z = a + 1j; w = z.view('f8'); w[:, 1] = 9; a[:] = z.imag
z = a + 0j; z.real[0] = z.imag; z.flat[1] = 2j; a[:] = z.imag
a.real[0] = 5
a.real = 4
a.imag = 4
""")


class Places(Beside):
    def test_results_in_arrays(self):
        self.same("""
np.random.default_rng(1).random(out=a)
np.random.default_rng(1).random(None, float, a)
np.random.default_rng(1).standard_normal(out=a[1:])
np.random.default_rng(1).standard_exponential(out=a)
np.random.default_rng(1).standard_gamma(2.0, out=a)
np.random.default_rng(1).permuted(a, axis=1, out=a)
np.random.default_rng(1).shuffle(a[0])
np.random.seed(1); np.random.shuffle(a)
q = np.zeros((n, n)); r = np.zeros((n, n)); np.divmod(a, 3, out=(q, r)); a[:] = q + 100 * r
q = np.zeros((n, n)); np.modf(a + .5, out=(q, a)); a += q
np.divmod(a, 3, out=(a, None))
np.trace(a, out=a[0, 1:2].reshape(()))
np.sum(a, out=a[0, 1:2].reshape(()))
q = a / 0; np.nan_to_num(q, copy=False); a[:] = np.minimum(q, 77)
np.compress([True, False, True], a, 0, a[:2])
np.compress([True, False, True], a, 0, out=a[:2])
f = np.zeros((n, n)); np.modf(a + .5, f, a); a += f
v = np.trim_zeros(a[0]); v[0] = 55; w = np.real_if_close(a); w[1] = 5
np.copysign(np.zeros(n), -1, out=a[0]); np.divide(1, a[0], out=a[0])
""")

    def test_results_have_their_shapes(self):
        self.same("""
np.sum(a, axis=0, out=a)
a.sum(axis=0, out=a[:, :2])
np.mean(a, axis=0, out=np.zeros(1))
np.cumsum(a, axis=0, out=a[0])
np.argmax(a, axis=0, out=np.zeros((n, n), int))
np.concatenate([a, a], out=a)
np.dot(a, a, out=np.zeros((n, n, 1)))
np.clip(a, 1, 3, out=np.zeros((2, n, n)))
a[:] = a.transpose(0)
np.transpose(a, (0, 5))
np.transpose(a, (0, 0))
""")

    def test_arrays_of_a_jit_that_share(self):
        @arrc.jit
        def add(first, second):
            first += 1
            return second.sum()

        @arrc.jit
        def both(first, second):
            second[0] = 50
            return first * 2
        for size in (6, 60000):
            for limit in (1 << 15, 0):
                np.eager(limit)
                x = numpy.arange(size)
                self.assertEqual(add(x, x), size * (size + 1) // 2)
                self.assertEqual(x[0], 1)
                x = numpy.arange(size)
                wanted = numpy.arange(size)
                wanted[:-2] += 1
                self.assertEqual(add(x[:-2], second=x[2:]), wanted[2:].sum())
                self.assertEqual(x.tolist(), wanted.tolist())
                self.assertEqual(both(x[:3], x[1:]).tolist(), [2, 100, 6])
                self.assertEqual(add(x[:3], x[3:]), x[3:].sum())
        for wrong in (type("Class", (), {}), 3, numpy.add):
            with self.assertRaisesRegex(TypeError, "takes a function"):
                arrc.jit(wrong)


class Readers(Beside):
    def test_what_only_reads_gets_no_copies(self):
        def copied(*_):
            raise AssertionError("a copy")
        x = np.arange(60000.0) % 7
        for limit in (1 << 15, 0):
            np.eager(limit)
            with mock.patch.object(_fallback._Copies, "take", copied):
                for text in ("np.insert(x, 2, 5.0)[:4]", "np.delete(x, 2)[:4]", "np.modf(x)[0]",
                             "np.compress(x > 2, x)[:4]", "np.fft.rfft(x)[:1].real", "x.searchsorted(3)",
                             "np.frexp(x)[1][:4]", "np.median(x)", "np.spacing(x)[:3]"):
                    made, wanted = (numpy.asarray(eval(text, {"np": module, "x": given}))
                                    for module, given in ((np, x), (numpy, numpy.asarray(x))))
                    numpy.testing.assert_allclose(made, wanted)

    def test_rolls(self):
        for kind in ("u1", "f8"):
            for shape in ((5, 7), (1, 3, 4), (300, 401), (0, 3), (4, 0)):
                given = numpy.arange(numpy.prod(shape)).astype(kind).reshape(shape)
                for shift, axis in ((1, None), ((1, -2), (0, 1)), ((9, 3), (1, 0)), (2, (0, -1)),
                                    ((1, 2), 0), ((1, 4), (-1, 1)), ((0, 5), (0, 1)), ((3, -3), 0)):
                    for limit in (1 << 15, 1, 0):
                        np.eager(limit)
                        made = np.roll(np.array(given), shift, axis)
                        numpy.testing.assert_array_equal(numpy.asarray(made),
                                                         numpy.roll(given, shift, axis))


class References(Beside):
    def test_weak(self):
        gone = []
        array = np.arange(3.0) + 1
        kept = weakref.WeakValueDictionary({1: array})
        weak = weakref.ref(array, gone.append)
        self.assertIs(weak(), array)
        del array
        others = [np.arange(3.0) + k for k in range(10)]  # where it was
        self.assertEqual(gone, [weak])
        self.assertIsNone(weak())
        self.assertEqual((dict(kept), len(others)), ({}, 10))


class Classes(Beside):
    """What scripts derive from arrays."""

    TEXT = """
class Tagged(np.ndarray):
    def __new__(cls, values, tag=None):
        made = np.asarray(values, float).view(cls)
        made.tag = tag
        return made
    def __array_finalize__(self, other):
        if other is not None:
            self.tag = getattr(other, "tag", None)
    def norm(self):
        return float(np.sqrt((self ** 2).sum()))

class Three(np.ndarray):
    def __new__(cls):
        return super().__new__(cls, (3,))

class Old(np.ndarray):
    def __new__(cls, size):
        return np.ndarray.__new__(cls, (size,), int)
"""

    def test_derived_classes(self):
        for limit in (1 << 15, 0):
            np.eager(limit)
            for size in (3, 60000):
                found = []
                for module in (numpy, np):
                    names = {"np": module, "n": size}
                    exec(self.TEXT, names)
                    exec("v = Tagged(np.arange(n) + 1.0, tag=7); w = np.arange(n) * 0.5", names)
                    found.append([str(eval(text, names)) for text in (
                        "round(v.norm(), 6)", "v.tag", "v[1:].tag", "(v + w).tag", "(w * v).tag",
                        "type(v * 2).__name__", "type(w + v).__name__", "np.sqrt(v).tag",
                        "(v + w).sum()", "isinstance(v, np.ndarray)", "issubclass(Tagged, np.ndarray)",
                        "isinstance(3, np.ndarray)", "isinstance(w, Tagged)", "v.tolist() == list(v)",
                        "type(Three()).__name__, Three().shape", "type(Old(4)).__name__, Old(4).dtype",
                        "type(np.asanyarray(v)).__name__, np.asanyarray(v).tag",
                        "type(np.array(v, subok=True)).__name__",
                        "isinstance(np.asarray(v), Tagged)", "w[Tagged([0, 1]).astype(int)].tolist()",
                        "np.concatenate([v, w]).sum()", "np.mean(v)", "np.where(v > 2, v, w).sum()",
                        "np.dot(np.asmatrix(w).T[:2], np.asmatrix(w)[:, :2]).shape",
                        "(np.asmatrix(w) * w.reshape(-1, 1)).shape")])
                self.assertEqual(found[1], found[0])

    def test_annotations(self):
        self.assertEqual(np.ndarray[int, float].__args__, (int, float))


class Scalars(Beside):
    def test_scalars(self):
        self.equal("""
[0] * g[3], (1,) * g.max(), g.sum() * [1, 2], "ab" * g[2]
isinstance(x.sum(), float), isinstance(x.sum(), np.floating), isinstance(g.sum(), np.integer)
isinstance(u.max(), np.integer), isinstance(g.sum(), float), isinstance((x + 1j).sum(), complex)
np.isscalar(x.sum()), np.isscalar(x), np.isscalar(3.0)
hash(g.sum()) == hash(15), {g.sum(): 1}, g.sum() in {15: 1}, {15.0} == {x.sum()}
x.sum().is_integer(), x.mean().as_integer_ratio()
json.dumps(x.sum().item()), divmod(x.sum(), 7), divmod(7, g[4])
np.random.default_rng(g.sum()).random(), np.random.RandomState(g.sum()).rand()
np.split(x, g.max() - 2)[0].tolist(), np.repeat(x, g[2]).tolist()
""")
        with self.assertRaises(TypeError):
            hash(np.arange(3))

    def test_types(self):
        for size in (4, 60000):
            for text in ("np.degrees(np.ones(n, 'i2')).dtype", "np.radians(np.ones(n, 'u1')).dtype",
                         "np.radians(np.ones(n, 'f4')).dtype", "np.degrees(np.ones(n, 'i4')).dtype",
                         "(np.ones(n, bool) ** 2).dtype", "np.power(np.ones(n, bool), 2).dtype",
                         "np.clip(np.ones(n, 'u1'), 0, 256).max()",
                         "np.clip(np.ones(n, 'i1'), -200, 0).max()",
                         "np.add.reduce(np.ones(n, complex), dtype=float)",
                         "np.add.accumulate(np.ones(n, complex), dtype=float)[1]",
                         "np.ndim(np.array(['a'])), np.shape(np.array(['a']))",
                         "np.size(np.array(['a'])), np.iscomplexobj(['a'])",
                         "divmod(np.arange(n), 7)[1].sum(), divmod(7, np.arange(n) + 1)[0].sum()",
                         "np.std(np.arange(n), where=np.arange(n) > 1, ddof=1)",
                         "np.arange(n).var(where=np.arange(n) > 2)",
                         "np.arange(n).reshape(2, -1, order='F')[1, 1]",
                         "np.arange(n).reshape(2, -1).reshape(-1, order='A')[2]"):
                with self.subTest(text, size=size):
                    made = [eval(text, {"np": module, "n": size}) for module in (numpy, np)]
                    self.assertEqual(made[1], made[0])

    def test_limits_are_of_their_types(self):
        self.equal("""
np.finfo('f4').eps.dtype.str, repr(np.finfo(np.float32).max), float(np.finfo(x.dtype).tiny)
np.finfo(x.dtype).bits, np.finfo('f2').smallest_normal.dtype.str
""")

    def test_folds_of_numbers(self):
        self.equal("""
np.any(x[0], axis=-1), np.all(x[1], axis=0), np.sum(x[2], axis=0), x[3].max(axis=-1)
np.sum(x.sum(), axis=0) + x.sum().min(axis=-1), np.argmax(x[3], axis=0), np.argmin(x.sum(), -1)
""")
        for text in ("np.sum(x[0], axis=1)", "np.any(x[0], axis=-2)", "np.sum(x[0], axis=(0,))"):
            for module in (numpy, np):
                with self.assertRaises(ValueError):
                    eval(text, {"np": module, "x": module.arange(3.0)})

    def test_generators(self):
        self.equal("""
isinstance(np.random.RandomState(0), np.random.RandomState)
isinstance(np.random.RandomState(0), np.random.Generator)
isinstance(np.random.default_rng(0), np.random.Generator)
np.random.Generator(np.random.PCG64(3)).random(3).tolist()
np.random.default_rng(np.random.Generator(np.random.PCG64(3))).random(3).tolist()
""")
        drawn = np.random.default_rng(3)
        self.assertIsInstance(drawn, numpy.random.Generator)
        self.assertIs(np.random.default_rng(drawn), drawn)
        for other in (copy.deepcopy(drawn), pickle.loads(pickle.dumps(drawn))):
            self.assertIsInstance(other, np.random.Generator)
            self.assertEqual(other.random(3).tolist(), copy.copy(drawn).bit_generator and
                             numpy.random.default_rng(3).random(3).tolist())

    def test_indices(self):
        self.same("""
a[range(n), [1] * n] -= 1
a[range(2)] = a[range(1, 3)]
a[0] = a[range(n), range(n)]
a[[range(2)], 0] = 5
a['x'] = 1
a[1.5] = 1
""")


class Errors(Beside):
    def test_powers(self):
        self.same("""
b = a.astype(int); b ** -1
b = a.astype(int); b **= -2
b = a.astype(int); a[:] = np.power(b, -1)
b = a + 1; a[:] = b ** -1
""")
        for size in (6, 60000):
            a = np.arange(size)
            with self.assertRaises(ValueError):
                a ** -1

    def test_state(self):
        for size in (6, 60000):
            for limit in (1 << 15, 100):
                np.eager(limit)
                a, b = np.ones(size), np.zeros(size)
                with np.errstate(all="raise"):
                    with self.assertRaises(FloatingPointError):
                        a / b
                    with self.assertRaises(FloatingPointError):
                        np.log(b)
                self.assertEqual(np.eager(), limit)
                self.assertTrue(numpy.isinf((a / b).max()))
                old = np.seterr(divide="raise")
                try:
                    with self.assertRaises(FloatingPointError):
                        a / b
                finally:
                    np.seterr(**old)
                self.assertEqual(float((a + a).sum()), 2 * size)

    def test_arrays_of_others(self):
        class Has:
            def __init__(self, array):
                self.array = array

            def __array__(self, dtype=None, copy=None):
                return self.array
        given = Has(np.asarray([1.0, 2.0]))
        self.assertEqual(np.asarray(given).tolist(), [1, 2])
        self.assertEqual(float(np.sum(given)), 3)
        self.assertEqual(float(np.median(given)), 1.5)
        self.assertEqual((np.ones(2) + given).tolist(), [2, 3])
        self.assertEqual(np.array([given, given]).tolist(), [[1, 2], [1, 2]])

    def test_masks(self):
        masked = numpy.ma.masked_array([1.0, 2, 3], [0, 1, 0])
        for made in (np.ones(3) + masked, masked + np.ones(3), np.add(masked, np.ones(3))):
            self.assertEqual(made.sum(), 6)
        self.assertEqual(float(np.sum(masked)), 4)
        self.assertEqual(np.mean(masked), 2)


if __name__ == "__main__":
    unittest.main()
