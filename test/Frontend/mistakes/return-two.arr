export def f(a: f32[n]) -> (p: f32[n], q: f32[n]) {
  return a, a
}

#| error[E0101]: 'return' is reserved and has no meaning
#|  --> return-two.arr:2:3
#|   |
#| 2 |   return a, a
#|   |   ^^^^^^
#| help: the last line of a block is its value
