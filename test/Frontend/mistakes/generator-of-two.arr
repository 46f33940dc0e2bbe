export def f(a: f32[n, m]) -> f32 = sum(a[i, j] for i, j)

#| error[E0138]: this is a comprehension of Python
#|  --> generator-of-two.arr:1:49
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32 = sum(a[i, j] for i, j)
#|   |                                                 ^^^
#| help: write 'sum for i, j { a[i, j] }'
