export def f(a: f32[n]) -> f32 {
  var s: f32 = -inf
  for i in n {
    s = max(s, a[i])
  }
  s
}

#| error[E0245]: 's' cannot be assigned in here
#|  --> for-max-outer.arr:4:5
#|   |
#| 2 |   var s: f32 = -inf
#|   |       - 's' is declared outside
#| 4 |     s = max(s, a[i])
#|   |     ^ this body runs for all indices at once
#| help: write 's = max for .. { a[i] }'; steps in order are a 'loop'
