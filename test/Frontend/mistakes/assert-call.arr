export def f(x: f32) -> f32 {
  assert(x > 0.0, "positive")
  x
}

#| error[E0116]: there are no strings: text stands only after 'import' and in 'assert'
#|  --> assert-call.arr:2:19
#|   |
#| 2 |   assert(x > 0.0, "positive")
#|   |                   ^^^^^^^^^^
#| help: write 'assert c, "text"', without parentheses
