export def f(x: f32) -> f32 {
  y := x * 2.0
  y
}

#| error[E0119]: ':=' is not an operator here
#|  --> walrus.arr:2:5
#|   |
#| 2 |   y := x * 2.0
#|   |     ^^
#| help: a new name begins with 'let' or 'var'; '=' assigns
