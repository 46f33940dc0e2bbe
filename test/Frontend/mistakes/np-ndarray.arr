export def f(a: np.ndarray) -> f32 = sum(a)

#| error[E0208]: 'np' is no imported file
#|  --> np-ndarray.arr:1:17
#|   |
#| 1 | export def f(a: np.ndarray) -> f32 = sum(a)
#|   |                 ^^
#| help: an array's type is that of its elements with its sizes: 'f32[n, m]'
