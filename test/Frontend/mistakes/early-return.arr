export def f(x: f32) -> f32 {
  if x < 0.0 { return 0.0 }
  x * 2.0
}

#| error[E0101]: 'return' is reserved and has no meaning
#|  --> early-return.arr:2:16
#|   |
#| 2 |   if x < 0.0 { return 0.0 }
#|   |                ^^^^^^
#| help: the last line of a block is its value
