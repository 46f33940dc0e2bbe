export def f(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = a * b

#| remark[R0200]: n and k are compared when the program runs
#|  --> matmul-star.arr:1:59
#|   |
#| 1 | export def f(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = a * b
#|   |              - 'a' is n x k
#|   |                            - 'b' is k x m
#|   |                                                           ^
#| help: if they are always equal, say 'where n == k'
#| matmul-star.arr: no errors
