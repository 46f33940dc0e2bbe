export def f(a: f32[n, m]) -> f32[n, m] = sort(a)

#| error[E0324]: 'sort' needs an axis for more than one dimension
#|  --> sort-without-axis.arr:1:43
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n, m] = sort(a)
#|   |                                           ^^^^^^^
#| help: add 'axis = 0'
