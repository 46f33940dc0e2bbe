export def f(x: f32) -> f32 {
  assert x > 0.0, f"x is {x}"
  x
}

#| error[E0100]: expected a message in quotes, found 'f'
#|  --> fstring.arr:2:19
#|   |
#| 2 |   assert x > 0.0, f"x is {x}"
#|   |                   ^
#| help: the text is shown as it is: leave out 'f'
