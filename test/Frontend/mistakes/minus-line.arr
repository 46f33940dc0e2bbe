export def f(x: f32, y: f32) -> f32 {
  let z = x
    - y
  z
}

#| error[E0106]: a line cannot begin with '-' after another statement
#|  --> minus-line.arr:3:5
#|   |
#| 3 |     - y
#|   |     ^
#| help: to go on with the line before, put '-' at its end; to begin a statement, write '0 - ...' or parentheses
