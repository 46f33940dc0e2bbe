export def f(x: f32) -> f32 {
  x * 2.0
  x
}

#| error[E0241]: this value is not used
#|  --> unused-value.arr:2:3
#|   |
#| 2 |   x * 2.0
#|   |   ^^^^^^^
#| help: bind it with 'let', or take it away
