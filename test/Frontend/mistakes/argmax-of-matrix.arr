export def f(a: f32[n, m]) -> int = argmax(a)

#| error[E0216]: the result is int, but this is (int, int)
#|  --> argmax-of-matrix.arr:1:37
#|   |
#| 1 | export def f(a: f32[n, m]) -> int = argmax(a)
#|   |                                     ^^^^^^^^^
#| help: there is an index for each dimension; 'flatten(a)' has one
