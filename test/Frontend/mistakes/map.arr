export def f(a: f32[n]) -> f32[n] = map(fn(x) => x * 2.0, a)

#| error[E0200]: 'map' is not declared
#|  --> map.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = map(fn(x) => x * 2.0, a)
#|   |                                     ^^^
#| help: write 'for x in a { f(x) }'; a function of scalars maps over arrays by itself: 'f(a)'
