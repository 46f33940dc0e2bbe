export def f(x: f32) -> f32 {
  float y = x * 2.0
  y
}

#| error[E0138]: this is a declaration of C
#|  --> c-declaration.arr:2:3
#|   |
#| 2 |   float y = x * 2.0
#|   |   ^^^^^
#| help: write 'var y = x * 2.0', or 'let' if it stays as it is
