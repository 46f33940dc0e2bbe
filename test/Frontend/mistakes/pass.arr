export def f(x: f32) -> f32 {
  if x > 0.0 { pass } else { }
  x
}

#| error[E0200]: 'pass' is not declared
#|  --> pass.arr:2:16
#|   |
#| 2 |   if x > 0.0 { pass } else { }
#|   |                ^^^^
#| help: an 'if' may stand without 'else', and its braces may be empty
