"""Parameters and results: structs and tuples made of what the runtime sees.

The runtime has one parameter a field, `bs.pos` and `bs.vel`, in order; here they are
put together to the one parameter `bs` that the program declares.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping


def python_name(name: str) -> str:
    """A name that Python has no other use for: `lambda` is `lambda_`."""
    return name + "_" if keyword.iskeyword(name) else name


class Tree:
    """A parameter or result: a leaf, or a struct or tuple of others."""

    def __init__(self, name: str, param: tuple | None = None):
        self.name = name
        #: Of a leaf: name, type, element, rank, sizes, whether it has a default, and which.
        self.param = param
        self.parts: dict[str, Tree] = {}

    @property
    def is_leaf(self) -> bool:
        return self.param is not None

    @property
    def is_tuple(self) -> bool:
        return all(part.isdecimal() for part in self.parts)

    @property
    def has_default(self) -> bool:
        return (self.param[5] if self.is_leaf
                else all(part.has_default for part in self.parts.values()))

    @property
    def type_text(self) -> str:
        if self.is_leaf:
            return self.param[1]
        parts = [part.type_text if self.is_tuple else str(part) for part in self.parts.values()]
        return f"({', '.join(parts)})" if self.is_tuple else f"{{{', '.join(parts)}}}"

    def __str__(self) -> str:
        text = f"{self.name}: {self.type_text}"
        if self.is_leaf and self.param[5]:
            value = self.param[6]
            text += " = " + ("..." if value is None else str(value).lower()
                             if isinstance(value, bool) else str(value))
        return text

    def flatten(self, value, out: list) -> None:
        """Takes a value apart into the leaves' values."""
        if self.is_leaf or value is ...:
            out.extend([value] * (1 if self.is_leaf else sum(1 for _ in self.leaves())))
            return
        if self.is_tuple:
            self._flatten_tuple(value, out)
            return
        known = self._fields(value)
        for name in known:
            if name not in self.parts:
                raise TypeError(f"'{self.name}' has no field '{name}'; it has "
                                f"{', '.join(self.parts)}")
        for name, part in self.parts.items():
            if name not in known and not part.has_default:
                raise TypeError(f"the field '{name}' of '{self.name}' is missing")
            part.flatten(value[name] if name in known else ..., out)

    def _flatten_tuple(self, value, out: list) -> None:
        if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
            raise TypeError(f"'{self.name}' is a tuple of {len(self.parts)}, "
                            f"not {type(value).__name__}")
        if len(value) != len(self.parts):
            raise TypeError(f"'{self.name}' is a tuple of {len(self.parts)}, "
                            f"and {len(value)} are given")
        for part, component in zip(self.parts.values(), value):
            part.flatten(component, out)

    def _fields(self, value) -> tuple:
        """The names of a mapping or of a structured array."""
        if isinstance(value, Mapping):
            return tuple(value)
        names = getattr(getattr(value, "dtype", None), "names", None)
        if names:
            return names
        raise TypeError(f"'{self.name}' is a struct: a mapping or a structured array with "
                        f"{', '.join(self.parts)} is wanted, not {type(value).__name__}")

    def leaves(self) -> Iterator["Tree"]:
        if self.is_leaf:
            yield self
        for part in self.parts.values():
            yield from part.leaves()

    def collect(self, values: Iterator):
        """The value that the next ones of the leaves make."""
        if self.is_leaf:
            return next(values)
        parts = {name: part.collect(values) for name, part in self.parts.items()}
        return tuple(parts.values()) if self.is_tuple else parts


def build_tree(params: list) -> list[Tree]:
    """The parameters as the program declares them."""
    top = Tree("")
    for param in params:
        node, words = top, param[0].split(".")
        for word in words[:-1]:
            node = node.parts.setdefault(word, Tree(word))
        node.parts[words[-1]] = Tree(words[-1], param)
    return list(top.parts.values())


def names_for(trees: list[Tree]) -> list[str]:
    """Names for keywords and for fields of named tuples, each another one."""
    names: list[str] = []
    for place, tree in enumerate(trees):
        name = python_name(tree.name).lstrip("_") or f"out{place}"
        while name in names:
            name += "_"
        names.append(name)
    return names
