"""Wrong calls: each is a Python exception, none a wrong number or a crash, from two
threads at once and with right calls in between."""
import sys
import threading

import arrc
import numpy as np

ELEMENTS = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
            "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "f16": "float16",
            "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
RANGES = {"i8": (-2**7, 2**7), "i16": (-2**15, 2**15), "i32": (-2**31, 2**31),
          "i64": (-2**63, 2**63), "u8": (0, 2**8), "u16": (0, 2**16), "u32": (0, 2**32),
          "u64": (0, 2**64)}


class Says:
    """Claims to be an array."""

    def __init__(self, dlpack=None, device=(1, 0), cuda=None):
        self.dlpack, self.device = dlpack, device
        if cuda is not None:
            self.__cuda_array_interface__ = cuda

    def __dlpack__(self, **_):
        if isinstance(self.dlpack, Exception):
            raise self.dlpack
        return self.dlpack

    def __dlpack_device__(self):
        return self.device


class Numberless:
    def __index__(self):
        raise OverflowError("no number")


def released():
    program = arrc.compile("export def f(x: f32[n]) -> f32[n] = for i { x[i] }", target="cpu")
    array = program.f(np.from_dlpack(np.zeros(3, "f4")))
    core = program["f"]
    own = core._core.call(0, core._device, (array,), False, True)[0]
    own.release()
    return own


def freed():
    view = memoryview(np.zeros(3, "f4"))
    view.release()
    return view


def cases():
    """Functions that make a wrong call."""
    def case(function, *args, **kwargs):
        found.append((function, args, kwargs))

    found = []
    for element in ELEMENTS:
        program = arrc.compile(
            f"export def sum_of(x: {element}[n], a: {element}) -> {element} {{ a }}\n"
            f"export def pair(x: {element}[n], y: {element}[n]) -> {element}[n] {{ y }}",
            target="cpu")
        right = np.zeros(3, ELEMENTS[element])
        for other, dtype in ELEMENTS.items():
            if other != element:
                case(program.sum_of, np.zeros(3, dtype), 1)
        case(program.sum_of, right.reshape(1, 3), 1)
        case(program.sum_of, right[0], 1)
        case(program.pair, right, np.zeros(4, ELEMENTS[element]))
        case(program.pair, right, right[:0])
        case(program.pair, right, right, out=right.astype("V1"))
        case(program.pair, right, right, out=np.zeros(4, ELEMENTS[element]))
        for value in (None, "1", b"1", [1], {}, object(), right, ..., Numberless()):
            case(program.sum_of, right, value)
        if element in RANGES:
            low, high = RANGES[element]
            for value in (low - 1, high, 2**70, 1.0, float("nan"), float("inf"), 1j, True,
                          np.float32(1)):
                case(program.sum_of, right, value)
            case(program.sum_of, [high], 0)
            case(program.sum_of, [0.5], 0)
        if element == "bool":
            for value in (1, 0.0, np.int8(1)):
                case(program.sum_of, right, value)
        if element in ("f16", "f32", "c64"):
            case(program.sum_of, right, 1e300)
            case(program.sum_of, right, True)
        if element.startswith("f"):
            case(program.sum_of, right, 1j)
            case(program.sum_of, [1j], 1)
    program = arrc.compile("""
struct P { x: f32[2], w: f32 }
export def f(x: f32[n], k: int) -> f32 where k > 0 { x[k] }
export def s(p: P[n], t: (f32, int)) -> f32 = p[0].w
""", target="cpu")
    f, s, x = program.f, program.s, np.ones(3, "f4")
    for wrong in (None, 3, "abc", b"abcd", bytearray(4), [], object(), {"a": 1}, {1.0}, range(3),
                  x.astype(">f4"), x.view("i4"), np.array(["a"]), np.array([None]), x[None],
                  np.ma.core, np.datetime64("now"), memoryview(b"abc"), freed(), released(),
                  Says(), Says(3), Says("dltensor"), Says(ValueError("no")), Says(device=None),
                  Says(device=(8, 0)), Says(device=(1,)), Says(device="cpu"), Says(3, device=("1", None)),
                  Says(cuda={}), Says(cuda=3), Says(device=(2, 99)),
                  [[1.0], [2.0, 3.0]], ["a"], [None], [1, [2]], (1j,), [10**400], [1e300]):
        case(f, wrong, 1)
    case(f)
    case(f, x)
    case(f, x, 1, 2)
    case(f, x, 1, k=1)
    case(f, x, k=1, j=2)
    case(f, y=x, k=1)
    case(f, x, 0)
    case(f, x, -5)
    case(f, x, 3)
    case(f, x, 2**62)
    case(f, x[:0], 1)
    p = {"x": np.zeros((2, 2), "f4"), "w": np.zeros(2, "f4")}
    for wrong in (None, 3, {}, {"x": p["x"]}, p | {"v": p["w"]}, p | {"w": None},
                  p | {"w": np.zeros(3, "f4")}, p | {"x": np.zeros((2, 3), "f4")},
                  np.zeros(2, [("x", "f4", 2)]), np.zeros(2, [("x", "f8", 2), ("w", "f4")]), [p]):
        case(s, wrong, (1.0, 1))
    for wrong in (None, 1, "ab", (1.0,), (1.0, 1, 2), (1.0, 1.0), (None, 1), {}):
        case(s, p, wrong)
    case(arrc.compile, None)
    case(arrc.compile, b"export def f() -> int = 1")
    case(arrc.compile, "export def f() -> int = \0")
    case(arrc.compile, "export def f() -> int = g()")
    case(arrc.compile, "def f() -> int = 1")
    case(arrc.compile, "\udc80")
    case(arrc.compile, "export def f() -> int = 1", "--help")
    case(arrc.compile, "export def f() -> int = 1", target="abacus")
    case(arrc.compile, "export def f() -> int = 1", target="cuda:77")
    case(arrc.compile, "export def f() -> int = 1", options=["--check"])
    case(arrc.compile, "export def f() -> int = 1", options=["n=3"])
    case(arrc.compile, "export def f() -> int = 1", optimize=9)
    case(arrc.compile, "export def f() -> int = 1", defines={"N": 3})
    case(arrc.compile, "export def f() -> int = 1", threads=2**40)
    case(arrc.compile, "export def f() -> int = 1", threads=-1)
    case(arrc.load, "nowhere.arr")
    case(arrc.load, "/")
    case(arrc.load, 3)
    return found


def main():
    found = cases()
    right = arrc.compile("export def f(x: f64[n]) -> f64 = sum(x)", target="cpu")
    x = np.arange(1000, dtype="f8")
    problems = []

    def work(turn):
        for number, (function, args, kwargs) in enumerate(found[turn:] + found[:turn]):
            try:
                result = function(*args, **kwargs)
                problems.append(f"{function} {args} {kwargs} gave {result!r}")
            except (TypeError, ValueError, OSError, BufferError, OverflowError, arrc.Error):
                pass
            except BaseException as other:
                problems.append(f"{function} {args} {kwargs} raised {other!r}")
            if number % 20 == 0 and right(x) != x.sum():
                problems.append("a right call gave a wrong number")

    threads = [threading.Thread(target=work, args=(turn,)) for turn in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("\n".join(problems))
    print(f"{len(found)} wrong calls, {len(problems)} problems")
    return 1 if problems or len(found) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
