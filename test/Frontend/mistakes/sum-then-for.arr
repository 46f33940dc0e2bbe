export def f(a: f32[n]) -> f32 = sum(a[i]) for i in n

#| error[E0121]: the body of 'for' stands in braces
#|  --> sum-then-for.arr:1:44
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = sum(a[i]) for i in n
#|   |                                            ^^^
#| help: write 'sum for i in n { a[i] }'
