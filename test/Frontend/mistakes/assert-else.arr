export def f(x: f32) -> f32 {
  assert x > 0.0 else "negative"
  sqrt(x)
}

#| error[E0100]: expected ',' and a message, found 'else'
#|  --> assert-else.arr:2:18
#|   |
#| 2 |   assert x > 0.0 else "negative"
#|   |                  ^^^^
#| help: write 'assert x > 0.0, "text"'
