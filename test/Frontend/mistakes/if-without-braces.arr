export def f(x: f32) -> f32 {
  var y = x
  if (x < 0.0) y = 0.0
  y
}

#| error[E0121]: the body of 'if' stands in braces
#|  --> if-without-braces.arr:3:16
#|   |
#| 3 |   if (x < 0.0) y = 0.0
#|   |                ^ expected '{', found 'y'
#| help: write '{ y = 0.0 }'
