export def f(a: float, b: list) -> float = a

#| error[E0210]: there is no type 'float'
#|  --> python-types.arr:1:17
#|   |
#| 1 | export def f(a: float, b: list) -> float = a
#|   |                 ^^^^^
#| help: write 'f32' (C's float, NumPy's float32) or 'f64' (Python's)
#| error[E0210]: there is no type 'list'
#|  --> python-types.arr:1:27
#|   |
#| 1 | export def f(a: float, b: list) -> float = a
#|   |                           ^^^^
#| help: an array's type is that of its elements with its sizes: 'f32[n, m]'
#| error[E0210]: there is no type 'float'
#|  --> python-types.arr:1:36
#|   |
#| 1 | export def f(a: float, b: list) -> float = a
#|   |                                    ^^^^^
#| help: write 'f32' (C's float, NumPy's float32) or 'f64' (Python's)
