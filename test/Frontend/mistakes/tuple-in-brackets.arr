export def f(a: f32[n]) -> f32 {
  let t = (sum(a), max(a))
  t[0]
}

#| error[E0280]: 't' is (f32, f32) and has no elements
#|  --> tuple-in-brackets.arr:3:3
#|   |
#| 3 |   t[0]
#|   |   ^
#| help: components stand behind a point: 't.0'
