"""The extension module: the compiler and the runtime."""

from collections.abc import Callable, Sequence
from typing import Any

__version__: str


class Array:
    """An array in memory of the runtime, on the host or on a device."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def element(self) -> str: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def host(self) -> Array: ...
    def release(self) -> None: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __dlpack__(self, **kwargs: Any) -> object: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...


class Device:
    """A context of the runtime."""
    @property
    def name(self) -> str: ...
    @property
    def memory_in_use(self) -> int: ...


class Program:
    """A program in this process."""
    def __init__(self, file: str, text: str | None, options: Sequence[str]) -> None: ...
    @property
    def messages(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def entries(self) -> list[tuple[str, list[tuple], list[tuple]]]: ...
    def call(self, number: int, device: Device, values: Sequence[Any], to_host: bool,
             warns_of_copies: bool) -> list[Any]: ...


class Held:
    """The base of the arrays of arrc.numpy."""
    shape: tuple[int, ...]
    @property
    def dtype(self) -> Any: ...
    @property
    def ndim(self) -> int: ...
    @property
    def T(self) -> Any: ...
    _held: Any
    _base: Base
    _view: View | None
    shape_: tuple[int, ...]
    dtype_: Any
    is_scalar: bool


class Node:
    """A value: an operation on operands, or an array that is there."""
    op: str
    operands: tuple
    extra: Any
    numbers: tuple
    shape: tuple[int, ...]
    dtype: Any
    loop: tuple[int, ...]
    place: tuple | None
    value: Any
    respite: tuple | None
    refs: int
    order: int
    def __init__(self, op: str, operands: tuple, shape: tuple[int, ...], dtype: Any,
                 extra: Any = None, numbers: tuple = (), loop: tuple | None = None,
                 place: tuple | None = None) -> None: ...


class Base:
    """What a write changes: it holds the newest value of some memory."""
    node: Node
    touches: int
    def __init__(self, node: Node, /) -> None: ...
    @property
    def _node(self) -> Node: ...


class View:
    """A map of axes to the dimensions of an array of the shape `source`."""
    source: tuple[int, ...]
    shape: tuple[int, ...]
    dims: tuple[tuple[int, int, int], ...]
    inner: "View | None"
    def __init__(self, source: tuple, shape: tuple, dims: tuple, inner: "View | None" = None,
                 /) -> None: ...
    @property
    def is_whole(self) -> bool: ...
    def is_same(self, other: "View", /) -> bool: ...


class Recorder:
    """The nodes that are not computed, in the order in which they came."""
    pending: list[Node]
    late: list[Node]
    kept: set
    count: int
    cost: int
    eager: int
    first: int
    loop: int
    heavy: int
    most: int
    def __init__(self, run: Callable[[bool], None], folder: str, /) -> None: ...
    def take(self) -> list[Node]: ...


class Forward:
    """A function or method that is NumPy's where its arguments are small arrays."""
    def __init__(self, fast: Any, slow: Any, name: str, kind: int = 0, /) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


def set_up_arrays(arrays: type, given: dict[str, Any]) -> None: ...
def set_small(elements: int) -> None: ...
def append(node: Node, /) -> Node: ...
def whole(shape: tuple[int, ...], /) -> View: ...
def arrays_of(base: Base) -> list[Any]: ...
def structure(wanted: list[Node]) -> tuple[list[Node], bytes, list[int], list[tuple[int, int]],
                                           list[Node], list[Any]]: ...
def device(name: str, threads: int = 0) -> Device: ...
def forget_devices() -> None: ...
