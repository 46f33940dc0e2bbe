export def f(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = einsum("ik,kj->ij", a, b)

#| error[E0200]: 'einsum' is not declared
#|  --> einsum.arr:1:57
#|   |
#| 1 | export def f(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = einsum("ik,kj->ij", a, b)
#|   |                                                         ^^^^^^
#| help: write the sums: 'for i, j { sum for k { a[i, k] * b[k, j] } }', or 'a @ b'
