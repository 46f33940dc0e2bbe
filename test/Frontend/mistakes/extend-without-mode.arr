export def f(u: f32[n]) -> f32[n] {
  let e = extend(u)
  for i in n { e[i - 1] }
}

#| error[E0293]: 'extend' needs a mode
#|  --> extend-without-mode.arr:2:11
#|   |
#| 2 |   let e = extend(u)
#|   |           ^^^^^^^^^
#| help: modes are clamp, wrap, mirror, reflect, none, or the value to read outside
