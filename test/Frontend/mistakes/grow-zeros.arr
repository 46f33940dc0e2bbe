export def f(a: f32[n]) -> f32[?] {
  var out = zeros(0)
  loop i in n { out = concat(out, [a[i]]) }
  out
}

#| error[E0266]: what is assigned to 'out' has the size 0, but this has 1
#|  --> grow-zeros.arr:3:23
#|   |
#| 2 |   var out = zeros(0)
#|   |       --- declared here
#| 3 |   loop i in n { out = concat(out, [a[i]]) }
#|   |                       ^^^^^^^^^^^^^^^^^^^ this is f32[1], not f32[0]
#| help: a 'var' keeps its sizes; an array whose size may change is declared so: 'var out: f32[?] = ..'
