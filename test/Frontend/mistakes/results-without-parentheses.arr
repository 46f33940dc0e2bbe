export def f(a: f32[n]) -> f32, f32 {
  (min(a), max(a))
}

#| error[E0100]: expected '=' or '{' and the body of the function, found ','
#|  --> results-without-parentheses.arr:1:31
#|   |
#| 1 | export def f(a: f32[n]) -> f32, f32 {
#|   |                               ^
#| help: several results stand in parentheses: '-> (f32, int)', with names '-> (low: f32, high: f32)'
