export def f(a: f32[n]) -> int = sum(a > 0.0)

#| error[E0310]: 'sum' needs numbers, not bool
#|  --> sum-of-bools.arr:1:40
#|   |
#| 1 | export def f(a: f32[n]) -> int = sum(a > 0.0)
#|   |                                        ^
#| help: 'count' counts what is true
