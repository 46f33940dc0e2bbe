export def f(a: f32[n]) -> f32 {
  var s: f32 = 0.0
  for i in n {
    s += a[i]
  }
  s
}

#| error[E0245]: 's' cannot be assigned in here
#|  --> loop-as-for.arr:4:5
#|   |
#| 2 |   var s: f32 = 0.0
#|   |       - 's' is declared outside
#| 4 |     s += a[i]
#|   |     ^ this body runs for all indices at once
#| help: to add up write 's += sum for .. { a[i] }'; steps in order are a 'loop'
