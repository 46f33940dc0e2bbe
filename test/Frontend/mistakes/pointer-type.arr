export def f(a: float*, n: int) -> float = a[0]

#| error[E0100]: expected ',' or ')', found '*'
#|  --> pointer-type.arr:1:22
#|   |
#| 1 | export def f(a: float*, n: int) -> float = a[0]
#|   |             - '(' opened here
#|   |                      ^
#| help: an array is declared with its sizes: 'f32[n]'
