"""arrc.numpy: what NumPy's users rely on, case by case."""
import math
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

import numpy
import arrc
import arrc.numpy as np
from arrc.numpy import _elementwise, _evaluate, _execute, _graph, _measure, _memory, _views


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

    def test_remainders_have_the_sign_of_what_is_divided(self):
        for kind in ("float64", "float32", "int32"):
            a = numpy.array([-0.0, -4, 4, -5, 5, -1, 0, 0, 7, -7] * 2).astype(kind)
            b = numpy.array([4, 4, -4, 3, -3] * 4).astype(kind)
            if kind != "int32":
                a[-6:] = -1e-30, numpy.inf, 3, -3, numpy.nan, -0.0
                b[-6:] = 1, 2, numpy.inf, -numpy.inf, 1, -numpy.inf
            with numpy.errstate(all="ignore"):
                wanted = numpy.fmod(a, b)
            made = numpy.asarray(np.fmod(np.array(a), np.array(b)))
            numpy.testing.assert_array_equal(made, wanted)
            there = ~numpy.isnan(wanted)
            self.assertEqual(numpy.signbit(made[there]).tolist(),
                             numpy.signbit(wanted[there]).tolist())

    def test_all_integers_are_numbers(self):
        for kind in ("bool", "int8", "uint16", "int64", "float32"):
            a, b = numpy.arange(6).astype(kind), numpy.array([3, 0, 1, 7, 2, 9]).astype(kind)
            for name in ("fmax", "fmin"):
                numpy.testing.assert_array_equal(
                    numpy.asarray(getattr(np, name)(np.array(a), np.array(b))),
                    getattr(numpy, name)(a, b))

    def test_nothing_equals_no_element(self):
        for shape in ((3,), (2, 4), (0, 3), (60000,)):
            a = np.zeros(shape)
            self.assertEqual((a == None).tolist(), numpy.zeros(shape, bool).tolist())  # noqa: E711
            self.assertEqual((a != None).tolist(), numpy.ones(shape, bool).tolist())  # noqa: E711
            self.assertNotIn(None, a)
            with self.assertRaises(TypeError):
                a < None

    def test_the_other_order_of_bytes(self):
        np.errors("ignore")
        for size in (3, 60000):
            for kind in (">f8", ">i4"):
                theirs = numpy.arange(size, dtype=kind)
                ours = np.arange(size, dtype=kind)
                self.assertEqual(ours.dtype, theirs.dtype)
                for text in ("a + 1", "np.add(a, a)", "b * a", "b - a[::-1]", "np.sort(a)[::-1] + b",
                             "np.where(a > 1, a, b)", "np.sum(a)", "np.cumsum(a)", "np.stack([a, b])"):
                    wanted = eval(text, {"np": numpy, "a": theirs, "b": numpy.ones(size)})
                    made = eval(text, {"np": np, "a": ours, "b": np.ones(size)})
                    self.assertEqual(made.dtype, wanted.dtype.newbyteorder("="), text)
                    numpy.testing.assert_array_equal(numpy.asarray(made), wanted)
                numpy.testing.assert_array_equal(arrc.jit(lambda a: a + 1)(theirs), theirs + 1)

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

    def test_loops_settle_in_one_structure(self):
        # Parts of two arrays in turn: what is put off is written over in part, and read so.
        np.errors("warn")
        self.addCleanup(np.eager, np.eager())
        np.eager(1 << 15)
        a, b = np.zeros((250, 260)), np.ones((250, 260))
        keys = []
        plan = _execute._Plan
        with mock.patch.object(_execute, "_Plan",
                               lambda wanted: (made := plan(wanted), keys.append(made.key))[0]):
            for _ in range(20):
                b[1:-1] = a[:-2] + 0.5 * a[2:]
                a[1:-1] = b[:-2] - 0.5 * b[2:]
            a.numpy()
        self.assertEqual(len(set(keys[5:])), 1)

    def test_a_function_is_one_place_of_a_loop(self):
        np.errors("ignore")
        self.addCleanup(np.eager, np.eager())
        np.eager(10)
        a = np.arange(1 << 16) * 0.5
        m = a.reshape(256, 256)
        np.flush()
        keys = []
        plan = _execute._Plan
        with mock.patch.object(_execute, "_Plan",
                               lambda wanted: (made := plan(wanted), keys.append(made.key))[0]), \
                mock.patch.object(_execute, "_pays", lambda *_: False):
            # What small values are needed on the way runs, too: the means of variances.
            for text, most in (("np.std(a)", 2), ("np.nanvar(a)", 2), ("np.nanmean(a)", 1),
                               ("np.polyval([1, 2, 3], a)[1]", 1), ("np.nan_to_num(a)[1]", 1),
                               ("np.pad(m, 1, 'edge')[0, 1]", 1), ("sum(np.gradient(m))[1, 2]", 1),
                               ("np.isclose(a, a[::-1]).any()", 1)):
                names = {"np": np, "a": a, "m": m, "keys": keys, "told": []}
                exec(f"for _ in range(3):\n  keys.clear()\n  x = {text}\n  float(x)\n"
                     "  told.append(len(keys))", names)
                self.assertLessEqual(max(names["told"]), most, text)

    def test_what_is_small_is_measured(self):
        for recording, element, wanted in ((12e-6, 1e-9, 1 << 15), (12e-6, 0.25e-9, 96000),
                                           (1e-3, 0.25e-9, 1 << 18), (12e-6, 0.0, 1 << 18)):
            with mock.patch.object(_measure, "recording", lambda: recording), \
                    mock.patch.object(_measure, "at_once", lambda elements: elements * element):
                self.assertAlmostEqual(_measure.break_even(), wanted, delta=1)
        self.assertGreater(_measure.recording(), 0)

    def test_parts_of_large_arrays(self):
        np.errors("warn")
        self.addCleanup(np.eager, np.eager())
        np.eager(100)
        for module in (numpy, np):
            before = _memory.counts["held"]
            a, b = module.arange(900.0).reshape(30, 30).copy(), module.ones((30, 30))
            shared = a[2:]
            for k in range(1, 30):
                a[k, k] = a[k, :k] @ a[:k, k] / (1 + a[k, k - 1])
                b[k] = b[k - 1] + a[k]
            self.assertEqual(float(shared[3, 5]), float(a[5, 5]))
            whole = b * 2 - a
            b[0] = 7
            b[0, 1:3] += whole[0, :2]
            made = [float(whole.sum()), float(b.sum()), float((a + b)[29, 3])]
            wanted = made if module is numpy else wanted
        numpy.testing.assert_allclose(made, wanted)
        self.assertGreater(_memory.counts["held"], before)

    def test_arrays_with_views_are_held(self):
        # A row that a name holds until the next one is taken.
        np.errors("ignore")
        self.addCleanup(np.eager, np.eager())
        np.eager(100)
        for module in (numpy, np):
            a, x = module.arange(900) % 30, module.arange(300.0)
            sums = module.empty(400)
            for k in range(400):
                row = a[2 * k:2 * k + 3]
                sums[k] = x[row].sum()
                if k == 300:
                    row[:] = 7
                    sums[k] += a[2 * k + 1]
            last = row[1]
            a[2 * k:2 * k + 3] = 5
            made = [*numpy.asarray(sums), float(last), *numpy.asarray(row), int((a * 2)[601])]
            wanted = made if module is numpy else wanted
        self.assertEqual(made, wanted)
        self.assertIsNotNone(row._held)

    def test_the_limit_rises_where_recording_does_not_pay(self):
        np.errors("ignore")
        self.addCleanup(np.eager, np.eager())
        with mock.patch.object(_execute, "_eager", [100]), \
                mock.patch.object(_execute, "_too_low", [0]), \
                mock.patch.object(_execute, "_pays", lambda *_: False), \
                mock.patch.object(_execute._compiling, "is_busy", lambda: False), \
                mock.patch.object(_execute, "CALL", 1.0):
            # What is computed while a compiler runs is not counted: none starts here.
            _execute.settle_eager()
            a = np.zeros(400)
            large = np.zeros(1 << 19)
            for k in range(_execute.PATIENCE + 3):
                large = large + 1
                np.flush()
            self.assertEqual(np.eager(), 100)
            for k in range(_execute.PATIENCE + 3):
                a = a + 1
                np.flush()
            self.assertEqual(np.eager(), 400)
            self.assertEqual(float(a.sum()), 400.0 * (_execute.PATIENCE + 3))
        np.eager(100)
        for k in range(_execute.PATIENCE + 3):
            a = a + 1
            np.flush()
        self.assertEqual(np.eager(), 100)  # the script has said it

    def test_what_is_long_is_not_tried_to_its_end(self):
        np.errors("ignore")
        self.addCleanup(np.eager, np.eager())
        np.eager(10)
        a = np.arange(1 << 19) * 0.5
        np.flush()
        structures, calls = {}, []

        def evaluate(nodes, wanted, until=math.inf):
            calls.append(until)
            return run(nodes, wanted, until)
        run = _evaluate.run
        with mock.patch.object(_execute, "_structures", structures), \
                mock.patch.object(_evaluate, "run", evaluate), \
                mock.patch.object(_execute._compiling, "is_busy", lambda: False), \
                mock.patch.object(_execute, "COMPILE", 0):
            def total():
                made = ((a[:, None] + np.arange(4.0)) ** 2)[:, :1].sum()
                return float(made)
            wanted = float(((numpy.arange(1 << 19) * 0.5) ** 2).sum())
            with mock.patch.object(_execute._Structure, "usual", lambda *_: 1e-4):
                for _ in range(70):  # memory alone takes NumPy longer
                    self.assertAlmostEqual(total() / wanted, 1)
            self.assertEqual(calls, [])
            (structure,) = structures.values()
            structure.ways.clear()
            with mock.patch.object(_execute._Structure, "usual", lambda *_: 2e-3), \
                    mock.patch.object(_evaluate, "_RATE", 1e12):
                for _ in range(4):
                    self.assertAlmostEqual(total() / wanted, 1)
            self.assertEqual(len(calls), 1)
            self.assertLess(calls[0], math.inf)
            nodes = [_graph.Node("map", ((a._base.node, None),), a.shape, a.dtype,
                                 ("negative", (a.dtype,), "a"))]
            self.assertIsNone(run(nodes, nodes, time.perf_counter() - 1))
            self.assertEqual(run(nodes, nodes, time.perf_counter() + 60)[0][2], -1)

    def test_orders_of_complex_numbers(self):
        parts = [0.0, -0.0, 1.0, -2.0, numpy.inf, -numpy.inf, numpy.nan]
        for kind in ("c8", "c16"):
            given = numpy.array([complex(a, b) for a in parts for b in parts], kind)
            for name in ("less", "less_equal", "greater", "greater_equal"):
                for other in (given[:, None], 1.0, 1 - 2j, given[9]):
                    with numpy.errstate(all="ignore"):
                        wanted = getattr(numpy, name)(given, other)
                    ours = np.array(given)
                    theirs = ours[:, None] if isinstance(other, numpy.ndarray) else other
                    made = getattr(np, name)(ours, theirs)
                    numpy.testing.assert_array_equal(numpy.asarray(made), wanted)

    def test_equal_values_stay_in_order(self):
        for kind in ("bool", "i1", "u2", "i4", "u8", "f2", "f4", "f8"):
            given = numpy.array([3, 1, 0, 0, 2, 0, 1] * 9).astype(kind).reshape(9, 7)
            if kind[0] == "f":
                given[::2, 2] = -0.0
                given[1, 1] = numpy.nan
            for axis in (0, 1):
                node = _graph.Node("sort", ((_graph.leaf(given), None),), given.shape, given.dtype,
                                   (axis, False))
                made = _evaluate.evaluate(node, [given])
                wanted = numpy.sort(given, axis, "stable")
                self.assertEqual(made.tobytes(), wanted.tobytes(), (kind, axis))

    def test_dying_values_give_their_memory(self):
        np.errors("ignore")
        self.addCleanup(np.eager, np.eager())
        np.eager(10)
        with mock.patch.object(_execute, "_pays", lambda *_: False):
            for module in (numpy, np):
                a, b = module.arange(100.0), module.ones(100)
                old = b
                made = []
                for k in range(6):
                    a = a * 1.5 + k
                    b = b + a[::-1]
                    a[a > 40] = k
                    a[module.logical_not(a > 3)] *= 2
                    c = a[1:] + a[:-1]
                    if k == 3:
                        old = b
                    made += [float(c.sum()), float(b[3])]
                made += [float(old.sum()), float(module.where(b > 9, b, old).sum())]
                wanted = made if module is numpy else wanted
        self.assertEqual(made, wanted)
        # The memory is the same one.
        a = np.arange(100.0) + 0
        np.flush()
        with mock.patch.object(_execute, "_pays", lambda *_: False):
            place = a._base.node.value.ctypes.data
            a = a + 1
            np.flush()
            self.assertEqual(a._base.node.value.ctypes.data, place)
            b = a
            a = np.sqrt(a)
            np.flush()
            self.assertNotEqual(a._base.node.value.ctypes.data, place)
            self.assertEqual(float(b[4]), 5.0)
            # An operation behind it that fails leaves what came before.
            n = np.arange(100) + 0
            np.flush()
            a, n = b + 1, n - 200
            del b
            with self.assertRaises(ValueError):
                c = np.arange(100) ** n
                np.flush()
            self.assertEqual([float(a[4]), int(n[4])], [6.0, -196])

    def test_results_where_ufuncs_are_told(self):
        np.errors("warn")
        for size in (3, 100_000):
            x, y = np.arange(size) + 1.0, np.zeros(size)
            self.assertIs(np.add(x, 1.0, out=y), y)
            self.assertIs(np.exp(-x, out=(y,)), y)
            self.assertIs(np.sqrt(x, y), y)
            self.assertEqual(float(y[2]), 3 ** 0.5)
            np.divide(x, 2, out=y, where=x > 1.5)
            self.assertEqual(y[:3].tolist(), [1.0, 1.0, 1.5])
            with self.assertRaises(TypeError):
                np.add(x, 0.5, out=np.arange(size))
        self.assertEqual([list(row) for row in np.eye(2)], [[1, 0], [0, 1]])
        self.assertEqual(np.arange(1, 10, 3).tolist() + np.arange(0.5).tolist(), [1, 4, 7, 0])

    def test_nodes_are_those_of_python(self):
        # What the extension records is what the functions of Python would record.
        np.flush()
        arrays = {kind: np.array(numpy.arange(1, 13).reshape(3, 4).astype(kind))
                  for kind in ("f4", "f8", "i4", "i8", "u1", "c16", "bool")}
        others = [2, 3.5, True, 0.5, numpy.float32(2), numpy.int8(3), -1, 300, 1e300]

        def told(function):
            before = list(_graph.recorder.pending)
            try:
                made = function()
            except Exception as problem:
                return type(problem)
            nodes = [node for node in _graph.recorder.pending if node not in before]
            return type(made), getattr(made, "dtype", None), [
                (node.op, node.extra, node.shape, node.dtype, node.loop, node.place,
                 [dims for _, dims in node.operands],
                 [(type(number), number) for number in node.numbers]) for node in nodes[-1:]]

        ufuncs = [numpy.add, numpy.subtract, numpy.multiply, numpy.true_divide, numpy.power,
                  numpy.floor_divide, numpy.remainder, numpy.less, numpy.equal, numpy.maximum,
                  numpy.bitwise_and, numpy.left_shift, numpy.arctan2, numpy.logical_and]
        for kind, a in arrays.items():
            for b in [*others, *arrays.values(), a[1], a[:, :1], a.T[None, 1, 2:]]:
                for ufunc in ufuncs:
                    for pair in ((a, b), (b, a)):
                        ours = told(lambda: getattr(np, ufunc.__name__)(*pair))
                        theirs = told(lambda: _elementwise.ufunc_call(ufunc, pair))
                        if theirs is not _elementwise.NotCovered:
                            self.assertEqual(ours, theirs, (kind, b, ufunc))
            for ufunc in (numpy.sqrt, numpy.exp, numpy.negative, numpy.absolute, numpy.floor,
                          numpy.square, numpy.logical_not, numpy.invert):
                ours = told(lambda: getattr(np, ufunc.__name__)(a))
                theirs = told(lambda: _elementwise.ufunc_call(ufunc, (a,)))
                if theirs is not _elementwise.NotCovered:
                    self.assertEqual(ours, theirs, (kind, ufunc))
            a += 1 if kind != "bool" else True
            np.flush()

    def test_views_are_those_of_python(self):
        a = np.array(numpy.arange(60.0).reshape(3, 4, 5))
        for first in ((slice(1, None), slice(None, None, -2)), (0,), (slice(None), None, -1),
                      (slice(3, 1), 2), (slice(2, 3), slice(1, 3))):
            for second in ((slice(None), 0), (slice(None, None, -1),), (None, slice(0, 1))):
                wanted = _views.index(_views.index(a._own_view, first), second)
                made = a[first][second]._view
                self.assertTrue(made.is_same(wanted), (first, second))
                self.assertEqual(numpy.asarray(a[first][second]).tolist(),
                                 numpy.arange(60.0).reshape(3, 4, 5)[first][second].tolist())
        with self.assertRaises(IndexError):
            a[:, 4]
        with self.assertRaises(IndexError):
            a[:, 0, 0, 0]

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


class Small(unittest.TestCase):
    """What NumPy computes at once, in its own memory."""

    def setUp(self):
        np.errors("ignore")
        self.limit = np.eager(100)

    def tearDown(self):
        np.eager(1 << 15)

    def test_views_share_memory(self):
        for module in (numpy, np):
            a = module.zeros((4, 6))
            b, c, d = a[1:, ::2].T, a.reshape(-1), module.transpose(a)
            b[1:] += 5
            c[::7] = 9
            d[0, 0] = -1
            module.diagonal(a).copy()[:] = 3
            a.T[2] *= 2
            a[:] = a[::-1]
            a.swapaxes(0, 1)[3] = [1, 2, 3, 4]
            e = module.squeeze(a[None])
            e[1, 1] = 77
            if module is numpy:
                wanted = a, b, c, d, e
        for ours, theirs in zip((a, b, c, d, e), wanted):
            numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
        self.assertTrue(np.may_share_memory(a, b))

    def test_others_read_what_it_was(self):
        small, large = np.arange(10.0), np.ones((30, 10))
        self.assertIsNotNone(small._held)
        self.assertIsNone(large._held)
        sums = large * small + small
        small += 100
        again = large * small
        small[3] = 0
        large[2] = small
        self.assertEqual(sums[0].tolist(), [2.0 * k for k in range(10)])
        self.assertEqual(again[1, 3], 103)
        self.assertEqual(large[2].tolist()[:4], [100, 101, 102, 0])
        small[:] = (large * 2)[0]
        self.assertEqual(small.tolist(), [2.0] * 10)
        small[-0:1] = -0.0
        (large * small).numpy()
        small[0] = 0.0
        self.assertFalse(numpy.signbit(numpy.asarray(large * small)[0, 0]))

    def test_limits_change(self):
        a = np.arange(12.0).reshape(3, 4)
        b = a[1]
        np.eager(0)
        b += 1
        a[0] = b * 2
        self.assertEqual(a.tolist(), [[10, 12, 14, 16], [5, 6, 7, 8], [8, 9, 10, 11]])
        np.eager(100)
        a.T[0] = 0
        self.assertEqual(b.tolist(), [0, 6, 7, 8])
        np.eager(3)
        c = a[:, ::2]
        d = a[[0, 1]]
        a.T[:] = 1
        d.T[0] = 5
        self.assertEqual((c.tolist(), d.tolist()[1]), ([[1, 1]] * 3, [5, 6, 7, 8]))

    def test_like_numpys(self):
        a, b = numpy.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
        for text in ("x[1]", "x[1, 2]", "x[None].shape", "x.T.shape", "x.ndim", "len(x)", "x ** 2",
                     "2 - x", "x == 3", "-x", "x // 2", "x % 4", "x @ x.T", "np.dot(x, x.T)",
                     "np.sum(x, axis=0)", "x.mean()", "np.where(x > 2, x, 0.0)", "x[[1, 0]]",
                     "x[x > 2]", "np.concatenate([x, x])", "np.stack((x, x))", "x.astype('int32')",
                     "np.outer(x[0], x[1])", "np.maximum(x, 2.5)", "np.add.reduce(x)",
                     "np.zeros((2, 2))", "np.full((2,), 3.0)", "np.nonzero(x)[0]", "np.clip(x, 1, 3)",
                     "np.linalg.norm(x)", "np.argmax(x)", "abs(x - 3)", "x.dtype", "x.size",
                     "x.max(axis=1, keepdims=True)", "np.sort(x[:, ::-1])", "x.item(3)",
                     "x.copy().fill(0)", "np.einsum('ij,kj->ik', x, x)", "3 in x", "float(x[1, 1])",
                     "np.broadcast_to(x[0], (4, 3))", "x.reshape(()) if x.size == 1 else 0",
                     "x == None", "x != None", "None in x", "x[0, 0] == None", "x.sum() != None",
                     "np.power(x, 2)", "x[1:, 1:].sum()", "divmod(7, int(x[1, 0]))", "list(x)[1]"):
            theirs, ours = eval(text, {"np": numpy, "x": a}), eval(text, {"np": np, "x": b})
            with self.subTest(text):
                self.assertEqual(isinstance(theirs, numpy.ndarray), isinstance(ours, np.ndarray))
                numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
        for text, error in (("x[2]", IndexError), ("x[0, 0, 0]", IndexError), ("x + x[:, :2]", ValueError),
                            ("x['a']", IndexError), ("x & x", TypeError), ("x @ x", ValueError),
                            ("x.reshape(4)", ValueError), ("x.sum(axis=2)", ValueError),
                            ("bool(x)", ValueError), ("x.nothing", AttributeError),
                            ("np.broadcast_to(x[0], (2, 3)).__setitem__(0, 1)", ValueError),
                            ("np.add(x)", (TypeError, ValueError)), ("np.concatenate([])", ValueError)):
            with self.subTest(text), self.assertRaises(error):
                eval(text, {"np": np, "x": b})
        with self.assertRaises(TypeError):
            hash(b)
        with self.assertRaises(ValueError):
            del b[0]
        b.shape = 3, 2
        self.assertEqual(b[2].tolist(), [4, 5])

    def test_copies(self):
        import copy
        import pickle
        a = np.arange(4)
        for made in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), np.array(a),
                     numpy.asarray(a), a.numpy(), numpy.from_dlpack(a)):
            a[0] += 1
            self.assertNotEqual(int(made[0]), int(a[0]))
        self.assertIs(np.asarray(a), a)
        theirs = numpy.zeros(3)
        np.asarray(theirs)[0] = 1
        self.assertEqual(theirs[0], 0)


class Fallback(unittest.TestCase):
    def test_one_warning(self):
        np.errors("warn")
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(2):
                made = np.unwrap(np.ones(3))
        self.assertEqual(made.tolist(), [1, 1, 1])
        self.assertEqual([str(w.message) for w in found], ["NumPy computes unwrap"])
        self.assertEqual(found[0].filename, __file__)
        np.errors("raise")
        with self.assertRaises(NotImplementedError):
            np.unwrap(np.ones(3))
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


@arrc.jit
def bump(row):
    row[1] += 1
    return row


class Entries(unittest.TestCase):
    def test_jit_of_small(self):
        np.errors("ignore")
        row = numpy.arange(4.0)
        self.assertIs(bump(row), row)
        self.assertEqual(row.tolist(), [0, 2, 2, 3])
        fixed = numpy.arange(4.0)
        fixed.flags.writeable = False
        arrc.jit(lambda x: numpy.abs(x))(fixed)

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

    def test_jit_gives_its_arguments(self):
        np.errors("ignore")
        same = arrc.jit(lambda *args, **kwargs: (*args, kwargs))
        for make in (numpy.zeros, np.zeros):
            x, y, z = make(3), make(60000), make((2, 2))
            a, b, named = same(x, y, z=z)
            self.assertTrue(a is x and b is y and named["z"] is z)

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
                            "import numpy.typing as npt\n"
                            "from numpy.typing import NDArray\n"
                            "from numpy import typing, ma\n"
                            "from numpy.polynomial import polynomial\n"
                            "def f(x: npt.NDArray[np.float64], y: NDArray, z: np.ndarray) -> float:\n"
                            "  return float(polynomial.polyval(2.0, x))\n"
                            "assert f(np.ones(3), 1, 2) == 7.0\n"
                            "if __name__ == '__main__':\n"
                            "  print((ones(3) * 2).sum(), sys.argv[1], la.norm(np.ones(4)))\n")
            made = subprocess.run([sys.executable, "-m", "arrc", str(path), "here"],
                                  capture_output=True, text=True)
            self.assertEqual(made.stdout, "6.0 here 2.0\n", made.stderr)


if __name__ == "__main__":
    unittest.main()
