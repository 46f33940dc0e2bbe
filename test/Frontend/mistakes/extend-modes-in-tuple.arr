export def f(a: f32[n, m]) -> f32[n, m] {
  let e = extend(a, (wrap, wrap))
  for i, j { e[i+1, j] }
}

#| error[E0293]: 'extend' needs a mode
#|  --> extend-modes-in-tuple.arr:2:21
#|   |
#| 2 |   let e = extend(a, (wrap, wrap))
#|   |                     ^^^^^^^^^^^^
#| help: modes stand beside the array, without parentheses: 'extend(a, wrap, clamp)'
