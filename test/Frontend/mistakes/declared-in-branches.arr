export def f(x: f32) -> f32 {
  if x > 0.0 {
    let y = x
  } else {
    let y = -x
  }
  y * 2.0
}

#| error[E0200]: 'y' is not declared
#|  --> declared-in-branches.arr:7:3
#|   |
#| 5 |     let y = -x
#|   |         - 'y' is declared here, for this block alone
#| 7 |   y * 2.0
#|   |   ^
#| help: a name ends with its block: write 'let y = if .. { .. } else { .. }', or 'var y = ..' in front of it
