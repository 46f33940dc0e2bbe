export def f(x: f32) -> f32 {
  assert x > 0.0, 'positive'
  x
}

#| error[E0005]: unexpected character '''
#|  --> single-quotes.arr:2:19
#|   |
#| 2 |   assert x > 0.0, 'positive'
#|   |                   ^^^^^^^^^^
#| help: text stands only after 'import' and in 'assert', in double quotes
