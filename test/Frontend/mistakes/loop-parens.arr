export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop (k in rounds) {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-parens.arr:3:8
#|   |
#| 3 |   loop (k in rounds) {
#|   |        ^
#| help: write 'loop k in rounds { }', without parentheses
