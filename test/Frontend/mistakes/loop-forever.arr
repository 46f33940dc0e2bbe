export def f(a: f32[n], rounds: int) -> f32[n] {
  var t = a
  loop {
    t[0] += 1.0
  }
  t
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-forever.arr:3:8
#|   |
#| 3 |   loop {
#|   |        ^
#| help: write 'loop k in n { }' for n steps, 'while c { }' for as long as a condition holds
