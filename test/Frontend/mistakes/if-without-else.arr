export def f(x: f32) -> f32 {
  let y = if x > 0.0 { x }
  y
}

#| error[E0242]: an 'if' without 'else' has no value
#|  --> if-without-else.arr:2:11
#|   |
#| 2 |   let y = if x > 0.0 { x }
#|   |           ^^^^^^^^^^^^^^^^
#| help: give it an 'else', or make it a statement
