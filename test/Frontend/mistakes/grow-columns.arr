export def f(a: f32[n]) -> f32[n, ?m] {
  var out = zeros(n, 0)
  loop k in n { out = concat(out, for i, q in 1 { a[i] + k }, axis = 1) }
  out
}

#| error[E0266]: what is assigned to 'out' has the size 0, but this has 1
#|  --> grow-columns.arr:3:23
#|   |
#| 2 |   var out = zeros(n, 0)
#|   |       --- declared here
#| 3 |   loop k in n { out = concat(out, for i, q in 1 { a[i] + k }, axis = 1) }
#|   |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this is f32[n, 1], not f32[n, 0]
#| help: a 'var' keeps its sizes; an array whose size may change is declared so: 'var out: f32[n, ?kk] = ..'
