export def f(x: f32) -> f32 {
  return x * 2.0
}

#| error[E0101]: 'return' is reserved and has no meaning
#|  --> return.arr:2:3
#|   |
#| 2 |   return x * 2.0
#|   |   ^^^^^^
#| help: the last line of a block is its value
