"""Calls of compiled programs: what goes in, what comes out, what help says."""
import copy
import ctypes
import doctest
import inspect
import os
import pickle
import pydoc
import subprocess
import sys
import tempfile
import unittest
import warnings

import arrc
import arrc.numpy
import numpy as np

PROGRAM = arrc.compile("""
struct Body { pos: f32[3], mass: f32 }

# Moves bodies
#   by dt.
@fast
export def step(bs: Body[n], dt: f32 = 0.5, pair: (int, f32), flag: bool = true)
    -> (moved: Body[n], one: Body, p: (f32, int), heavy: f32[?k]) {
  let m = for b in bs { Body(for d in 3 { b.pos[d] + dt }, b.mass) }
  (m, m[0], (dt * pair.1, pair.0), for b in bs if b.mass > 0.0 and flag { b.mass })
}
export def same(x: f32[n]) -> f32[n] { x }
export def twice(x: f32[n]) -> (a: f32[n], b: f32[n]) {
  let y = for i { x[i] + 1.0 }
  (y, y)
}
export def lambda_of(is_: int) -> int = is_ + 1
export def weights(k: f32[3] = [1.0, 2.0, 3.0]) -> f32 = sum(k)
export def table(a: f32[n, m]) -> (r: f32[n], c: f32[m]) {
  (for i in n { sum for j { a[i, j] } }, for j in m { sum for i { a[i, j] } })
}
export def scalars(a: i8, b: u64, c: f16, d: bf16, e: f64, f: c64, g: c128, h: bool)
    -> (a1: i8, b1: u64, c1: f16, d1: bf16, e1: f64, f1: c64, g1: c128, h1: bool) {
  (a, b, c, d, e, f, g, h)
}
export def again(u: f32[n], bs: Body, t: int = 0) -> (u: f32[n], bs: Body, t: int) =
  (for i { u[i] + 1.0 }, bs, t + 1)
export def none(n: int) -> f32[n] = for i in n { 1.0 }
""", target="cpu")

ELEMENTS = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
            "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "f16": "float16",
            "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}


class Tensor:
    """Has DLPack's protocol alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Calls(unittest.TestCase):
    def test_rows_of_different_sizes(self):
        f = arrc.compile("export def f(r: f32[n, ?]) -> f32[n, ?] = for row in r { for x in row { x + 1.0 } }").f
        rows = {"offsets": np.array([0, 2, 2, 3]), "values": np.array([1, 2, 5], np.float32)}
        made = f(rows)
        self.assertEqual(made["offsets"].tolist(), [0, 2, 2, 3])
        self.assertEqual(made["values"].tolist(), [2, 3, 6])
        with self.assertRaises(arrc.InputError):
            f({"offsets": np.array([0, 3, 2, 3]), "values": rows["values"]})

    def test_signature_and_help(self):
        step = PROGRAM.step
        self.assertEqual(list(inspect.signature(step).parameters), ["bs", "dt", "pair", "flag"])
        parameter = inspect.signature(step).parameters["dt"]
        self.assertEqual((parameter.default, parameter.annotation), (0.5, "f32"))
        text = pydoc.render_doc(step, renderer=pydoc.plaintext)
        self.assertIn("Moves bodies\n      by dt.", text)
        self.assertIn("pair: (int, f32)", text)
        self.assertIn("p: (f32, int), heavy: f32[?k]", text)
        self.assertEqual(list(PROGRAM)[:2], ["step", "same"])
        self.assertIs(PROGRAM["same"], PROGRAM.same)

    def test_structs_tuples_and_defaults(self):
        bodies = {"pos": np.zeros((2, 3), "f4"), "mass": np.array([0, 4], "f4")}
        result = PROGRAM.step(bodies, pair=(3, 2.5))
        self.assertEqual(result._fields, ("moved", "one", "p", "heavy"))
        self.assertEqual(result.moved["pos"].tolist(), [[0.5] * 3] * 2)
        self.assertEqual(result.one["mass"], 0.0)
        self.assertEqual(result.p, (1.25, 3))
        self.assertEqual(result.heavy.tolist(), [4.0])
        self.assertEqual(len(PROGRAM.step(bodies, 1, (3, 2), False).heavy), 0)
        structured = np.zeros(2, [("mass", "f4"), ("pos", "f4", 3)])
        structured["mass"] = [0, 4]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            other = PROGRAM.step(structured, pair=(3, 2.5))
        self.assertEqual(other.heavy.tolist(), [4.0])
        self.assertEqual(PROGRAM.weights(), 6.0)
        self.assertEqual(PROGRAM.weights([1, 1, 1]), 3.0)
        self.assertEqual(PROGRAM.weights(k=np.ones(3, "f4")), 3.0)

    def test_elements(self):
        for element, dtype in ELEMENTS.items():
            same = arrc.compile(f"export def same(x: {element}[n, m]) -> {element}[n, m] {{ x }}",
                                target="cpu")
            x = (np.arange(6).reshape(2, 3) % 2).astype(dtype)
            y = same(x)
            self.assertEqual((y.dtype, y.tolist()), (x.dtype, x.tolist()), element)
            if element != "bool":  # which NumPy gives to nobody before 1.25
                self.assertEqual(same(Tensor(x)).tolist(), x.tolist(), element)
            self.assertEqual(same(np.zeros((0, 3), dtype)).shape, (0, 3))

    def test_scalars(self):
        given = (-128, 2**64 - 1, 0.5, 3.0, 0.1, 1 + 2j, 1e300 - 1j, True)
        self.assertEqual(tuple(PROGRAM.scalars(*given)), given)
        numpys = (np.int8(-3), np.array(7, "u8"), np.float16(2.5), 1, np.float32(0.5),
                  np.complex64(1j), 2.0, np.bool_(False))
        self.assertEqual(tuple(PROGRAM.scalars(*numpys)), (-3, 7, 2.5, 1.0, 0.5, 1j, 2.0, False))

    def test_layouts_are_copied_and_said(self):
        a = np.arange(6, dtype="f4").reshape(2, 3)
        want = (a.sum(1).tolist(), a.sum(0).tolist())
        for layout in (np.asfortranarray(a), np.repeat(a, 2, 0)[::2], a[::-1][::-1].T.copy().T):
            with self.assertWarnsRegex(arrc.CopyWarning, "'a' is not dense"):
                result = PROGRAM.table(layout)
            self.assertEqual(tuple(r.tolist() for r in result), want)
        unaligned = np.frombuffer(b"x" + a.tobytes(), "u1")[1:].view("f4").reshape(2, 3)
        self.assertEqual(PROGRAM.table(unaligned).r.tolist(), want[0])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            PROGRAM.table(a[:1])
            PROGRAM.table(a[:0, ::2])
            a.flags.writeable = False
            PROGRAM.table(a)

    def test_results_are_values(self):
        x = np.ones(1000, "f4")
        self.assertFalse(np.shares_memory(PROGRAM.same(x), x))
        a, b = PROGRAM.twice(x)
        self.assertFalse(np.shares_memory(a, b))
        a[:] = 7
        self.assertEqual(b[0], 2)

    def test_arrays_of_ctypes(self):
        # They say nothing of strides.
        self.assertEqual(PROGRAM.same((ctypes.c_float * 3)(1, 2, 3)).tolist(), [1, 2, 3])
        self.assertEqual(PROGRAM.same((ctypes.c_float * 0)()).shape, (0,))
        with self.assertRaises(TypeError):
            PROGRAM.same((ctypes.c_double * 3)(1, 2, 3))

    def test_results_in_memory_of_the_caller(self):
        x, y, z = (np.full(1000, value, "f4") for value in (1, 0, 0))
        self.assertIs(PROGRAM.same(x, out=y), y)
        self.assertEqual(y.tolist(), x.tolist())
        made = PROGRAM.twice(x, out=(None, z))
        self.assertIs(made[1], z)
        self.assertEqual((z[0], made[0][0]), (2, 2))
        self.assertIs(PROGRAM.same(2 * x, out=x), x)
        self.assertEqual(x[7], 2)
        wide = np.zeros((1000, 3), "f4")
        PROGRAM.same(x, out=wide[:, 1])
        self.assertEqual(wide.sum(0).tolist(), [0, 2000, 0])
        buffer = bytearray(8)
        PROGRAM.same(x[:2], out=memoryview(buffer).cast("f"))
        self.assertEqual(np.frombuffer(buffer, "f4").tolist(), [2, 2])
        self.assertEqual(PROGRAM.same(x[:0], out=z[:0]).shape, (0,))
        self.assertEqual(PROGRAM.same(x, out=None).tolist(), x.tolist())
        for size in (4, 60000):
            ours = arrc.numpy.zeros(size, "f4")
            view = ours[1:]
            self.assertIs(PROGRAM.same(np.full(size, 3, "f4"), out=ours), ours)
            self.assertEqual((float(ours[1]), float(view[0])), (3, 3))
        masked = np.ma.zeros(3, "f4")
        self.assertIs(PROGRAM.same(np.ones(3, "f4"), out=masked), masked)
        self.assertEqual(masked.tolist(), [1, 1, 1])
        before = y.copy()
        for kind, out in ((TypeError, y.astype("f8")), (TypeError, wide), (ValueError, y[1:]),
                          (TypeError, (y, z)), (TypeError, 3), (TypeError, []),
                          (ValueError, np.broadcast_to(y[:1], 1000)),
                          (TypeError, np.zeros(1000, ">f4"))):
            with self.assertRaises(kind):
                PROGRAM.same(x, out=out)
        y.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            PROGRAM.same(x, out=y)
        with self.assertRaisesRegex(ValueError, "the same memory"):
            PROGRAM.twice(x, out=(z, z))
        with self.assertRaises(ValueError):  # the second does not fit: the first stays, too
            PROGRAM.twice(x, out=(z, x[1:]))
        self.assertEqual((y.tolist(), z[0]), (before.tolist(), 2))

    def test_arrays_of_the_runtime_stay(self):
        first = PROGRAM.same(arrc_array(np.arange(4, dtype="f4")))
        self.assertIsInstance(first, arrc.Array)
        self.assertEqual((first.shape, first.element, first.device, first.nbytes, len(first)),
                         ((4,), "f32", "cpu", 16, 4))
        view = np.asarray(first)
        self.assertTrue(np.shares_memory(view, np.from_dlpack(first)))
        first.release()
        self.assertEqual(view.tolist(), [0, 1, 2, 3])

    def test_doctests(self):
        self.assertEqual(doctest.testmod(arrc).failed, 0)
        self.assertGreater(doctest.testmod(arrc).attempted, 2)

    def test_results_that_are_called_as_parameters(self):
        body = {"pos": np.zeros(3, "f4"), "mass": 2.0}
        first = PROGRAM.again(np.zeros(4, "f4"), body)
        second = PROGRAM.again(u=first.u, bs=first.bs, t=first.t)
        self.assertEqual(second._fields, ("u", "bs", "t"))
        self.assertEqual(np.asarray(second.u).tolist(), [2, 2, 2, 2])
        self.assertEqual((second.bs["mass"], second.t), (2.0, 2))

    def test_a_forked_process_calls_too(self):
        PROGRAM.same(np.ones(1 << 20, "f4"))
        child = os.fork()
        if child == 0:
            ok = False
            try:
                many = arrc.compile("export def f(x: f32[n]) -> f32 = sum(x)", target="cpu")
                ok = PROGRAM.same(np.ones(1 << 20, "f4")).sum() == 1 << 20 == many([1.0] * (1 << 20))
            finally:
                os._exit(0 if ok else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_one_export_is_called_by_the_program(self):
        self.assertEqual(arrc.compile("export def f(x: int) -> int = x + 1", target="cpu")(3), 4)

    def test_options(self):
        program = arrc.compile("const N = 3\nexport def f() -> int = N", target="cpu", threads=1,
                               defines={"N": 5}, optimize=0, options=["-Werror"])
        self.assertEqual(program.f(), 5)
        with self.assertWarnsRegex(arrc.CompileWarning, "never used"):
            arrc.compile("export def f(a: int) -> int { let u = 1\n a }", target="cpu")


    def test_functions_of_c(self):
        text = "extern def gain(x: f32) -> f32\nexport def f(x: f32) -> f32 = 1.0 + gain(x)"
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "gain.c"), os.path.join(folder, "gain.o")
            with open(source, "w", encoding="utf-8") as file:
                file.write("int gain(void *c, float x, float *y) { *y = 2 * x; return 0; }\n")
            subprocess.run(["cc", "-c", "-fPIC", source, "-o", made], check=True)
            self.assertEqual(arrc.compile(text, target="cpu", link=[made]).f(3), 7)
            with self.assertRaises(TypeError):
                arrc.compile(text, target="cpu", link=made)
            for name in ("include", "options"):
                with self.assertRaisesRegex(TypeError, f"{name} is a list of"):
                    arrc.compile(text, target="cpu", **{name: "--sanitize"})
            with self.assertRaises(arrc.CompileError):
                arrc.compile(text, target="cpu", link=[made + "b"])

    def test_results_that_numpy_has_not(self):
        program = arrc.compile("export def f(x: f32[n]) -> (a: bf16[n], b: f32[n]) "
                               "{ (for i { bf16(x[i]) }, for i { 2 * x[i] }) }", target="cpu")
        a, b = program.f(np.ones(3, "f4"))
        self.assertEqual((type(a), a.element, b.tolist()), (arrc.Array, "bf16", [2, 2, 2]))
        self.assertEqual((np.asarray(a).dtype, np.asarray(a).tolist()), ("float32", [1, 1, 1]))
        self.assertEqual(np.array(a, "f8").dtype, "float64")
        self.assertEqual(arrc.numpy.asarray(a).tolist(), [1, 1, 1])
        with self.assertRaises(ValueError):
            a.__array__(copy=False)
        self.assertEqual(arrc_array(np.ones(2, "f4")).__array__(copy=True).tolist(), [1, 1])

    def test_results_can_be_pickled(self):
        made = PROGRAM.twice(np.ones(2, "f4"))
        for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            self.assertIs(type(other), type(made))
            self.assertEqual((other._fields, other.b.tolist()), (("a", "b"), [2, 2]))

    def test_exchange_of_dlpack(self):
        # What torch offers to extension modules: here a table of functions by ctypes.
        class Tensor(ctypes.Structure):
            _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                        ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                        ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]

        signature = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))

        class Table(ctypes.Structure):
            _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                        ("older", ctypes.c_void_p), ("rest", ctypes.c_void_p * 3),
                        ("to_tensor", signature), ("stream", ctypes.c_void_p)]

        def to_tensor(value, out):
            tensor = out.contents
            tensor.data, tensor.rank = value.array.ctypes.data, value.array.ndim
            tensor.device[0], tensor.device[1] = value.device, 0
            tensor.code, tensor.bits = 2, 8 * value.array.itemsize
            tensor.lanes, tensor.offset = 1, 0
            tensor.shape, tensor.strides = value.shape, None
            return 0

        table = Table(1, 3, None, (None, None, None), signature(to_tensor), None)
        newer = Table(2, 0, ctypes.addressof(table), (None, None, None), signature(), None)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                         ctypes.c_void_p]

        class Given:
            __dlpack_c_exchange_api__ = make(ctypes.addressof(newer), b"dlpack_exchange_api", None)

            def __init__(self, array, device=1):
                self.array, self.device = array, device
                self.shape = (ctypes.c_int64 * array.ndim)(*array.shape)

        x = np.arange(6, dtype="f4")
        self.assertEqual(PROGRAM.same(Given(x)).tolist(), x.tolist())
        count = sys.getrefcount(x)
        for _ in range(50):
            PROGRAM.same(Given(x))
        self.assertEqual(sys.getrefcount(x), count)
        for wrong in (Given(x.astype("f8")), Given(x.reshape(2, 3)), Given(x, 8)):
            with self.assertRaises(TypeError):
                PROGRAM.same(wrong)

    def test_what_looks_like_numbers(self):
        program = arrc.compile("struct S { a: f32 }\n"
                               "export def f(x: f32[n]) -> f32[n] = for i { x[i] }\n"
                               "export def g(x: f32) -> f32 = x\n"
                               "export def h(x: i32[n]) -> i32[n] = for i { x[i] }\n"
                               "export def s(x: S[n]) -> f32 = sum(x.a)\n", target="cpu")
        masked = np.ma.masked_array(np.ones(3, "f4"), [0, 1, 0])
        for call in (lambda: program.f(masked), lambda: program.f(x=masked),
                     lambda: program.g(np.ma.masked), lambda: program.g(masked[0:1].sum()
                                                                        + np.ma.masked),
                     lambda: program.s({"a": masked}), lambda: program.f([1.0, np.ma.masked]),
                     lambda: program.f(np.ones(3, "f4"), out=masked)):
            with self.assertRaisesRegex(TypeError, "mask"):
                call()
        for call in (lambda: program.f([True, 2.5]), lambda: program.h([1, False]),
                     lambda: program.f((2.5, np.bool_(True)))):
            with self.assertRaisesRegex(TypeError, "'x' is a list with a bool"):
                call()
        for given in (np.array(["2020-01-01"], "M8[D]"), np.zeros(2, "m8[s]")):
            with self.assertRaisesRegex(TypeError, "'x' is an array of"):
                program.f(given)
        for given, said in ((np.array([(1, 2)], "i4,f8"), "records .f0: int32, f1: float64"),
                            (np.rec.array([(1, 2)], "i4,f8"), "array of records"),
                            (np.array(["a"]), "an array of text .<U1"), ([1, "b"], "list of text"),
                            ([None], "a list of objects"), (np.zeros(2, ">f4"), "array of >f4")):
            with self.assertRaisesRegex(TypeError, said):
                program.f(given)
        for wide in (10**400, 10**6000):
            for call in (lambda: program.g(wide), lambda: program.f([wide])):
                with self.assertRaisesRegex(ValueError, "^.{,40} does not fit f32"):
                    call()
        self.assertEqual(program.f(np.ma.array([1, 2], "f4", mask=[0, 0])).tolist(),
                         program.f(np.array([1, 2], "f4")).tolist())
        self.assertEqual(program.f([16777217]).tolist(), [program.g(16777217)])

    def test_first_call_of_a_cached_program(self):
        # Processor time, since others use the machine.
        script = ("import time, numpy, arrc\n"
                  "x = numpy.ones(8)\n"
                  "start = time.process_time()\n"
                  "arrc.compile('export def f(x: f64[n]) -> f64[n] = for i { 3 * x[i] + 7 }', "
                  "target='cpu').f(x)\n"
                  "print(time.process_time() - start)")
        with tempfile.TemporaryDirectory() as folder:
            times = [float(subprocess.run([sys.executable, "-c", script], capture_output=True,
                                          text=True, check=True,
                                          env=os.environ | {"ARRC_CACHE": folder}).stdout)
                     for _ in range(3)]
        self.assertLess(min(times[1:]), 0.04, times)


def arrc_array(array):
    """An array of the runtime with these elements."""
    program = arrc.compile("export def f(x: f32[n]) -> f32[n] = for i { x[i] }", target="cpu")
    core = program["f"]
    return core._core.call(0, core._device, (array,), False, True)[0]


if __name__ == "__main__":
    unittest.main()
