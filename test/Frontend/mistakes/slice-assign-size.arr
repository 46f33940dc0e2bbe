export def f(a: f32[4], b: f32[3]) -> f32[4] {
  var c = a
  c[0:4] = b
  c
}

#| error[E0266]: what is assigned to 'c' has the size 4, but this has 3
#|  --> slice-assign-size.arr:3:12
#|   |
#| 2 |   var c = a
#|   |       - declared here
#| 3 |   c[0:4] = b
#|   |            ^ this is f32[3], not f32[4]
