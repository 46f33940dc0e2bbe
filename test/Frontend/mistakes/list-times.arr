export def f(n: int) -> f32[n] {
  var a = [0.0] * n
  a
}

#| warning[W0207]: '[0.0] * n' multiplies the element and repeats nothing
#|  --> list-times.arr:2:11
#|   |
#| 2 |   var a = [0.0] * n
#|   |           ^^^^^^^^^
#| help: equal elements are 'full(0.0, n)'
#| remark[R0200]: 1 and n are compared when the program runs
#|  --> list-times.arr:3:3
#|   |
#| 1 | export def f(n: int) -> f32[n] {
#|   |              - n
#| 3 |   a
#|   |   ^
#| help: if they are always equal, say 'where 1 == n'
#| list-times.arr: no errors
