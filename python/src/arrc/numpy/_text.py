"""Scalar functions as text of the language: `FUNCTIONS[name](dtype, *operands)`."""

from __future__ import annotations

import re

import numpy

from ._dtypes import NAMES

_DIRECT = {numpy.dtype(name).num for name in ("int32", "int64", "uint64")}
U8 = numpy.dtype("uint8")


def cast(text: str, source: numpy.dtype, target: numpy.dtype) -> str:
    """The text of a value in another type, as `astype` converts it."""
    if source == target:
        return text
    if source.kind == "c" and target.kind not in "cb":
        return cast(f"re({text})", numpy.dtype(f"f{source.itemsize // 2}"), target)
    if target.kind == "b" and source.kind == "c":
        return f"({text} != {NAMES[source]}(0.0))"
    if target.kind == "c" and source.kind != "c":
        real = numpy.dtype(f"f{target.itemsize // 2}")
        return f"{NAMES[target]}({cast(text, source, real)})"
    if source.kind == "f" and target.kind in "iu" and target.num not in _DIRECT:
        # What is out of range keeps its low bits.
        return f"{NAMES[target]}(i64({text}))"
    return f"{NAMES[target]}({text})"


def _call(name: str):
    return lambda dtype, *operands: f"{name}({', '.join(operands)})"


def _infix(sign: str, on_bool: str | None = None):
    def text(dtype, a, b):
        return f"({a} {on_bool if on_bool and dtype.kind == 'b' else sign} {b})"
    return text


def _compare(sign: str):
    def text(dtype, a, b):
        if dtype.kind == "b" and sign not in ("==", "!="):
            a, b = f"u8({a})", f"u8({b})"
        if dtype.kind == "c" and sign not in ("==", "!="):
            # By the real parts, then by the others, of which one that is no number has no order.
            return (f"(re({a}) {sign[0]} re({b}) and not isnan(im({a})) and not isnan(im({b}))"
                    f" or re({a}) == re({b}) and im({a}) {sign} im({b}))")
        return f"({a} {sign} {b})"
    return text


def _zero(dtype) -> str:
    return f"{NAMES[dtype]}({'0' if dtype.kind in 'iu' else '0.0'})"


def _one(dtype) -> str:
    return f"{NAMES[dtype]}({'1' if dtype.kind in 'iu' else '1.0'})"


def _floor_divide(dtype, a, b):
    zero = _zero(dtype)
    if dtype.kind in "iu":
        return f"(if {b} == {zero} {{ {zero} }} else {{ {a} // {b} }})"
    return f"(if {b} == {zero} or isinf({a}) {{ {_divide_odd(dtype, a, b)} }} else {{ {a} // {b} }})"


def _divide_odd(dtype, a, b):
    # By zero a quotient, of infinity no number.
    return f"(if {b} == {_zero(dtype)} {{ {a} / {b} }} else {{ {NAMES[dtype]}(nan) }})"


def _remainder(dtype, a, b):
    zero = _zero(dtype)
    if dtype.kind in "iu":
        return f"(if {b} == {zero} {{ {zero} }} else {{ {a} % {b} }})"
    return f"({a} % {b})"


def _fmod(dtype, a, b):
    if dtype.kind == "u":
        return _remainder(dtype, a, b)
    return f"numpys_fmod_{NAMES[dtype]}({a}, {b})"


def _fmod_helper(kind: str) -> str:
    dtype = next(dtype for dtype, short in NAMES.items() if short == kind)
    zero, head = _zero(dtype), f"def numpys_fmod_{kind}(a: {kind}, b: {kind}) -> {kind} {{\n"
    if dtype.kind == "f":
        # Of a and b without signs it is exact, and 0 has the sign of a as well.
        return f"{head}  copysign(abs(a) % abs(b), a)\n}}\n"
    return (f"{head}  let m = {_remainder(dtype, 'a', 'b')}\n"
            f"  if m != {zero} and (m < {zero}) != (a < {zero}) {{ m - b }} else {{ m }}\n}}\n")


def _power(dtype, a, b):
    return f"({a} ** {b})"


def _least(name: str, on_bool: str):
    return lambda dtype, a, b: (f"({a} {on_bool} {b})" if dtype.kind == "b"
                                else f"{name}({a}, {b})")


def _least_number(name: str, on_bool: str):
    """The least or largest that is a number, as all integers are."""
    return lambda dtype, a, b: (f"({a} {on_bool} {b})" if dtype.kind == "b" else
                                f"{name if dtype.kind == 'f' else name[1:]}({a}, {b})")


def _bits(name: str, on_bool: str):
    return lambda dtype, a, b: (f"({a} {on_bool} {b})" if dtype.kind == "b"
                                else f"{name}({a}, {b})")


def _whole_numbers(name: str):
    """A function that leaves integers as they are."""
    return lambda dtype, a: a if dtype.kind in "biu" else f"{name}({a})"


def _test(name: str):
    return lambda dtype, a: (f"{name}({a})" if dtype.kind == "f" else
                             f"({name}(re({a})) {'and' if name == 'isfinite' else 'or'} "
                             f"{name}(im({a})))" if dtype.kind == "c" else f"{name}(f64({a}))")


def _sign(dtype, a):
    if dtype.kind == "f":
        # Of -0 it is 0.
        return f"(if isnan({a}) {{ {a} }} else {{ sign({a}) + {_zero(dtype)} }})"
    if dtype.kind == "u":
        return f"(if {a} == {_zero(dtype)} {{ {_zero(dtype)} }} else {{ {_one(dtype)} }})"
    return f"sign({a})"


def helpers(text: str) -> str:
    """The definitions of the functions that a text calls beside those of the language."""
    found = sorted(set(re.findall(r"numpys_(\w+)_(\w+)\(", text)))
    return "".join(_HELPERS[name](kind) for name, kind in found)


def _of_complex(name: str, re: str, im: str):
    """A function whose parts of a complex a + ib are these texts.

    `flat` says that b is 0, `odd` that a is infinite and b no finite number: there the
    formulas of other numbers have no value.
    """
    def helper(kind: str) -> str:
        real = {"c64": "f32", "c128": "f64"}[kind]
        x, y = (part.replace("#", real) for part in (re, im))
        return (f"def numpys_{name}_{kind}(z: {kind}) -> {kind} {{\n"
                f"  let a = re(z)\n  let b = im(z)\n  let flat = b == {real}(0.0)\n"
                f"  let odd = isinf(a) and not isfinite(b)\n"
                f"  complex({x}, {y})\n}}\n")

    def text(dtype, z):
        return f"numpys_{name}_{NAMES[dtype]}({z})" if dtype.kind == "c" else f"{name}({z})"
    _HELPERS[name] = helper
    return text


_HELPERS = {"fmod": _fmod_helper}


def _if(*choices: str) -> str:
    """The value behind the first test that holds, else the last."""
    *pairs, last = choices
    text = last
    for test, value in reversed(list(zip(pairs[::2], pairs[1::2]))):
        text = f"(if {test} {{ {value} }} else {{ {text} }})"
    return text


_EXP = _of_complex("exp", _if("odd and a < #(0.0)", "#(0.0)", "odd", "#(inf)",
                              "flat", "exp(a)", "exp(a) * cos(b)"),
                   _if("flat", "b", "odd and a < #(0.0)", "#(0.0)", "exp(a) * sin(b)"))
_EXPM1 = _of_complex("expm1", _if("odd and a < #(0.0)", "#(-1.0)", "odd", "#(inf)",
                                  "flat", "expm1(a) + #(0.0)",
                                  "expm1(a) * cos(b) - #(2.0) * sin(b / #(2.0)) * sin(b / #(2.0))"),
                     _if("flat", "b", "odd and a < #(0.0)", "#(0.0)", "exp(a) * sin(b)"))
_SINH = _of_complex("sinh", _if("odd or a == #(0.0)", "a", "flat", "sinh(a)", "sinh(a) * cos(b)"),
                    _if("flat", "b", "cosh(a) * sin(b)"))
_COSH = _of_complex("cosh", _if("odd", "#(inf)", "flat", "cosh(a)", "cosh(a) * cos(b)"),
                    _if("flat", "copysign(#(1.0), a) * b", "a == #(0.0)", "a", "sinh(a) * sin(b)"))
_TANH = _of_complex("tanh", _if("a == #(0.0)", "a", "isinf(a)", "copysign(#(1.0), a)", "re(tanh(z))"),
                    _if("a == #(0.0)", "tan(b)", "isinf(a)", "copysign(#(0.0), b)",
                         "im(tanh(z))"))

FUNCTIONS = {
    "copy": lambda dtype, a: a,
    "positive": lambda dtype, a: a,
    "add": _infix("+", "or"), "subtract": _infix("-"), "multiply": _infix("*", "and"),
    "divide": _infix("/"), "floor_divide": _floor_divide, "remainder": _remainder,
    "fmod": _fmod, "power": _power, "float_power": _power,
    "maximum": _least("max", "or"), "minimum": _least("min", "and"),
    "fmax": _least_number("fmax", "or"), "fmin": _least_number("fmin", "and"),
    "arctan2": _call("atan2"), "hypot": _call("hypot"), "copysign": _call("copysign"),
    "equal": _compare("=="), "not_equal": _compare("!="), "less": _compare("<"),
    "less_equal": _compare("<="), "greater": _compare(">"), "greater_equal": _compare(">="),
    "logical_and": _infix("and"), "logical_or": _infix("or"), "logical_xor": _infix("!="),
    "logical_not": lambda dtype, a: f"(not {a})",
    "bitwise_and": _bits("bitand", "and"), "bitwise_or": _bits("bitor", "or"),
    "bitwise_xor": _bits("bitxor", "!="),
    "left_shift": _call("shl"), "right_shift": _call("shr"),
    "invert": lambda dtype, a: f"(not {a})" if dtype.kind == "b" else f"bitnot({a})",
    "negative": lambda dtype, a: f"(-{a})",
    "absolute": lambda dtype, a: a if dtype.kind in "bu" else f"abs({a})",
    "fabs": _call("abs"), "sign": _sign, "conjugate": lambda dtype, a: (
        f"conj({a})" if dtype.kind == "c" else a),
    "square": lambda dtype, a: f"({a} and {a})" if dtype.kind == "b" else f"({a} * {a})",
    "reciprocal": lambda dtype, a: f"({_one(dtype)} / {a})",
    "signbit": lambda dtype, a: f"(copysign({_one(dtype)}, {a}) < {_zero(dtype)})",
    "floor": _whole_numbers("floor"), "ceil": _whole_numbers("ceil"),
    "trunc": _whole_numbers("trunc"), "rint": _whole_numbers("round"),
    "isnan": _test("isnan"), "isinf": _test("isinf"), "isfinite": _test("isfinite"),
    "real": lambda dtype, a: f"re({a})", "imag": lambda dtype, a: f"im({a})",
    "complex": _call("complex"),
    "where": lambda dtype, c, a, b: f"(if {c} {{ {a} }} else {{ {b} }})",
    "clip": lambda dtype, a, lo, hi: f"min(max({a}, {lo}), {hi})",
    "sqrt": _call("sqrt"), "log": _call("log"), "sin": _call("sin"), "cos": _call("cos"),
    "tan": _call("tan"),
    "exp": _EXP, "expm1": _EXPM1, "sinh": _SINH, "cosh": _COSH, "tanh": _TANH,
    "cbrt": _call("cbrt"), "exp2": _call("exp2"),
    "log2": _call("log2"), "log10": _call("log10"),
    "log1p": _call("log1p"), "arcsin": _call("asin"), "arccos": _call("acos"),
    "arctan": _call("atan"), "arcsinh": _call("asinh"), "arccosh": _call("acosh"),
    "arctanh": _call("atanh"),
}

#: Functions that have complex operands, too.
COMPLEX = frozenset("""copy positive add subtract multiply divide equal not_equal negative
less less_equal greater greater_equal absolute conjugate square reciprocal isnan isinf isfinite real imag where sqrt exp log sin
cos tan sinh cosh tanh expm1 logical_and logical_or logical_xor logical_not""".split())
