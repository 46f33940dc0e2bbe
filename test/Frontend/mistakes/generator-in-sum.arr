export def f(a: f32[n]) -> f32 = sum(x * x for x in a)

#| error[E0138]: this is a comprehension of Python
#|  --> generator-in-sum.arr:1:44
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = sum(x * x for x in a)
#|   |                                            ^^^
#| help: write 'sum for x in a { x * x }'
