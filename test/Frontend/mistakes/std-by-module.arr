import "std/statistics.arr"
export def f(a: f32[n]) -> f32 = std(a)

#| error[E0200]: 'std' is not declared
#|  --> std-by-module.arr:2:34
#|   |
#| 2 | export def f(a: f32[n]) -> f32 = std(a)
#|   |                                  ^^^
#| help: write 'statistics.std(a)'
