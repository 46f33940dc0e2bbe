export def f(a: f32[n, k], b: f32[n, k]) -> f32[n, n] = a @ b

#| remark[R0200]: k and n are compared when the program runs
#|  --> matmul-inner.arr:1:59
#|   |
#| 1 | export def f(a: f32[n, k], b: f32[n, k]) -> f32[n, n] = a @ b
#|   |                     - n
#|   |                        - k
#|   |                                                           ^
#| help: if they are always equal, say 'where k == n'
#| matmul-inner.arr: no errors
