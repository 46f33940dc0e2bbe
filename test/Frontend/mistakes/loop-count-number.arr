export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop 10 {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-count-number.arr:3:8
#|   |
#| 3 |   loop 10 {
#|   |        ^^
#| help: write 'loop k in 10 { }'
