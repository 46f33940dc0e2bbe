export def f(a: f32[n], b: f32[m]) -> f32 = sum for i { a[i] * b[i] }

#| error[E0301]: 'i' would range over n (from 'a') and m (from 'b')
#|  --> two-sizes-one-index.arr:1:53
#|   |
#| 1 | export def f(a: f32[n], b: f32[m]) -> f32 = sum for i { a[i] * b[i] }
#|   |                                                     ^
#|   |                                                           - n
#|   |                                                                  - m
#| help: write 'i in n' or 'i in m'
