export def f(a: f32[n]) -> f32[n] {
  a[0] = 1.0
  a
}

#| error[E0244]: 'a' cannot be assigned
#|  --> assign-parameter.arr:2:3
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] {
#|   |              - 'a' is fixed here
#| 2 |   a[0] = 1.0
#|   |   ^
#| help: parameters are fixed: assign to a copy, as in 'var v = a'
