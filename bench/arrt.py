"""The runtime's C interface for Python: programs of arrc in this process.

    lib = arrt.Library(arrt.build(arrc, "saxpy.arr", "cuda", folder))
    ctx = lib.context("cuda")
    y = ctx.call("saxpy", {"a": 2.5, "x": x, "y": y})["out"]

Arrays live on the device; `Array.pointer` is where, so that other libraries can
fill and read them. Used by the benchmarks and by tests that want several calls in
one process.
"""

import ctypes as C
import itertools
import os
import shutil
import subprocess
import time

NAMES = ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16",
         "f32", "f64", "c64", "c128"]
SCALARS = {"f16": C.c_uint16, "c64": C.c_float * 2, "c128": C.c_double * 2,
           "bool": C.c_uint8, "i8": C.c_int8, "i16": C.c_int16, "i32": C.c_int32,
           "i64": C.c_int64, "u8": C.c_uint8, "u16": C.c_uint16, "u32": C.c_uint32,
           "u64": C.c_uint64, "f32": C.c_float, "f64": C.c_double}
TARGETS = {"cpu": 0, "cuda": 1, "opencl": 2}

DTYPES = {"bool": "bool", "f16": "float16", "f32": "float32", "f64": "float64",
          "c64": "complex64", "c128": "complex128",
          **{f"{k}{b}": f"{n}{b}" for k, n in (("i", "int"), ("u", "uint"))
             for b in (8, 16, 32, 64)}}

PACKED = C.CFUNCTYPE(C.c_int32, C.c_void_p, C.POINTER(C.c_void_p))


class Param(C.Structure):
    _fields_ = [("name", C.c_char_p), ("type", C.c_char_p), ("element", C.c_int32),
                ("rank", C.c_int32), ("dims", C.c_void_p), ("default", C.c_void_p)]


class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("packed", PACKED), ("num_params", C.c_int32),
                ("num_results", C.c_int32), ("params", C.POINTER(Param)),
                ("results", C.POINTER(Param))]


class Program(C.Structure):
    _fields_ = [("version", C.c_int32), ("num_entries", C.c_int32),
                ("entries", C.POINTER(Entry))]


class Options(C.Structure):
    _fields_ = [("threads", C.c_int32), ("target", C.c_int32), ("memory", C.c_int64),
                ("device", C.c_int32), ("flags", C.c_uint32), ("parts", C.c_int32),
                ("devices", C.c_char_p)]


class Error(Exception):
    #: Of a compiler that failed: all it said.
    output = ""


def compile(arrc, source, target, folder, flags=()):
    """Compiles a program; the object file's path."""
    path = os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + "-"
                        + target.replace(":", "") + ".o")
    done = subprocess.run([arrc, "build", "--emit=obj", f"--target={target}", *flags, source,
                           "-o", path], capture_output=True, text=True)
    if done.returncode:
        error = Error(f"exit code {done.returncode}: {done.stderr.strip()[:600]}")
        error.output = done.stderr
        raise error
    return path


def link(arrc, path):
    """Makes a shared library of an object file and the runtime; its path."""
    root = os.path.dirname(os.path.dirname(os.path.realpath(arrc)))
    library = os.path.splitext(path)[0] + ".so"
    driver = next(d for d in ("g++", "c++", "clang++") if shutil.which(d))
    subprocess.run([driver, "-shared", "-o", library, path,
                    "-Wl,--whole-archive", os.path.join(root, "lib", "libarrt.a"),
                    "-Wl,--no-whole-archive", "-lpthread", "-ldl", "-lm"], check=True)
    return library


def build(arrc, source, target, folder, flags=()):
    """Compiles a program into a shared library with the runtime; the library's path."""
    return link(arrc, compile(arrc, source, target, folder, flags))


class Library:
    """A program and the runtime in one shared library."""

    def __init__(self, path):
        self.dll = C.CDLL(path)
        dll = self.dll
        for name, result, parameters in [
                ("arrt_context_create", C.c_void_p, [C.POINTER(Options)]),
                ("arrt_context_destroy", None, [C.c_void_p]),
                ("arrt_message", C.c_char_p, [C.c_void_p]),
                ("arrt_last_status", C.c_int32, [C.c_void_p]),
                ("arrt_program_load", C.c_int32, [C.c_void_p, C.c_void_p]),
                ("arrt_call", C.c_int32,
                 [C.c_void_p, C.c_void_p, C.POINTER(Entry), C.POINTER(C.c_void_p), C.c_int32]),
                ("arrt_array_alloc", C.c_void_p, [C.c_void_p, C.c_int32, C.c_int32,
                                                  C.POINTER(C.c_int64), C.c_int32]),
                ("arrt_array_release", None, [C.c_void_p]),
                ("arrt_array_data", C.c_void_p, [C.c_void_p]),
                ("arrt_array_size", C.c_int64, [C.c_void_p, C.c_int32]),
                ("arrt_array_rank", C.c_int32, [C.c_void_p]),
                ("arrt_array_element", C.c_int32, [C.c_void_p]),
                ("arrt_read", C.c_int32, [C.c_void_p, C.c_void_p, C.c_void_p, C.c_int64]),
                ("arrt_write", C.c_int32, [C.c_void_p, C.c_void_p, C.c_void_p, C.c_int64]),
                ("arrt_synchronize", C.c_int32, [C.c_void_p]),
                ("arrt_capture_begin", C.c_int32, [C.c_void_p]),
                ("arrt_capture_end", C.c_void_p, [C.c_void_p]),
                ("arrt_replay", C.c_int32, [C.c_void_p, C.c_int64]),
                ("arrt_recording_release", None, [C.c_void_p])]:
            function = getattr(dll, name)
            function.restype, function.argtypes = result, parameters
        self.program = Program.in_dll(dll, "arrt_program_table")

    def result_types(self, name):
        """NumPy's names of the types of an export's results."""
        entry = self.entry(name)
        return {entry.results[k].name.decode(): DTYPES[NAMES[entry.results[k].element]]
                for k in range(entry.num_results)}

    def context(self, target, threads=0):
        return Context(self, target, threads)

    def entry(self, name):
        for k in range(self.program.num_entries):
            if self.program.entries[k].name.decode() == name:
                return self.program.entries[k]
        raise Error(f"the program has no export '{name}'")


class Array:
    """A counted array of a context."""

    def __init__(self, ctx, handle):
        self.ctx, self.handle, dll = ctx, handle, ctx.lib.dll
        self.pointer = dll.arrt_array_data(handle)
        self.element = NAMES[dll.arrt_array_element(handle)]
        self.shape = tuple(dll.arrt_array_size(handle, d)
                           for d in range(dll.arrt_array_rank(handle)))

    def release(self):
        if self.handle:
            self.ctx.lib.dll.arrt_array_release(self.handle)
            self.handle = None

    @property
    def __cuda_array_interface__(self):
        kinds = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8",
                 "u8": "|u1"}
        return {"shape": self.shape, "typestr": kinds[self.element], "version": 3,
                "data": (self.pointer, False), "strides": None}

    def numpy(self):
        """A copy on the host."""
        import numpy as np
        result = np.empty(self.shape, DTYPES[self.element])
        self.ctx.check(self.ctx.lib.dll.arrt_read(
            self.ctx.handle, result.ctypes.data, self.pointer, result.nbytes))
        return result


def scalar(element, cell):
    """The value of a result: a Python number, of f16 NumPy's."""
    if element in ("c64", "c128"):
        return complex(*cell)
    if element == "f16":
        import numpy as np
        return np.uint16(cell.value).view(np.float16)
    return cell.value


class Context:
    """One device."""

    def __init__(self, lib, target, threads=0):
        kind, _, number = target.partition(":")
        options = Options(target=TARGETS[kind], device=int(number or 0), threads=threads)
        self.lib = lib
        self.handle = lib.dll.arrt_context_create(C.byref(options))
        self.check(lib.dll.arrt_last_status(self.handle))
        self.check(lib.dll.arrt_program_load(self.handle, C.byref(lib.program)))

    def check(self, status):
        if status:
            raise Error(self.lib.dll.arrt_message(self.handle).decode())

    def empty(self, shape, element):
        sizes = (C.c_int64 * max(len(shape), 1))(*shape)
        handle = self.lib.dll.arrt_array_alloc(self.handle, NAMES.index(element),
                                               len(shape), sizes, -1)
        if not handle:
            raise Error(self.lib.dll.arrt_message(self.handle).decode())
        return Array(self, handle)

    def array(self, value):
        """A NumPy array on the device."""
        import numpy as np
        value = np.asarray(value, order="C")
        element = next(k for k, name in DTYPES.items() if name == str(value.dtype))
        result = self.empty(value.shape, element)
        self.check(self.lib.dll.arrt_write(self.handle, result.pointer, value.ctypes.data,
                                           value.nbytes))
        return result

    def synchronize(self):
        self.check(self.lib.dll.arrt_synchronize(self.handle))

    def call(self, name, arguments, around=None):
        """Runs an export. `around` gets a function that starts it once more, and runs
        in its place: `around(start)`; the results are those of the last start. Of a list
        of arguments each start takes the next."""
        entry = self.lib.entry(name)
        sets = arguments if isinstance(arguments, list) else [arguments]
        given = []
        for values in sets:
            cells = []
            for k in range(entry.num_params):
                param = entry.params[k]
                value = values[param.name.decode()]
                cells.append(C.c_void_p(value.handle) if param.rank
                             else SCALARS[NAMES[param.element]](value))
            given.append(cells)
        results = [(entry.results[k], C.c_void_p(None) if entry.results[k].rank
                    else SCALARS[NAMES[entry.results[k].element]]())
                   for k in range(entry.num_results)]
        cells = [cell for _, cell in results]
        slots = [(C.c_void_p * len(mine + cells))(*map(C.addressof, mine + cells))
                 for mine in given]
        release = self.lib.dll.arrt_array_release
        packed, problem, turn = entry.packed, [], itertools.cycle(slots)

        def start():
            for result, cell in results:
                if result.rank and cell.value:
                    release(cell.value)
                    cell.value = None
            status = packed(self.handle, next(turn))
            if status:
                problem.append(status)

        def many(_, __):
            around(start)
            return problem[0] if problem else 0

        used = Entry.from_buffer_copy(entry)
        if around:
            used.packed = PACKED(many)
        self.check(self.lib.dll.arrt_call(self.handle, C.byref(self.lib.program),
                                          C.byref(used), slots[0], len(slots[0])))
        return {result.name.decode(): Array(self, cell.value) if result.rank
                else scalar(NAMES[result.element], cell) for result, cell in results}

    def time(self, start, slow=float("inf")):
        """Seconds of the quickest of three calls; one takes no more than `slow` if there is
        to be another."""
        taken = []
        for _ in range(3):
            begin = time.perf_counter()
            start()
            self.synchronize()
            taken.append(time.perf_counter() - begin)
            if taken[-1] > slow:
                break
        return min(taken)

    def close(self):
        self.lib.dll.arrt_context_destroy(self.handle)
