export def f(a: f32[n]) -> f32 {
  print(a)
  sum(a)
}

#| error[E0200]: 'print' is not declared
#|  --> print.arr:2:3
#|   |
#| 2 |   print(a)
#|   |   ^^^^^
#| help: a program says what its exports return
