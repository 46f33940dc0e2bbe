export def f(a: f32[n]) -> f32[n] = for i, x in a { x * i }

#| error[E0300]: 'i' has no range
#|  --> for-enumerates.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i, x in a { x * i }
#|   |                                         ^ nothing is indexed by 'i' alone
#| help: each index is a dimension; for the elements in order write 'for i in n { a[i] * i }'
