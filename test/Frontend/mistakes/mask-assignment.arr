export def f(a: f32[n]) -> f32[n] {
  var b = a
  b[b > 0] = 1.0
  b
}

#| error[E0285]: a bool array cannot be an index
#|  --> mask-assignment.arr:3:5
#|   |
#| 3 |   b[b > 0] = 1.0
#|   |     ^^^^^
#| help: write 'b = select(b > 0, 1.0, b)'
