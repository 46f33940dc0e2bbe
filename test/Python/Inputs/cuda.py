"""Arrays on a card: no copy in, results where the arguments are."""
import gc
import unittest

import arrc
import numpy as np

PROGRAM = arrc.compile("""
export def axpy(a: f32, x: f32[n], y: f32[n]) -> f32[n] = for i { a * x[i] + y[i] }
export def total(x: f32[n]) -> f32 = sum(x)
export def at(x: f32[n], k: int) -> f32[1] { [x[k]] }
export def iota_(n: int) -> f32[n] = for i in n { f32(i) }
""", target="cuda")


class Dense:
    """Has the array interface of CUDA alone."""

    def __init__(self, array, **other):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__ | other


class Tensor:
    """Has DLPack alone, as arrays of other libraries do."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack__(self, stream=None, **kwargs):
        self.streams.append(stream)
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def put(array):
    """An array on the card with these elements."""
    core = PROGRAM["axpy"]
    return core._core.call(0, core._device, (1.0, array, np.zeros_like(array)), False, True)[0]


class Cuda(unittest.TestCase):
    def test_arrays_of_the_host(self):
        x = np.arange(5, dtype="f4")
        self.assertEqual(PROGRAM.device, "cuda:0")
        y = PROGRAM.axpy(2, x, x)
        self.assertIsInstance(y, np.ndarray)
        self.assertEqual(y.tolist(), (3 * x).tolist())
        self.assertEqual(PROGRAM.total(x[::2].copy()), 6.0)
        self.assertIsInstance(PROGRAM.iota_(3), np.ndarray)

    def test_arrays_of_the_card(self):
        x = np.arange(5, dtype="f4")
        own = put(x)
        self.assertEqual((own.device, own.__dlpack_device__()), ("cuda:0", (2, 0)))
        for array in (own, Tensor(own), Dense(own)):
            y = PROGRAM.axpy(a=2, x=array, y=array)
            self.assertIsInstance(y, arrc.Array)
            self.assertEqual(y.device, "cuda:0")
            self.assertEqual(np.asarray(y.host()).tolist(), (3 * x).tolist())
            self.assertEqual(PROGRAM.total(array), 10.0)
        with self.assertRaises(BufferError):
            memoryview(own)
        tensor = Tensor(own)
        PROGRAM.total(tensor)
        self.assertEqual(tensor.streams, [-1])

    def test_arguments_on_both(self):
        x = np.arange(5, dtype="f4")
        self.assertEqual(PROGRAM.axpy(1, x, put(x)).tolist(), (2 * x).tolist())
        self.assertEqual(np.asarray(PROGRAM.axpy(1, put(x), x).host()).tolist(), (2 * x).tolist())
        cpu = arrc.compile("export def f(x: f32[n]) -> f32 = sum(x)", target="cpu")
        self.assertEqual(cpu(Tensor(put(x))), 10.0)

    def test_errors_of_kernels(self):
        x = put(np.arange(5, dtype="f4"))
        with self.assertRaisesRegex(arrc.RunError, r"program.arr:4:\d+.*index 7") as caught:
            PROGRAM.at(x, 7)
        self.assertEqual(caught.exception.status, 3)
        self.assertEqual(np.asarray(PROGRAM.at(x, 4).host()).tolist(), [4.0])

    def test_wrong_memory(self):
        x = put(np.arange(6, dtype="f4"))
        for wrong, error in ((Dense(x, strides=(8,), shape=(3,)), ValueError),
                             (Dense(x, typestr="<f8"), TypeError),
                             (Dense(x, shape=(2, 3)), TypeError),
                             (Dense(x, data=(0, False)), arrc.RunError),
                             (Dense(x, data=None), TypeError)):
            with self.assertRaises(error):
                PROGRAM.total(wrong)

    def test_nothing_is_left(self):
        x = put(np.ones(1000, "f4"))
        PROGRAM.total(Tensor(x))
        gc.collect()
        PROGRAM.total(x)
        used = PROGRAM._device.memory_in_use
        for _ in range(200):
            y = PROGRAM.axpy(1, Tensor(x), Dense(x))
            Tensor(y).__dlpack__()
            del y
        PROGRAM.total(x)
        self.assertEqual(PROGRAM._device.memory_in_use, used)


if __name__ == "__main__":
    unittest.main()
