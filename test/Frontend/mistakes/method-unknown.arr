export def f(x: f32[n]) -> f32[n] = x.normalize()

#| error[E0227]: f32[n] has no field 'normalize'
#|  --> method-unknown.arr:1:39
#|   |
#| 1 | export def f(x: f32[n]) -> f32[n] = x.normalize()
#|   |                                       ^^^^^^^^^ only structs and arrays of structs have fields
#| help: there are no methods: functions take arrays, 'f(a)'
