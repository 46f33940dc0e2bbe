export def f(a: f32[n]) -> f32 {
  var v = a
  while size(v) > 1 { v = for i in size(v) // 2 { v[2 * i] + v[2 * i + 1] } }
  v[0]
}

#| remark[R0200]: n // 2 and n are compared when the program runs
#|  --> var-shrinks.arr:3:27
#|   |
#| 1 | export def f(a: f32[n]) -> f32 {
#|   |                     - n
#| 3 |   while size(v) > 1 { v = for i in size(v) // 2 { v[2 * i] + v[2 * i + 1] } }
#|   |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#| help: an array whose size may change is declared so: 'var v: f32[?] = ..'
#| var-shrinks.arr: no errors
