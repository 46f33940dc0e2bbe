export def f(a: f32[n]) -> f32[n] {
  b = a * 2.0
  b
}

#| error[E0200]: 'b' is not declared
#|  --> missing-let.arr:2:3
#|   |
#| 2 |   b = a * 2.0
#|   |   ^
#| help: a new name begins with 'let' or 'var'
