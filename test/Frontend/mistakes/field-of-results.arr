def wind(n: int) -> (u: f32[n], v: f32[n]) = (ones(n), zeros(n))

export def f(n: int) -> f32[n] {
  let w = wind(n)
  w.u
}

#| error[E0227]: (f32[n], f32[n]) has no field 'u'
#|  --> field-of-results.arr:5:5
#|   |
#| 5 |   w.u
#|   |     ^ only structs and arrays of structs have fields
#| help: take it apart: 'let (a, b) = ..' has a name for each part
