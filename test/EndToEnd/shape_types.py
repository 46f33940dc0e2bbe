"""Programs for shapes.py: every reduction of every element type over every axis."""

import numpy as np

from comparison import Program, same

INTS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
DTYPES = {"bool": np.bool_, "f16": np.float16, "bf16": np.float32, "f32": np.float32,
          "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
          **{t: np.dtype(t.replace("i", "int").replace("u", "uint")).type for t in INTS}}
AXES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def neutral_and(t):
    return str(np.iinfo(DTYPES[t]).max) if t[0] == "u" else "-1"


def operations(t):
    """Name, text with {a} and {axis}, NumPy's reference, result type."""
    kind = DTYPES[t]
    if t == "bool":
        return [("any", "any({a}, axis = {axis})", np.any, "bool"),
                ("all", "all({a}, axis = {axis})", np.all, "bool"),
                ("count", "count({a}, axis = {axis})",
                 lambda a, axis: np.sum(a, axis=axis, dtype=np.int64), "int"),
                ("xor", "reduce(fn(x, y) => x != y, false, {a}, axis = {axis})",
                 np.logical_xor.reduce, "bool")]
    result = [("sum", "sum({a}, axis = {axis})",
               lambda a, axis: np.sum(a, axis=axis, dtype=kind), t),
              ("prod", "prod({a}, axis = {axis})",
               lambda a, axis: np.prod(a, axis=axis, dtype=kind), t)]
    if t in COMPLEX:
        return result
    least = np.iinfo(kind).min if t in INTS else -np.inf
    most = np.iinfo(kind).max if t in INTS else np.inf
    result += [("max", "max({a}, axis = {axis})",
                lambda a, axis: np.max(a, axis=axis, initial=kind(least)), t),
               ("min", "min({a}, axis = {axis})",
                lambda a, axis: np.min(a, axis=axis, initial=kind(most)), t)]
    if t in INTS:
        result += [("and", f"reduce(bitand, {neutral_and(t)}, {{a}}, axis = {{axis}})",
                    np.bitwise_and.reduce, t),
                   ("or", "reduce(bitor, 0, {a}, axis = {axis})", np.bitwise_or.reduce, t),
                   ("xor", "reduce(bitxor, 0, {a}, axis = {axis})",
                    np.bitwise_xor.reduce, t)]
    return result


def values(rng, t, op, shape):
    """Values whose reduction is exact in any order."""
    kind = DTYPES[t]
    if t == "bool":
        return rng.random(shape) < (0.9 if op == "all" else 0.1 if op == "any" else 0.5)
    if t in INTS:
        info = np.iinfo(kind)
        return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
    if op == "prod":
        power = rng.choice([0, 0, 0, 1, -1], shape)
        part = np.ldexp(rng.choice([-1.0, 1.0], shape), power)
        if np.size(part) > 200:  # far from overflow
            part = np.sign(part)
        return (part * rng.choice([1, 1j], shape) if t in COMPLEX else part).astype(kind)
    part = rng.integers(-2, 3, shape)
    if t in COMPLEX:
        part = part + 1j * rng.integers(-2, 3, shape)
    return part.astype(kind)


def to_bf16(x):
    """Rounded to bf16, as f32."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def dims(axis):
    return "".join(map(str, axis))


def type_programs(types, shapes):
    for t in types:
        file_type = "f32" if t == "bf16" else t
        text = ""
        for op, form, _, result in operations(t):
            outside = "f32" if t == "bf16" else result
            kept = [[d for k, d in enumerate("nmq") if k not in axis] for axis in AXES]
            results = ", ".join(f"r{dims(axis)}: {outside}" + (f"[{', '.join(k)}]" if k else "")
                                for axis, k in zip(AXES, kept))
            calls = []
            for axis in AXES:
                axis = str(axis[0]) if len(axis) == 1 else str(axis)
                call = form.format(a="a", axis=axis)
                calls.append(f"f32({call})" if t == "bf16" else call)
            name = f"{op}_of"
            if t == "bf16":
                body = "{\n  let a = bf16(x)\n  (" + ",\n   ".join(calls) + ")\n}"
                text += f"export def {name}(x: f32[n, m, q]) -> ({results}) {body}\n"
            else:
                text += (f"export def {name}(a: {file_type}[n, m, q]) -> ({results}) =\n  ("
                         + ",\n   ".join(calls) + ")\n")
        program = Program(f"types-{t}", text)
        for op, _, reference, _ in operations(t):
            for shape in shapes:
                argument = "x" if t == "bf16" else "a"

                def inputs(rng, op=op, shape=shape, t=t, argument=argument):
                    return {argument: values(rng, t, op, shape)}

                def check(arrays, results, reference=reference, argument=argument, t=t,
                          finite=op in ("sum", "prod")):
                    a = arrays[argument]
                    for axis in AXES:
                        name = f"r{dims(axis)}"
                        with np.errstate(all="ignore"):
                            want = reference(a, axis=axis if len(axis) > 1 else axis[0])
                        if t == "bf16" and finite:
                            want = to_bf16(want)
                        if a.dtype.kind in "fc":
                            want = np.asarray(want) + 0  # no zeros of two signs
                        same(name, results[name] + 0 if a.dtype.kind in "fc"
                             else results[name], want)

                names = tuple(f"r{dims(axis)}" for axis in AXES)
                program.case(f"{op} {'x'.join(map(str, shape))}", f"{op}_of", inputs,
                             (names, check))
        yield program
