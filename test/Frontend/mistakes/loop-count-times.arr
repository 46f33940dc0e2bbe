export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop rounds times {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-count-times.arr:3:8
#|   |
#| 3 |   loop rounds times {
#|   |        ^^^^^^
#| help: write 'loop k in rounds { }'
