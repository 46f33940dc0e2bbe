export def f(a: f32[n]) -> f32[n] = for i {
  t = a[i] * 2.0
  t + 1.0
}

#| error[E0200]: 't' is not declared
#|  --> missing-let-in-for.arr:2:3
#|   |
#| 2 |   t = a[i] * 2.0
#|   |   ^
#| help: a new name begins with 'let' or 'var'
