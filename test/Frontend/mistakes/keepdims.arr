export def f(a: f32[n, m]) -> f32[n, m] = a / sum(a, axis = 1, keepdims = true)

#| error[E0334]: 'sum' has no parameter 'keepdims'
#|  --> keepdims.arr:1:64
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n, m] = a / sum(a, axis = 1, keepdims = true)
#|   |                                                                ^^^^^^^^
#| help: the dimension is gone: write the 'for' that uses it, as in 'for i, j { a[i, j] / s[i] }'
