export def f(a: f32[n]) -> (p: f32[n], q: f32[n]) {
  a, a
}

#| error[E0100]: expected the end of the statement, found ','
#|  --> result-without-parentheses.arr:2:4
#|   |
#| 2 |   a, a
#|   |    ^
#| help: several values stand in parentheses: '(a, a)'
