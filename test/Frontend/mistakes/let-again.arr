export def f(x: f32) -> f32 {
  let y = x * 2.0
  let y = y + 1.0
  y
}

#| error[E0201]: 'y' is declared already
#|  --> let-again.arr:3:7
#|   |
#| 2 |   let y = x * 2.0
#|   |       - 'y' is declared here
#| 3 |   let y = y + 1.0
#|   |       ^
#| help: a local name never hides another one: choose a new name
