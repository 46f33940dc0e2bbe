export def f(a: f32[n]) -> f64[n] = a.astype(f64)

#| error[E0227]: f32[n] has no field 'astype'
#|  --> astype.arr:1:39
#|   |
#| 1 | export def f(a: f32[n]) -> f64[n] = a.astype(f64)
#|   |                                       ^^^^^^ only structs and arrays of structs have fields
#| help: write the conversion: 'f64(a)'
#| error[E0205]: 'f64' is a type, not a value
#|  --> astype.arr:1:46
#|   |
#| 1 | export def f(a: f32[n]) -> f64[n] = a.astype(f64)
#|   |                                              ^^^
#| help: a type is declared, 'let a: f64[n] = ..', or converts, 'f64(..)'
