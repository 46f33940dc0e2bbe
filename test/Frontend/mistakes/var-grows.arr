export def f(a: f32[n]) -> f32[?] {
  var b = a
  b = concat(b, b)
  b
}

#| remark[R0200]: 2*n and n are compared when the program runs
#|  --> var-grows.arr:3:7
#|   |
#| 1 | export def f(a: f32[n]) -> f32[?] {
#|   |                     - n
#| 3 |   b = concat(b, b)
#|   |       ^^^^^^^^^^^^
#| help: an array whose size may change is declared so: 'var b: f32[?] = ..'
#| var-grows.arr: no errors
