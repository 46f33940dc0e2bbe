export def f(a: f32[n]) -> f32 = reduce((-), 0.0, a)

#| error[E0313]: (-) is not associative
#|  --> minus-reduction.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce((-), 0.0, a)
#|   |                                         ^^^ the order of combining is free, so '-' has no one result
#| help: a fold in order is a 'loop'
