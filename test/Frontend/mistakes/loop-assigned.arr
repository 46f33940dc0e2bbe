export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop k = 0:rounds {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-assigned.arr:3:10
#|   |
#| 3 |   loop k = 0:rounds {
#|   |          ^
#| help: write 'loop k in 0:rounds { }'
