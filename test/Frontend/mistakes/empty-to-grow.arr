export def f(a: f32[n]) -> f32[?] {
  var out = []
  loop i in n {
    if a[i] > 0.0 { out = concat(out, [a[i]]) }
  }
  out
}

#| error[E0226]: an empty array needs a declared type
#|  --> empty-to-grow.arr:2:13
#|   |
#| 2 |   var out = []
#|   |             ^^
#| help: declare it, so that it may grow: 'var out: f32[?] = []'
