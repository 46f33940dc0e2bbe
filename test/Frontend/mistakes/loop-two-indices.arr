export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop i, j in rounds {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-two-indices.arr:3:9
#|   |
#| 3 |   loop i, j in rounds {
#|   |         ^
#| help: a 'loop' has one index: write 'loop i in n { loop j in m { } }'
