export def f(x: f32) -> f32 {
  let y = x * 2.0
}

#| error[E0240]: this block must end with a value
#|  --> forgotten-value.arr:2:3
#|   |
#| 2 |   let y = x * 2.0
#|   |   ^^^^^^^^^^^^^^^
#| help: end the block with an expression
