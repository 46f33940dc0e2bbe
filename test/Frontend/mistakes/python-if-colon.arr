export def f(x: f32) -> f32 {
  if x > 0.0:
    x
  else:
    0.0
}

#| error[E0121]: the body of 'if' stands in braces
#|  --> python-if-colon.arr:2:13
#|   |
#| 2 |   if x > 0.0:
#|   |             ^ expected '{', found ':'
#| help: write '{' instead of ':', and '}' behind the body
